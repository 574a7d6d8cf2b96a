# The words of this project. `make help` lists them; CI runs the same ones.
# Needs Python 3.11 or newer, a C++20 compiler and make; the rest goes into .venv.

PYTHON ?= python3
BIN := .venv/bin
CORE := $(shell find core -name '*.h' -o -name '*.cpp') CMakeLists.txt pyproject.toml
JOBS ?= auto

# What `make debug` runs: the tests that work the core hardest.
DEBUG_TESTS ?= tests/test_contract.py tests/test_minimal_game.py tests/test_fuzz.py tests/games tests/search tests/solve \
  tests/agents

# What `make sanitize` runs besides: whatever else of the core Python can reach.
LEARN_TESTS := self_play networks network_agents guided_search exercises targets school
SANITIZE_TESTS ?= $(DEBUG_TESTS) $(LEARN_TESTS:%=tests/learn/test_%.py)
# For `make fuzz`: how many inputs every parser gets, and which parsers (none named: all).
INPUTS ?= 1000000
TARGETS ?=

.PHONY: help demo serve test lint format notebooks docs wheels bench storm build debug threads sanitize fuzz engines browser database clean
.DEFAULT_GOAL := help

help: ## list these words
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | awk -F'\t' '{printf "  make %-8s %s\n", $$1, $$2}'

demo: .venv/.built ## a network learns Hex in about a minute; says what to try next
	@$(BIN)/ludus demo

serve: .venv/.built ## the page in the browser: play, review, watch it learn, lessons
	@$(BIN)/ludus serve

test: .venv/.built .venv/.dev engines browser database ## every check and test
	$(MAKE) --no-print-directory lint
	$(BIN)/python -m pytest -n $(JOBS)

lint: .venv/.built .venv/.dev ## ruff, mypy --strict, clang-format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(filter core/%,$(CORE))

format: .venv/.dev ## let the formatters settle the layout
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(filter core/%,$(CORE))

notebooks: .venv/.built .venv/.dev ## run the notebooks again and keep their outputs
	$(BIN)/python notebooks/run.py

docs: .venv/.dev ## the documentation site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build
	@echo "python3 -m http.server --directory build/site shows it, with its search"

wheels: .venv/.dev ## the wheel and the source distribution, built and tried in fresh environments
	$(BIN)/python .ci/wheels.py --extras --demo

bench: .venv/.built .venv/.dev ## measure speed against OpenSpiel, in one run
	$(BIN)/ludus bench rollouts --against openspiel
	$(BIN)/ludus bench mcts --against openspiel --simulations 1000
	$(BIN)/ludus bench alphabeta --against openspiel
	$(BIN)/ludus bench copies

storm: .venv/.built .venv/.dev ## kill training, tournament and servers a hundred times each; goes on where it was
	$(BIN)/python experiments/storm.py $(STORM)

build: .venv/.built ## make .venv and compile the core

debug: .venv-debug/.built ## compile the core with its asserts on, and run the tests of rules and searches
	.venv-debug/bin/python -m pytest -n $(JOBS) $(DEBUG_TESTS)

threads: build/threads/sanitized ## what has threads in the core, without Python, under the thread sanitizer
	$(UNSHUFFLED) build/threads/sanitized

sanitize: threads .venv-sanitize/.built ## the core under the address, undefined-behaviour and thread sanitizers
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libubsan.so)" \
	  ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  .venv-sanitize/bin/python -m pytest -n $(JOBS) $(SANITIZE_TESTS)

fuzz: .venv/.built .venv/.dev ## a million inputs for every parser, led by coverage; goes on where it was stopped
	$(BIN)/python -m tests.fuzz $(TARGETS) --inputs $(INPUTS)

# Installs Debian packages, if that may be done here: $(call install,packages,what is missing without them)
define install
  export DEBIAN_FRONTEND=noninteractive; as=$$([ "$$(id -u)" = 0 ] || echo sudo -n); \
  get="$$as apt-get install -y -q --no-install-recommends $(1)"; \
  { $$get || { $$as apt-get update -q && $$get; }; } >/dev/null 2>&1 || \
  echo "$(2) cannot be installed here; the tests that need it are skipped"
endef

engines: ## engines of others to test against, if Debian's packages may be installed here
	@PATH="$$PATH:/usr/games"; command -v gnugo >/dev/null && command -v gtp-rhino >/dev/null || { \
	  $(call install,gnugo grhino,GNU Go or GRhino); }

browser: ## Chromium, in which the pages are tested, if Debian's package may be installed here
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  $(call install,chromium fonts-dejavu-core,Chromium); }

database: ## PostgreSQL, which the tournament server is tested with, if Debian's package may be installed here
	@command -v pg_ctl >/dev/null || ls /usr/lib/postgresql/*/bin/pg_ctl >/dev/null 2>&1 || { \
	  $(call install,postgresql,PostgreSQL); }

clean: ## remove .venv and everything that was built
	rm -rf .venv .venv-debug .venv-sanitize build src/ludus/_core.pyi

.venv/.made: constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Ludus needs Python 3.11 or newer; say which with: make PYTHON=/path/to/python3.11"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt scikit-build-core nanobind cmake ninja
	@touch $@

# The editable install knows the modules by name, so it is made again when one is added or moved.
.venv/.modules: .venv/.made FORCE
	@find src -name '*.py' | sort | cmp -s - $@ || find src -name '*.py' | sort > $@

FORCE:

.venv/.built: .venv/.made .venv/.modules $(CORE)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --no-build-isolation \
	  -C cmake.define.LUDUS_NATIVE=ON -e '.[learn,web,oht]'
	@touch $@

.venv/.dev: .venv/.built pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt \
	  'ludus[dev]'
	@touch $@

# A build with asserts has a .venv of its own, which borrows everything but Ludus from the first one:
# $(call build_checked,.venv,folder of the build,more settings)
define build_checked
  $(BIN)/python -m venv --without-pip $(1)
  @$(BIN)/python -c 'import site; print(site.getsitepackages()[0])' > \
    "$$($(1)/bin/python -c 'import site; print(site.getsitepackages()[0])')/borrowed.pth"
  PATH="$(abspath $(BIN)):$$PATH" $(1)/bin/python -m pip install --quiet --disable-pip-version-check \
    --no-build-isolation --no-deps --ignore-installed -C cmake.build-type=Debug -C build-dir=$(2) \
    -C cmake.define.LUDUS_NATIVE=ON $(3) -e .
  @touch $(1)/.built
endef

.venv-debug/.built: .venv/.dev .venv/.modules $(CORE)
	$(call build_checked,.venv-debug,build/debug)

.venv-sanitize/.built: .venv/.dev .venv/.modules $(CORE)
	$(call build_checked,.venv-sanitize,build/sanitize,-C cmake.define.LUDUS_SANITIZE=address$(,)undefined)

# The thread sanitizer wants the addresses of programs not to be shuffled more than it knows.
UNSHUFFLED := $(if $(shell command -v setarch),setarch -R)
, := ,

build/threads/sanitized: core/tests/threads.cpp $(CORE)
	@mkdir -p $(@D)
	$(CXX) -std=c++20 -O1 -g -fsanitize=thread -ffp-contract=off -Wno-psabi -I core -pthread \
	  core/tests/threads.cpp core/network/network.cpp -o $@
