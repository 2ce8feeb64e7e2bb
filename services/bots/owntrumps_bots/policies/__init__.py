"""The levels: from what a seat may see to the plays it makes."""
