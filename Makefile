# Everything a person types to run, try and check Locket; `make` alone lists it.
#
# Owns the order of steps, not the steps: packaging/install.py makes the environment, Locket fetches its
# own models. Stamp files inside .venv make the second run start at once.

.DEFAULT_GOAL := help
.PHONY: help run environment test quick lint format bench crash eval eval-model wheel bundle clean distclean \
        models-for-tests age-for-tests

VENV := .venv
BIN  := $(VENV)/bin

# The first Python that is new enough; looked for only when an environment has to be made.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
            "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
NO_PYTHON := locket: Python 3.11 or newer is needed and none was found; name one with make PYTHON=/path/to/python3

INSTALLER  := packaging/install.py packaging/llama_wheel.py packaging/torch_cpu.py packaging/pins.py
INSTALLED  := $(VENV)/.installed
INSTALLED_DEV := $(VENV)/.installed-dev

# A .venv whose Python is gone, since the system has moved on to another one, is made again.
ifeq ($(shell test -x $(BIN)/python || echo gone),gone)
.PHONY: $(INSTALLED) $(INSTALLED_DEV)
endif

# Models live outside the environment, so the stamp says for which home they were fetched.
HOME ?= $(shell $(PYTHON) -c 'import pathlib; print(pathlib.Path.home())')
MODELS_HOME  = $(HOME)|$(XDG_DATA_HOME)|$(LOCKET_HOME)
MODELS_STAMP := $(VENV)/.models-fetched
TEST_MODELS  = $(or $(LOCKET_TEST_MODELS),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/locket/models)

PYTEST := $(BIN)/pytest
PARALLEL := -n 2 --dist loadgroup

# What opens real vaults, starts processes or walks through whole files: `make test` runs it.
NOT_QUICK := $(foreach part,vault verbs transfer forget incognito json_shapes turn_prefix locket daily golden_store \
  models_hostile models_pull reapply profiles,--ignore-glob='tests/unit/test_$(part)*')

help:  ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(INSTALLED)  ## install what is missing, fetch the starter models once, open Locket
	@grep -qxF '$(MODELS_HOME)' $(MODELS_STAMP) 2>/dev/null || { \
	  $(BIN)/locket model setup --yes && printf '%s\n' '$(MODELS_HOME)' >> $(MODELS_STAMP); } || \
	  echo 'locket: the starter models are not here; Locket opens all the same and can use any GGUF file.' >&2
	@exec $(BIN)/locket

environment: $(INSTALLED_DEV)  ## make .venv with everything, tests and lint included

$(INSTALLED): pyproject.toml constraints.txt $(INSTALLER)
	@test -n '$(PYTHON)' || { echo '$(NO_PYTHON)' >&2; exit 1; }
	@$(PYTHON) packaging/install.py
	@touch $@

$(INSTALLED_DEV): pyproject.toml constraints.txt $(INSTALLER)
	@test -n '$(PYTHON)' || { echo '$(NO_PYTHON)' >&2; exit 1; }
	@$(PYTHON) packaging/install.py --dev
	@touch $(INSTALLED) $@

test: $(INSTALLED_DEV) models-for-tests age-for-tests  ## the whole suite, real models included
	LOCKET_TEST_MODELS='$(TEST_MODELS)' $(PYTEST) $(PARALLEL) $(ARGS)

quick: $(INSTALLED_DEV)  ## the unit tests that need no model, no vault and no patience, in under a minute
	$(PYTEST) $(PARALLEL) -q -m 'not model and not slow' tests/unit tests/golden tests/architecture/test_layout.py $(NOT_QUICK) $(ARGS)

lint: $(INSTALLED_DEV)  ## ruff, mypy and the import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(INSTALLED_DEV)  ## let ruff mend and format what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED_DEV) models-for-tests  ## timings, printed
	LOCKET_TEST_MODELS='$(TEST_MODELS)' $(PYTEST) tests/bench -s -o python_files='bench_*.py' -o faulthandler_timeout=3000 $(ARGS)

crash: $(INSTALLED_DEV)  ## a thousand kills instead of the suite's sixty
	LOCKET_CRASH_KILLS=1000 $(PYTEST) tests/crash $(PARALLEL) --timeout 3600 $(ARGS)

eval: $(INSTALLED_DEV) models-for-tests  ## how good recall is, printed by kind of question
	LOCKET_TEST_MODELS='$(TEST_MODELS)' $(PYTEST) tests/eval -s $(ARGS)

eval-model: $(INSTALLED_DEV)  ## what a chat model adds to the rules: make eval-model MODEL=file.gguf ARGS='--every 20'
	@test -n '$(MODEL)' || { echo 'locket: name a model: make eval-model MODEL=/path/to/model.gguf' >&2; exit 1; }
	$(BIN)/python tests/eval/write_with_model.py '$(MODEL)' $(ARGS)

models-for-tests: $(INSTALLED_DEV)
	@$(BIN)/python packaging/models_for_tests.py '$(TEST_MODELS)'

# Exports are opened with a second, independent program; where it is missing those tests skip (in CI: fail).
age-for-tests:
	@command -v age >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y age >/dev/null; \
	  else \
	    echo "locket: 'age' is not installed, so the tests that open exports with it are skipped (apt install age, brew install age)"; \
	  fi; }

wheel: $(INSTALLED_DEV)  ## dist/*.whl, tried in an environment of its own
	$(BIN)/python packaging/build.py wheel
	$(BIN)/python packaging/smoke_test.py

bundle: $(INSTALLED_DEV)  ## a folder that runs without Python (needs PyInstaller)
	$(BIN)/python packaging/build.py bundle

clean:  ## remove caches and what was built; .venv, models and your vault stay
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache \
	  .coverage snapshot_report.html
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

distclean: clean  ## the same, and .venv
	rm -rf $(VENV)
