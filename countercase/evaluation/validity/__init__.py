"""Does movement follow the law? Planted worlds, labelled facts and labelled sentences."""
