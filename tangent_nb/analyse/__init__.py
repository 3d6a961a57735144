"""Analyses: what a program's text says about its values, on one control-flow graph and one solver."""
