"""What to write for a draw of random numbers by what is differentiated: by the method's name,
since the generator is a variable."""
from __future__ import annotations

FORMULAS = {                                               # a distribution by one without parameters
    "normal": "loc + scale * rng.standard_normal(size)", "uniform": "low + (high - low) * rng.random(size)",
    "exponential": "scale * rng.standard_exponential(size)",
    "lognormal": "np.exp(mean + sigma * rng.standard_normal(size))",
    "multivariate_normal": "mean + np.linalg.cholesky(cov) @ rng.standard_normal(len(mean))",
    "laplace": "loc + scale * rng.laplace(size=size)", "gumbel": "loc + scale * rng.gumbel(size=size)",
    "gauss": "mu + sigma * random.gauss(0.0, 1.0)", "permutation": "x[rng.permutation(len(x))]",
    "choice": "x[rng.choice(len(x), size)]",
    "shuffle": "x = x[rng.permutation(len(x))]", "permuted": "x[rng.permutation(len(x))]"}

OF_PYTHON = {                                              # of the module random, where it is another one
    "uniform": "a + (b - a) * random.random()", "choice": "x[random.randrange(len(x))]",
    "shuffle": "order = random.sample(range(len(x)), len(x)), and x[order]"}
