# make serve   set up and serve on http://127.0.0.1:8000
# make test    set up and run the tests that need no root, no service and no browser
# make help    the other targets

.DEFAULT_GOAL := help
.PHONY: help serve test quick test-all lint lock bench clean

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet install --require-hashes --only-binary :all:

help:  ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

serve: $(VENV)/.serve  ## set up, migrate, ingest and serve
	@$(BIN)/errdex serve

test: $(VENV)/.test  ## the tests that need nothing but Python
	@$(BIN)/python -m pytest -m "not browser and not faults" -n auto

quick: $(VENV)/.test  ## the inner loop: engine, content, whole reports, imports
	@$(BIN)/python -m pytest -m "not browser and not faults" tests/matching tests/content tests/golden tests/test_imports.py

test-all: $(VENV)/.test  ## every test: also installed, in a browser, on PostgreSQL, and with faults
	@$(SHELL) .ci/groups plain install browser postgresql faults

lint: $(VENV)/.test  ## formatting, lint, types, content, what the API promises
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/errdex check
	@$(BIN)/python -m docs.api_contract

bench: $(VENV)/.bench  ## measure, beside other engines
	@$(BIN)/python -m bench.run

lock:  ## make requirements/*.txt again from *.in (needs uv)
	for set in base dev bench; do \
	  uv pip compile requirements/$$set.in $$([ $$set = base ] && echo requirements/build.in) \
	    --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --quiet \
	    --output-file requirements/$$set.txt; done

clean:  ## forget the virtual environment (never the database)
	rm -rf $(VENV) *.egg-info

# A stamp makes the second run quick; a changed lock or project file makes it run again.
$(VENV)/.serve: requirements/base.txt pyproject.toml .ci/python
	@python=$$($(SHELL) .ci/python) && { [ -x $(BIN)/python ] || "$$python" -m venv $(VENV); }
	@echo "Setting up in $(VENV) (a minute, once)"
	@$(PIP) -r requirements/base.txt
	@$(BIN)/python -m pip --disable-pip-version-check --quiet install --no-deps --no-build-isolation --no-index -e .
	@: > $@

$(VENV)/.test: $(VENV)/.serve requirements/dev.txt
	@$(PIP) -r requirements/dev.txt
	@: > $@

$(VENV)/.bench: $(VENV)/.test requirements/bench.txt
	@$(PIP) -r requirements/bench.txt
	@: > $@
