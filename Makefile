# make demo   the quickstart notebook in JupyterLab (HEADLESS=1: run it here and print its results)
# make test   what must hold before a commit, in minutes: of the long series of tests a sample, another for each commit
# make test-full   everything
# make lint   the part of it that runs no code: ruff, mypy, import contracts, TypeScript's types and eslint
# make js     the widget's page, bundled into tangent_nb/static
# make fuzz   random programs against oracles: make fuzz N=20000; GRAMMAR=mutating for those that change arrays in place, GRAMMAR=real
#             for those that people write: objects, stars, generators, derivatives in derivatives
# make bench  how long importing and deriving take, and gradients beside those by hand, with their memory: docs/images/by_hand.png
# make clean
#
# One environment, .venv, serves all. PYTHON chooses the interpreter that makes it: PYTHON=python3.13 make test

PYTHON ?= python3
VENV ?= .venv
N ?= 2000
GRAMMAR ?= plain
WORKERS ?= 2

ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PY := $(BIN)/python
NPM := $(PY) js/npm.py

# Where there is no screen JupyterLab prints its address; a container's root has to say that it means it.
ifneq ($(OS),Windows_NT)
LAB_FLAGS := $(shell [ "$$(uname)" = Darwin ] || [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] || echo --no-browser) \
    $(shell [ "$$(id -u)" != 0 ] || echo --allow-root)
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1
PIP_INSTALL := $(PY) -m pip install -qq --no-compile --retries 10 --timeout 60

.PHONY: demo test test-full lint js fuzz bench clean types style page page-tests package-compiled
.DELETE_ON_ERROR:
ifeq ($(MAKELEVEL),0)
.NOTPARALLEL:
endif
BESIDE := +@$(MAKE) --no-print-directory -j $(WORKERS)

# What does not wait for another is done beside it: the page is tested while pip installs. pytest is last, so that its summary is the last line.
test: SAMPLE := --sample
test test-full: $(VENV)/.made
	$(BESIDE) types style page page-tests $(VENV)/.compiled package-compiled
	$(PY) -m pytest -n $(WORKERS) --dist loadgroup $(SAMPLE)

lint: $(VENV)/.made
	$(BESIDE) types style page

types: $(VENV)/.test
	$(BIN)/mypy --no-error-summary

style: $(VENV)/.test
	$(BIN)/ruff check --quiet .
	$(BIN)/lint-imports --no-cache --no-logo

page: js/node_modules/.made
	$(NPM) run --silent check

page-tests: js/node_modules/.made
	$(NPM) run --silent test
	$(NPM) run --silent stale

js: js/node_modules/.made
	$(NPM) run --silent build

demo: $(VENV)/.examples
ifneq ($(filter-out 0,$(HEADLESS)),)
	$(PY) examples/run_headless.py examples/quickstart.ipynb
else
	$(PY) -m jupyter lab --log-level=ERROR $(LAB_FLAGS) examples/quickstart.ipynb
endif

fuzz: $(VENV)/.test
	$(PY) tests/fuzz --programs $(N) --grammar $(GRAMMAR)

# On one thread, so that other work on the machine changes less.
bench: export OPENBLAS_NUM_THREADS := 1
bench: $(VENV)/.examples
	$(PY) -m benchmarks.deriving
	$(PY) -m benchmarks.by_hand --plot docs/images/by_hand.png

# An environment with an extra of setup.py. `test` contains `examples`.
$(VENV)/.test $(VENV)/.examples: $(VENV)/.%: setup.py | $(VENV)/.made
	@echo "installing tangent_nb with [$*] into $(VENV)"
	@for wait in 5 20 stop; do \
	    $(PIP_INSTALL) -e ".[$*]" && break; \
	    if [ $$wait = stop ]; then exit 1; fi; \
	    echo "trying again in $$wait s" >&2; sleep $$wait; \
	done
	@touch $@

# Compiled beside mypy, not by pip; not by the tests, where a warning about a package's text would be an error. A fifth of it they never import.
$(VENV)/.compiled: $(VENV)/.test
	@$(PY) -W ignore -c 'import compileall, re, sysconfig; \
	    compileall.compile_dir(sysconfig.get_path("purelib"), quiet=2, rx=re.compile(r"[/\\](tests|pip|mypy)[/\\]"))'
	@touch $@

# Once, where the environment lets no process write what it has compiled: tests start a hundred.
package-compiled: $(VENV)/.test
	@$(PY) -W ignore -m compileall -q tangent_nb

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit("tangent_nb needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV)
	@touch $@

js/node_modules/.made: js/package-lock.json | $(VENV)/.made
	@echo "installing what the widget's page is built and tested with"
	@$(NPM) ci --silent --no-audit --no-fund
	@touch $@

clean:
	rm -rf $(VENV) js/node_modules build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
