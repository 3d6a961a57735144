"""Trees, names and facts that every stage shares. Imports nothing of the stages."""
