# One recipe a line. Everything runs in a virtual environment: .venv, unless VENV says otherwise.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# What `make test` installs and tests: this directory, or a wheel.
PACKAGE ?= .

.PHONY: develop test test-all lint lint-rust lint-python docs bench instructions native wheel

# Install the package in place, with the tools for tests, lint and docs. Again after a change to the Rust code.
develop: $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable . --group test --group lint --group docs

# The tests of the Rust crates that need no Python, then those of the installed package; of large sets of cases a sample.
# A file is tested in one process, so that what its tests share is made once; the browser comes first, for it takes longest.
test: $(BIN)/python
	cargo test --locked --quiet
	$(BIN)/python -m pip install --quiet --group test $(PACKAGE)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest tests --pyargs betacut -n auto --dist loadfile --no-loadscope-reorder

# The same with all cases of those sets.
test-all: export BETACUT_TEST_ALL = 1
test-all: test

lint: lint-rust lint-python

lint-rust:
	cargo fmt --all --check
	cargo clippy --locked --quiet --workspace --all-targets -- -D warnings

# These and the next need what `make develop` installs.
lint-python:
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	# The compiled module lists its names by itself; in the stub their definitions are the list.
	echo betacut._betacut.__all__ | $(BIN)/python -m mypy.stubtest betacut._betacut --allowlist /dev/stdin

docs:
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench:
	$(BIN)/betacut bench
	$(BIN)/betacut bench --exact

# Instructions of a depth-1 node of the exact search; needs valgrind.
instructions:
	cargo bench --locked --quiet --bench frontier

# What is published for Linux, into WHEELS: for glibc 2.17 and later. Two builds of a commit are equal.
WHEELS ?= dist
wheel: $(BIN)/python
	$(BIN)/python -m pip install --quiet "maturin>=1.9.4,<2" ziglang
	PATH="$(abspath $(BIN)):$$PATH" SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	RUSTFLAGS="--remap-path-prefix=$$HOME/.cargo/registry/src=" \
	MATURIN_PEP517_ARGS="--locked --zig --compatibility manylinux2014" \
		$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir $(WHEELS) $(PACKAGE)

# The installed package against a build for the very processor of this machine (Linux).
native:
	PYO3_PYTHON=$(BIN)/python RUSTFLAGS="-C target-cpu=native" \
		cargo build --locked --quiet --release --package betacut-python --target-dir target/native
	$(BIN)/betacut bench --against target/native/release/lib_betacut.so

# `pip install --group` needs pip 25.1.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
