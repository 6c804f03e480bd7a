# The front door. CMake does the building; this file only saves typing, and sees
# to it that what CMake needs is there. `make help` lists what there is to type.
#
#   BUILD=build         where to build
#   PREFIX=/usr/local   where `make install` goes (DESTDIR is honoured)
#   CMAKE_FLAGS=        further options for CMake, such as -DTACIT_SANITIZE=ON

BUILD ?= build
PREFIX ?= /usr/local
CMAKE_FLAGS ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# No jobs of its own: the parallel work is below, in CMake's build and in ctest.
.NOTPARALLEL:
.PHONY: all everything configure demo test test-r test-python test-engines test-workbench check-long bench bench-methods bench-wide bench-risk bench-previous bench-link bench-relink bench-protect bench-ambiguate bench-dependencies bench-lexicon bench-known bench-replace bench-templates bench-techniques bench-scrub bench-arrow bench-engines install uninstall format clean help
.DEFAULT_GOAL := all

all: configure ## the command, at build/tacit (the default)
	@cmake --build $(BUILD) --target command -j $(JOBS) -- --no-print-directory

everything: configure ## the command, the libraries, the tests and the benchmarks
	@cmake --build $(BUILD) -j $(JOBS) -- --no-print-directory

# CMake runs itself again when one of its files changed; here it only starts, or
# starts over with other flags.
configure:
	@scripts/setup.sh build
	@cmake -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) $(CMAKE_FLAGS) >$(BUILD).log 2>&1 \
	  || { cat $(BUILD).log; rm -f $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

# With a seed, so that everybody sees the same tour.
demo: all ## a release made, attacked and explained, on shipped data
	@$(BUILD)/tacit demo --seed 2

# ctest says nothing of a test that skips itself, such as those of data that is not here.
test: everything ## every test
	@scripts/setup.sh test
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)
	@awk '/^\[  SKIPPED \]/ && reason !~ /^\[/ { print "skipped " $$4 ": " reason } { reason = $$0 }' \
	  $(BUILD)/Testing/Temporary/LastTest.log

test-r: all ## the package for R: R CMD check, with its tests, and the R in the documentation
	@scripts/setup.sh r
	@nice scripts/test-r.sh $(BUILD)

# Debian's Python, whose packages setup.sh installs, whatever other one comes first.
PYTHON ?= /usr/bin/python3
test-python: all ## the package for Python: its wheel, types, tests, examples and notebooks
	@scripts/setup.sh python
	@cmake --build $(BUILD) --target tacit_shared -j $(JOBS) -- --no-print-directory
	@PYTHON=$(PYTHON) bindings/python/tests/run.sh $(BUILD)

test-engines: everything ## releases made inside database servers, which it installs, starts and stops
	@scripts/setup.sh engines
	@tests/engines/postgres.sh $(BUILD)
	@tests/engines/shards.sh $(BUILD)
	@tests/engines/clickhouse.sh $(BUILD)
	@tests/engines/odbc.sh $(BUILD)
	@tests/engines/rows.sh $(BUILD)
	@tests/engines/duckdb.sh $(BUILD)
	@tests/engines/inplace.sh $(BUILD)
	@tests/engines/parquet.sh $(BUILD)

test-workbench: all ## the workbench in a real browser, which it installs
	@scripts/setup.sh workbench
	@tests/workbench/run.sh $(BUILD)

check-long: export TACIT_LONG ?= 100
check-long: test ## the tests with TACIT_LONG (100) times as many random instances

bench: everything ## measures speed and memory against `cut` (ROWS="1000000 10000000")
	@bench/run.sh $(BUILD) $(ROWS)

bench-methods: everything ## measures the methods on DATA (../shared/data) and ROWS (10000000) made-up records
	@bench/methods.sh $(BUILD) "$(DATA)" $(ROWS)

bench-wide: everything ## measures `local` on wide tables of DATA (../shared/data) and of ROWS (1000 to 20000) made-up records beside k-member clustering
	@$(BUILD)/bench/bench_wide "$(or $(DATA),../shared/data)" "$(or $(RESULTS),bench/wide.json)" $(ROWS)

bench-risk: everything ## measures `tacit risk` on DATA (../shared/data) and ROWS (1000000) made-up records
	@bench/risk.sh $(BUILD) "$(DATA)" $(ROWS)

bench-link: everything ## measures linking to a register of PEOPLE (10000000) beside `sort` of it
	@bench/link.sh $(BUILD) $(PEOPLE) $(RECORDS)

bench-arrow: everything ## measures ROWS (10000000) made-up records from an Arrow stream beside CSV
	@bench/arrow.sh $(BUILD) $(ROWS)

bench-engines: everything ## measures releases of ROWS ("1000000 3000000") made-up records inside PostgreSQL beside its own CREATE TABLE AS and beside export, release, load
	@scripts/setup.sh engines
	@bench/engines.sh $(BUILD) $(ROWS)

bench-relink: everything ## measures re-linking ROWS (100000) records to their original beside comparing all pairs
	@$(BUILD)/bench/bench_relink $(ROWS)

bench-previous: everything ## measures joining two releases of ROWS (1000000) made-up records beside `sort`
	@bench/previous.sh $(BUILD) $(ROWS)

bench-protect: everything ## measures `tacit protect` on DATA (../shared/data) and on made-up tables of CELLS (1000 to 1000000) cells
	@bench/protect.sh $(BUILD) "$(DATA)" $(CELLS)

bench-ambiguate: everything ## measures blanks by covering on DATA (../shared/data) and ROWS (1000 to 1000000) made-up records
	@$(BUILD)/bench/bench_ambiguate "$(DATA)" $(ROWS)

bench-dependencies: everything ## measures finding functional dependencies on DATA (../shared/data)
	@bench/dependencies.sh $(BUILD) $(DATA)

bench-lexicon: everything ## measures look-ups of words beside hashing them (WORDS=4000000)
	@$(BUILD)/bench/bench_lexicon $(WORDS)

bench-known: everything ## measures known names and postings beside cutting into words (PEOPLE="0 1000 200000")
	@$(BUILD)/bench/bench_known $(PEOPLE)

bench-replace: everything ## measures replacements in text beside hashing it (LETTERS=20000)
	@$(BUILD)/bench/bench_replace $(LETTERS)

bench-templates: everything ## measures finding the shipped templates in TEXT beside memchr
	@$(BUILD)/bench/bench_templates $(TEXT)

bench-techniques: everything ## measures masking of ROWS (1000000) made-up records beside reading them
	@$(BUILD)/bench/bench_techniques $(ROWS)

bench-scrub: everything ## measures `tacit scrub` beside `wc` on DATA (../shared/data/text) or made-up letters
	@bench/scrub.sh $(BUILD) $(DATA)

# As root: the loader's list is made again, or it would not find the library; what was
# built goes back to who owns the sources, who could not build again after `sudo make install`.
install: everything ## headers, libraries, command, man pages and completions under PREFIX
	@cmake --install $(BUILD) && mv $(BUILD)/install_manifest.txt $(BUILD)/installed.txt
	@[ "$$(id -u)" -ne 0 ] || chown -R --from=root --reference=. $(BUILD)
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || PATH=$$PATH:/usr/sbin:/sbin ldconfig

uninstall: ## removes what the last `make install` installed
	@test -f $(BUILD)/installed.txt || { echo "nothing was installed from $(BUILD)"; exit 1; }
	@while read -r file || [ -n "$$file" ]; do rm -fv "$(DESTDIR)$$file"; done <$(BUILD)/installed.txt

format: ## lays out the C files as .clang-format says
	@scripts/setup.sh check
	@git ls-files '*.c' '*.h' '*.cpp' | xargs clang-format-14 -i

clean: ## removes everything that was built
	@rm -rf $(BUILD)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' Makefile
