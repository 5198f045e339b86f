# Two commands do all the set-up: `make demo` and `make test`. Both install into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test fuzz lint types check clean

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) torch==2.13.0 -c constraints.txt
	$(PIP) torch==2.13.0 -e '.[dev]' -c constraints.txt
	touch $@

demo: $(VENV)/.installed
	$(BIN)/countercase analyze examples/sudden-fight.json
	@echo
	@echo 'To try it in the browser, run $(BIN)/countercase serve and open the address that it prints.'

# As many processes as are worth their memory, some 4 GB each; the tests of one file stay together.
TEST_WORKERS ?= 2
test: $(VENV)/.installed
	$(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile --no-loadscope-reorder

# FUZZ_SECONDS bounds the time, FUZZ_SEED chooses what is tried.
FUZZ_SECONDS ?= 600
FUZZ_SEED ?= 12
fuzz: $(VENV)/.installed
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_SEED=$(FUZZ_SEED) $(BIN)/python -m pytest tests/fuzz

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed
	$(BIN)/mypy

check: lint types test

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
