"""Precedents for a state: three channels, fusion, diversity, reranking."""
