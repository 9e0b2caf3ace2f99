# The commands of this project. `make` lists them; each sets up what it needs.

EXTRA ?= $(or $(patsubst .venv/.set-up-%,%,$(firstword $(wildcard .venv/.set-up-*))),cpu)
TORCH_INDEX ?=
PYTHON ?= python3.11 python3.12 python3.13 python3
WORKERS ?= 2
RUNS ?= runs
ARGS ?=

PY := .venv/bin/python
CONSTRAINTS := $(if $(filter gpu12,$(EXTRA)),constraints-gpu12.txt,constraints.txt)
READY := .venv/.set-up-$(EXTRA)
EXPERIMENTS := $(sort $(basename $(notdir $(wildcard configs/exp/*.yaml))))
# Each test process keeps to one thread: two processes with two threads each are slower than one.
ONE_THREAD := OMP_NUM_THREADS=1 MKL_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 NUMBA_NUM_THREADS=1 POLARS_MAX_THREADS=1

.DEFAULT_GOAL := help
.PHONY: help setup ablation test lint types experiments notebooks report bench doctor clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  ARGS='…'           more for the command, as in: make ablation ARGS='dataset=git dataset.path=../my-repo'"
	@echo "  EXTRA=cpu          cpu, gpu (CUDA 13) or gpu12 (CUDA 12); now: $(EXTRA)"
	@echo "  TORCH_INDEX=URL    one more package index, such as that of torch's CPU builds (saves 3 GB without a GPU)"
	@echo "  PYTHON=COMMAND     the Python that makes .venv: 3.11, 3.12 or 3.13"
	@echo "  RUNS=runs          where runs are kept"

setup: $(READY) ## make .venv with everything that the other commands need (about two minutes)

ablation: $(READY) ## run the default ablation, on the built-in simulated agent unless ARGS says otherwise
	$(PY) -m hebb_lab.run +exp=ablation paths.runs=$(RUNS) $(ARGS)

test: $(READY) ## run all tests, the examples in docstrings included
	MPLBACKEND=Agg $(ONE_THREAD) $(PY) -m pytest -n $(WORKERS) --dist worksteal --benchmark-disable $(ARGS)

lint: $(READY) ## check style and formatting
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .

types: $(READY) ## check types
	$(PY) -m mypy

experiments: $(EXPERIMENTS:%=experiment-%) ## run every experiment on its smallest size
	@test -n "$(EXPERIMENTS)" || { echo "No experiment in configs/exp/"; exit 1; }

experiment-%: $(READY) ## run one experiment on its smallest size
	rm -rf build/experiments/$*
	MPLBACKEND=Agg $(PY) -m hebb_lab.run +exp=$* debug=tiny paths.runs=build/experiments $(ARGS)

notebooks: $(READY) ## execute every notebook from top to bottom
	MPLBACKEND=Agg $(PY) -m pytest --nbmake --nbmake-timeout=300 -p no:xdist notebooks $(ARGS)

report: $(READY) ## rebuild leaderboards and figures from the folders in RUNS
	$(PY) -m hebb_lab.report $(RUNS) $(ARGS)

bench: $(READY) ## measure speed and memory against goals and peers; the numbers are kept in .benchmarks/
	@MPLBACKEND=Agg $(PY) -m pytest -m bench -p no:xdist --timeout 0 --benchmark-autosave --benchmark-columns=min,median,max,rounds tests/benchmarks $(ARGS); \
	    status=$$?; $(PY) -m tests.benchmarks.table --print; exit $$status

doctor: $(READY) ## say what this machine can do
	$(PY) -m hebb_lab.doctor $(ARGS)

clean: ## remove .venv, caches and builds; runs and benchmark numbers stay
	rm -rf .venv build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find hebb_lab tests -name __pycache__ -prune -exec rm -rf {} +

# cpu, gpu and gpu12 exclude each other, so another EXTRA starts from an empty environment.
$(READY): pyproject.toml $(CONSTRAINTS)
	@ls .venv/.set-up-* 2>/dev/null | grep -qvx '$@' && rm -rf .venv || true
	@$(PY) -m pip --version >/dev/null 2>&1 || { $(MAKE_VENV); }
	@echo "Installing hebb_lab[$(EXTRA)] and its tools into .venv (about two minutes, 2 GB)"
	@$(PY) -m pip install --quiet --disable-pip-version-check --no-input \
	    -c $(CONSTRAINTS) $(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) -e '.[$(EXTRA),dev,notebooks]'
	@$(PY) -m hebb_lab.doctor --brief  # runs every kernel once, which compiles and keeps it
	@touch $@

# Version managers leave commands that only print an error, so each candidate has to prove itself.
# Where Python came without ensurepip, its own pip fills the environment.
define MAKE_VENV
rm -rf .venv; found=; \
for candidate in $(PYTHON); do \
  if $$candidate -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' >/dev/null 2>&1; \
  then found=$$candidate; break; fi; \
done; \
if [ -z "$$found" ]; then \
  echo "No Python 3.11, 3.12 or 3.13 among: $(PYTHON). Install one, or name it: make setup PYTHON=/path/to/python3.11" >&2; \
  exit 1; \
fi; \
$$found -m venv .venv >/dev/null 2>&1 || { \
  $$found -m venv --clear --without-pip .venv && $$found -m pip --python $(PY) install --quiet pip; \
}
endef
