# Needs make and Python 3.11 or newer; everything else is installed into .venv.

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.installed
DEMO  ?= examples/blast_room.yaml
FLAWED := tests/golden/published/blast_room.yaml
ARGS  ?=

# The first interpreter that is new enough; override with `make PYTHON=/path/to/python`.
PYTHON ?= $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$each" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo "$$each" && break; done)

# Without cached bytecode pytest rewrites every test file on every run, which takes longer than collecting them.
unexport PYTHONDONTWRITEBYTECODE

CHECKED := src tests $(wildcard benchmarks)

.DEFAULT_GOAL := help
.PHONY: help demo run test quick check bench survey corpus format clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(STAMP) ## Verify a record and a flawed one, and create a scenario with the built-in cast (DEMO=path)
	@$(BIN)/im verify $(DEMO)
	@printf '\nThe same room as it was first published, with what the checker finds in it:\n\n'
	@$(BIN)/im verify $(FLAWED) || test $$? -eq 5
	@printf '\nA scenario made by the built-in cast, with no key and no network:\n\n'
	@rm -rf .demo
	@$(BIN)/im create --output .demo

run: demo ## The same as demo

test: $(STAMP) ## Run every test, matrices included (ARGS="-k name" for some)
	@$(BIN)/python -m pytest -n auto --matrix $(ARGS)

quick: $(STAMP) ## Run the tests that belong to what changed, in under a minute
	@PYTHONPATH=tests $(BIN)/python -m support.quick $(ARGS)

check: $(STAMP) ## Check format, lint, types and import contracts
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy $(CHECKED)
	@$(BIN)/lint-imports --no-logo

bench: $(STAMP) ## Run the benchmarks
	@$(BIN)/python -m benchmarks $(ARGS)

survey: $(STAMP) ## Draw from every blueprint with 50 seeds and print what is accepted (minutes)
	@$(BIN)/im blueprint check --seeds 50

corpus: $(STAMP) ## Make 240 scenarios in one run and print the figures (minutes)
	@$(BIN)/python -m benchmarks.corpus 20 $(ARGS)

format: $(STAMP) ## Format the code and apply safe fixes
	@$(BIN)/ruff check --fix-only --exit-zero --quiet .
	@$(BIN)/ruff format .

clean: ## Remove the virtual environment, caches and build output
	@rm -rf $(VENV) build dist .pytest_cache .ruff_cache .mypy_cache .hypothesis .import_linter_cache
	@find src tests $(wildcard benchmarks examples) -type d -name __pycache__ -prune -exec rm -rf {} +

# The build backend comes first and the package is built without isolation, so that it is pinned too.
$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { \
		echo "No Python 3.11 or newer was found. Install one, or name it: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(PYTHON) is not a Python 3.11 or newer, which this project needs. Name another: make PYTHON=/path/to/python" >&2; exit 1; }
	@test -x $(BIN)/pip || "$(PYTHON)" -m venv $(VENV) || { \
		echo "$(PYTHON) could not create a virtual environment; on Debian and Ubuntu install python3-venv." >&2; exit 1; }
	@echo "Installing into $(VENV)" >&2
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -q -c constraints.txt hatchling
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip install -q -c constraints.txt --no-build-isolation -e '.[dev,llm]'
	@touch $@
