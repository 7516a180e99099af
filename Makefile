# Everything runs in .venv, which is made on first use; Python >= 3.11 with venv is all that is needed.
#   make demo    compile and run the examples
#   make test    a few cases of each test; takes about five minutes
#   make test-all    the whole test suite; takes about 20 minutes
#   make lint    style and types
#   make docs    renew the pages that are made from tables
#   make scoreboard  measure every target against the recordings; renews docs/scoreboard.md
#   make sizes   our code beside that of other compilers, and since the last release; renews docs/code-size.md
#   make judges  let programs of others judge what we take and make
#   make speed    measure speed beside other compilers; renews docs/performance.md
#   make ablation  measure what each pass, rewrite, variant and search buys; renews docs/ablation.md
#   make mutants  plant small faults and see which ones no test notices, or with JUDGE=proof no proof
#   make mutants-few  40 of them, of which 85 % must be noticed; takes some two minutes
#   make playground  the compiler as a page that needs no server: build/playground
#   make site    the documentation as a site, with the playground if it is built: build/site
#   make release  sdist and wheel, with the playground's page where npm is there: build/dist
#   make npm     the command for builds without Python, as a package for npm: build/glslc-multi-*.tgz
#   make standalone  an executable for this system that needs no Python: build/standalone/glslc-multi
#   make recipes  for conda, Homebrew and AUR, after `make release`: URL=... of the sdist, HOMEPAGE=...: build/recipes
#   make vsix    the extension for VS Code: build/glslc-multi-*.vsix
#   make fuzz    a million texts to the front end and 50,000 command lines; resumes; its counts go to docs/scoreboard.md
#   make fresh    run generated programs of new seeds, every day others, on all targets
#   make accept  rewrite what tests recorded; review the diff

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
# Every test process loads numpy: two of them use two cores well and spare small machines.
WORKERS ?= 2
JUDGE ?= tests
# Tests start hundreds of processes, which must not compile all that they import, whatever this is set to elsewhere.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo test test-all scoreboard sizes judges judges-ready speed ablation mutants mutants-few playground site release npm try-npm standalone recipes vsix fuzz fresh accept lint format docs clean

help:
	@sed -n 's/^#   //p' Makefile

# The command and what running shaders needs.
$(VENV)/installed: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[run]'
	touch $@

$(VENV)/ready: $(VENV)/installed
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

demo: $(VENV)/installed
	@$(RUN) examples/demo.py

# What is made once for a file of tests is made in one process if that has all of them.
test: $(VENV)/ready
	$(RUN) -m pytest -n $(WORKERS) --dist worksteal --sample

test-all: $(VENV)/ready
	$(RUN) -m pytest -n $(WORKERS) --dist worksteal

scoreboard: $(VENV)/ready
	$(RUN) -m tests.scoreboard

sizes: $(VENV)/ready
	$(RUN) -m tests.codesize.page

judges: $(VENV)/ready
	$(RUN) -m tests.judges --jobs $(WORKERS)

# Fetches and builds them, about 200 MB; tests use those that are ready.
judges-ready: $(VENV)/ready
	$(RUN) -m tests.judges --ready

speed: $(VENV)/ready
	$(RUN) -m benchmarks.speed --write

ablation: $(VENV)/ready
	$(RUN) -m benchmarks.ablation -j $(WORKERS) --write

mutants: $(VENV)/ready
	$(RUN) -m tests.mutants --jobs $(WORKERS) --judge $(JUDGE)

mutants-few: $(VENV)/ready
	$(RUN) -m tests.mutants --jobs $(WORKERS) --count 40 --limit 30 --share 0.85

# Loads Pyodide and CodeMirror by npm.
playground: $(VENV)/installed
	$(RUN) -m glslc_multi.playground.build build/playground

# The playground is its first page, where there is npm to build it.
site: $(VENV)/installed
	$(RUN) -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	@test -d build/playground || ! command -v npm > /dev/null || $(MAKE) playground
	$(RUN) -m website.build build/site

# The same commit makes the same bytes: archives have its time.
release: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)
release: $(VENV)/ready
	rm -rf build/dist glslc_multi/playground/site
	@if command -v npm > /dev/null; then $(RUN) -m glslc_multi.playground.build --page; \
	else echo "npm is missing: the distributions lack the playground's page"; fi
	$(RUN) -m build --no-isolation --outdir build/dist
	$(RUN) -m twine check --strict build/dist/*

npm: $(VENV)/installed
	@command -v npm > /dev/null || { echo "npm is needed to build the package"; exit 1; }
	$(RUN) packaging/npm/build.py build/npm
	cd build && npm pack --silent ./npm

try-npm: npm $(VENV)/ready
	$(RUN) -m pytest tests/packaging/test_npm.py

# For the system that it is made on.
standalone: $(VENV)/installed
	$(RUN) packaging/standalone/build.py build/standalone

recipes: $(VENV)/installed
	$(RUN) packaging/recipes/fill.py build/dist/*.tar.gz $(URL) $(HOMEPAGE) build/recipes

# What packs it comes by npm.
vsix:
	@command -v npm > /dev/null || { echo "npm is needed to pack the extension"; exit 1; }
	mkdir -p build
	cd editors/vscode && npm install --silent --no-audit --no-fund --no-package-lock && npm run --silent package -- --out ../../build/

# A finding of the one does not keep the other from running.
fuzz: $(VENV)/ready
	-nice $(RUN) -m tests.fuzz frontend --count 1000000 --jobs $(WORKERS) --state build/fuzz/frontend.json --findings build/fuzz
	-nice $(RUN) -m tests.fuzz compiler --count 50000 --jobs $(WORKERS) --state build/fuzz/compiler.json --findings build/fuzz
	$(RUN) -m tests.scoreboard robustness

fresh: $(VENV)/ready
	nice $(RUN) -m tests.generated.fresh --jobs $(WORKERS)

# One process: several would write the same file.
accept: $(VENV)/ready
	$(RUN) -m pytest --accept

lint: $(VENV)/ready
	$(RUN) -m ruff check .
	@# A file's encoding is not what a system has by default.
	$(RUN) -m ruff check --preview --select PLW1514 .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy

format: $(VENV)/ready
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .

docs: $(VENV)/ready
	$(RUN) -m glslc_multi.compiler.diagnostics.explain --markdown > docs/diagnostics.md.new
	mv docs/diagnostics.md.new docs/diagnostics.md
	$(RUN) -m glslc_multi.compiler.ir.document --write
	$(RUN) -m tests.frontends.glsl.reference.diagram
	$(RUN) -m glslc_multi.compiler.passes.rules.document --write
	$(RUN) -m tests.conformance.write_cases
	$(RUN) -m glslc_multi.report.target_page
	$(RUN) -m glslc_multi.report.texture_page --write
	$(RUN) -m glslc_multi.report.reflection_page --write
	$(RUN) -m glslc_multi.cli.manual > docs/glslc-multi.1.new
	mv docs/glslc-multi.1.new docs/glslc-multi.1
	$(RUN) -m glslc_multi --completion bash > docs/completions/glslc-multi.bash
	$(RUN) -m glslc_multi --completion zsh > docs/completions/_glslc-multi
	$(RUN) -m glslc_multi --completion fish > docs/completions/glslc-multi.fish
	$(RUN) -m benchmarks.theia_functions --write
	$(RUN) -m glslc_multi.editor.textmate
	$(RUN) -m tests.architecture.picture

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
