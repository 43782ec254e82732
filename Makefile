# One recipe a line. Everything runs in a virtual environment: .venv, unless VENV says otherwise.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# What `make test` installs and tests: this directory, or a wheel.
PACKAGE ?= .

.PHONY: develop test test-all test-lowest lint lint-rust lint-python docs bench ladder instructions network native wheel pip

# Install the package in place, with the tools for tests, lint and docs. Again after a change to the Rust code.
develop: pip
	$(BIN)/python -m pip install --quiet --editable . --group test --group lint --group docs

# The tests of the Rust crates that need no Python, then those of the installed package; of large sets of cases a sample.
# A file is tested in one process, so that what its tests share is made once.
test: pip
	cargo test --locked --quiet
	$(BIN)/python -m pip install --quiet --group test $(PACKAGE)
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest tests --pyargs betacut -n auto --dist loadfile --no-loadscope-reorder

# The same with all cases of those sets.
test-all: export BETACUT_TEST_ALL = 1
test-all: test

# The tests of the package beside the lowest releases that it says it works with: VENV=/tmp/lowest make test-lowest
# The lowest matplotlib calls what pyparsing 3.3 gives up.
test-lowest: $(BIN)/python
	$(BIN)/python -m pip install --quiet "uv>=0.7"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --resolution lowest-direct "$(PACKAGE)[plot,notebook,pandas,data,cluster,remote,web]" \
		"pyparsing==3.2.*"
	$(BIN)/uv pip install --quiet --python $(BIN)/python --group test
	$(BIN)/python -m pytest tests --pyargs betacut -n auto --dist loadfile --no-loadscope-reorder

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

# The engine against opponents that never change, Debian's: Stockfish 15.1 by nodes, Ethereal 12 by time if it is there.
# The games of a commit go to target/, and on from there after an interruption.
LADDER = $(BIN)/betacut match --games 100 --seed 1 --resign 700,3 --draw 10,8,40 --pgn target/ladder-$$(git rev-parse --short HEAD)
ladder:
	mkdir -p target
	for nodes in 5000 20000 80000; do \
		$(LADDER)-$$nodes.pgn engine,nodes=200000 uci:/usr/games/stockfish,nodes=$$nodes -c 2 || exit; \
	done
	test ! -x /usr/games/ethereal-chess || \
		$(LADDER)-ethereal.pgn engine uci:/usr/games/ethereal-chess --time 3s+0.03 --margin 0.3 --min-speed 0.7

# Instructions of a depth-1 node of the exact search; needs valgrind.
instructions:
	cargo bench --locked --quiet --bench frontier

# A network from nothing, and its pictures, into NETWORK (docs/network.md). What was stopped goes on with the games it has.
NETWORK ?= network
GAMES ?= 24000
network: $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable ".[plot]"
	cargo build --locked --quiet --release --bin betacut-tune
	mkdir -p $(NETWORK)
	target/release/betacut-tune games --games $(GAMES) --nodes 5000 --soft-nodes 500 --eval none $(NETWORK)/games
	rm -f $(NETWORK)/net.bin
	target/release/betacut-tune train $(NETWORK)/games --out $(NETWORK)/net.bin | tee $(NETWORK)/train.log
	$(BIN)/python examples/draw_network.py $(NETWORK)

# What is published for Linux, into WHEELS: for glibc 2.17 and later. Two builds of a commit are equal.
WHEELS ?= dist
wheel: $(BIN)/python
	$(BIN)/python -m pip install --quiet "maturin>=1.9.4,<2" ziglang
	PATH="$(abspath $(BIN)):$$PATH" SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) \
	RUSTFLAGS="--remap-path-prefix=$$HOME/.cargo/registry/src=" \
	MATURIN_PEP517_ARGS="--locked --zig --compatibility manylinux2014 --compression-level 9" \
		$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir $(WHEELS) $(PACKAGE)

# The installed package against a build for the very processor of this machine (Linux).
native:
	PYO3_PYTHON=$(BIN)/python RUSTFLAGS="-C target-cpu=native" \
		cargo build --locked --quiet --release --package betacut-module --target-dir target/native
	$(BIN)/betacut bench --against target/native/release/lib_betacut.so

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# `pip install --group` needs pip 25.1, which an environment made by hand may lack.
pip: $(BIN)/python
	$(BIN)/python -m pip install --quiet "pip>=25.1"
