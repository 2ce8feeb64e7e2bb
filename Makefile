# `make help` explains itself. Every target installs what it needs into .venv first.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DISTRIBUTIONS := shared services/api services/engine services/bots services/history
STAMP := $(VENV)/.installed

PORT ?= 8000
DATA ?= .data
BOTS ?= 1
# Arguments for pytest, for example: make test ARGS="tests/rules -k trumps"
ARGS ?=
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help install run test lint format bench up down clean lock test-containers

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## The five distributions and their tools into .venv, hash-checked

$(STAMP): requirements/dev.lock $(addsuffix /pyproject.toml,$(DISTRIBUTIONS))
	@test -x $(BIN)/python || $(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation $(addprefix -e ./,$(DISTRIBUTIONS))
	@touch $@

run: $(STAMP) ## Everything on one machine with an embedded store (PORT=8000 DATA=.data BOTS=1)
	@exec $(BIN)/owntrumps serve --port $(PORT) --data $(DATA) --bots $(BOTS)

test: $(STAMP) ## All tests but those of the containers (ARGS=… for pytest)
	$(BIN)/python -m pytest -n $(JOBS) -m "not containers" $(ARGS)

lint: $(STAMP) ## ruff, mypy --strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(STAMP) ## Lay out the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(STAMP) ## The measurements under benchmarks/ (ARGS=…)
	$(BIN)/python -m benchmarks $(ARGS)

up: ## The composition in containers (PORT=8000)
	OWNTRUMPS_PORT=$(PORT) deploy/compose up --build --detach

down: ## Stop the composition (its volumes stay)
	deploy/compose down

test-containers: $(STAMP) ## Build the images, play a match through the composition, take it down
	$(BIN)/python -m pytest -m containers tests/containers $(ARGS)

lock: ## Resolve requirements/*.lock anew (needs uv)
	requirements/lock

clean: ## Remove .venv, caches and built files (the data folder stays)
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
