"""The programs here are entries of the corpus, not tests of their own: `collect.load` imports them."""
collect_ignore_glob = ["*.py"]
