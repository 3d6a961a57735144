"""What a sampled tape keeps, and how well gradients of samples train: `python -m benchmarks.randomized.memory`."""
