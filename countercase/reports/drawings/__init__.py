"""The drawings that pages, reports and notebooks share: facts, tree, rankings side by side.

A drawing is made from analysis.json and tree.json data, as SVG or PNG, without script.
"""
