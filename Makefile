# `make help` explains itself. Every target installs what it needs into .venv first.
SHELL := /bin/sh
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DISTRIBUTIONS := shared services/api services/engine services/bots services/history
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Touched when what `make run`, or what everything else needs, is installed.
RUN := $(VENV)/.run
DEV := $(VENV)/.dev

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

install: $(DEV) ## The five distributions and their tools into .venv, hash-checked

# What `make run` needs is a third of what developers need.
$(RUN): requirements/run.lock $(addsuffix /pyproject.toml,$(DISTRIBUTIONS))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=…")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) --require-hashes -r requirements/run.lock
	$(PIP) --no-deps --no-build-isolation $(addprefix -e ./,$(DISTRIBUTIONS))
	@touch $@

$(DEV): requirements/dev.lock $(RUN)
	$(PIP) --require-hashes -r requirements/dev.lock
	@touch $@

run: $(RUN) ## Everything on one machine with an embedded store (PORT=8000 DATA=.data BOTS=1)
	@exec $(BIN)/owntrumps serve --port $(PORT) --data $(DATA) --bots $(BOTS)

test: $(DEV) ## All tests but those of the containers (ARGS=… for pytest)
	$(BIN)/python -m pytest -n $(JOBS) -m "not containers" $(ARGS)

lint: $(DEV) ## ruff, mypy --strict, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(DEV) ## Lay out the code and mend what ruff can mend
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV) ## The measurements under benchmarks/ (ARGS=…)
	$(BIN)/python -m benchmarks $(ARGS)

up: ## The composition in containers (PORT=8000)
	OWNTRUMPS_PORT=$(PORT) deploy/compose up --build --detach
	@echo "Own trumps is at http://127.0.0.1:$(PORT)"

down: ## Stop the composition (its volumes stay)
	deploy/compose down

test-containers: $(DEV) ## Build the images, play a match through the composition, take it down
	$(BIN)/python -m pytest -m containers -o faulthandler_timeout=0 tests/containers $(ARGS)

lock: ## Resolve requirements/*.lock anew (needs uv)
	requirements/lock

clean: ## Remove .venv, caches and built files (the data folder stays)
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
