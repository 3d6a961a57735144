"""Settings that all tests share. That warnings are errors is in pyproject.toml."""
from hypothesis import settings

collect_ignore = ["corpus_mutation.py", "corpus_try.py"]     # their entries join the corpus when it is imported: once

# The same examples on every run: a failure on one machine is a failure on all. `make fuzz` looks for new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")
