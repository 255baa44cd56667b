# pgdyno: two commands on a fresh machine are `make run` and `make test`.

.DEFAULT_GOAL := build
CARGO ?= cargo
PGDYNO := $(or $(CARGO_TARGET_DIR),target)/release/pgdyno
ADVISORIES := https://github.com/RustSec/advisory-db
TESTED := $(or $(CARGO_TARGET_DIR),target)/debug/pgdyno
# Built with all else: `cargo run -p` and `cargo build -p` would build the dependencies again, with fewer features.
XTASK := $(or $(CARGO_TARGET_DIR),target)/debug/xtask
INVENTED := $(or $(CARGO_TARGET_DIR),target)/debug/examples/invented

# What is tested is built by clippy, as `cargo clippy` checks it: libraries are read once and our own code is checked once.
lint fixtures test test-kills test-kubernetes test-properties: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/scripts/rustc-with-clippy

.PHONY: run
run: build ## Install what is missing, build, run the quick start (PostgreSQL 17 against 18 on embedded servers)
	@# A regression (1) or too little data (4) is an answer, not a failure of make.
	@$(PGDYNO) run || case $$? in 1 | 4) ;; *) exit 1 ;; esac

.PHONY: build
build: setup web ## Build the release binary
	$(CARGO) build --release --locked -p pgdyno

.PHONY: setup
setup: ## Install missing packages (Debian/Ubuntu; prints them when it may not)
	@scripts/setup build

.PHONY: web
web: setup web/dist/report.html ## Build the report viewer that the binary embeds

web/node_modules: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund
	@touch $@

web/dist/report.html: web/node_modules $(shell find web/src web/index.html web/vite.config.ts -type f 2>/dev/null)
	cd web && npm run build
	@touch $@

.PHONY: test
test: setup-test web lint fixtures ## Everything: lint, unit, integration, faults, the report in a browser
	$(XTASK) test $(TESTED)

.PHONY: fixtures
fixtures: web ## Make the reports in web/fixtures, of an invented run, on which the viewer is tested
	$(CARGO) build --locked --workspace --example invented
	$(INVENTED) web/fixtures

.PHONY: test-lab
test-lab: web ## Cause real conditions (as root) and see whether they are found; writes the matrix into docs/lab.md
	@scripts/setup lab
	$(CARGO) test --release --locked -p pgdyno --test lab -- --write

.PHONY: test-lab-of-kinds
test-lab-of-kinds: web ## Conditions drawn from seeds (as root): is the cause of each named? HALF=open (sealed), RESULTS=target/lab-of-kinds.jsonl
	@scripts/setup lab
	$(CARGO) test --release --locked -p pgdyno --test lab_of_kinds -- --half $(or $(HALF),open) \
		--results $(or $(RESULTS),target/lab-of-kinds.jsonl)

.PHONY: test-kills
test-kills: setup-test web ## Kill pgdyno, its supervisors and servers 100 times at random instants and count what is left
	PGDYNO_TEST_KILLS=100 $(CARGO) test --locked --workspace --test it -- --nocapture kills::

.PHONY: test-mcp
test-mcp: web ## Ask `pgdyno mcp` by the protocol's own client library, which is installed into target/tools
	@CARGO="$(CARGO)" scripts/test-mcp

.PHONY: test-shop
test-shop: web ## Capture examples/shop by proxy and by log at once, compare, and replay it; drivers go into target/tools
	@CARGO="$(CARGO)" scripts/test-shop

.PHONY: test-versions
test-versions: web ## The tests that depend on PostgreSQL's version, on 14 to 18 and, as root on Debian, 19: three minutes
	@scripts/setup test
	@CARGO=$(CARGO) scripts/test-versions

.PHONY: catalog
catalog: ## What servers of all versions say of their settings, wait events and statistics, written into crates/catalog/data
	@CARGO=$(CARGO) scripts/test-versions --update

.PHONY: test-kubernetes
test-kubernetes: web ## Servers in Kubernetes, on the current kubeconfig's cluster or on the lab in ../shared/kubelab
	@CARGO=$(CARGO) scripts/test-kubernetes

.PHONY: image
image: build ## Build the image of pgdyno, without a daemon and without root, into target/pgdyno-image.tar
	@scripts/setup image
	@scripts/image $(PGDYNO)

.PHONY: packages
packages: web ## Build every package (.deb, archives, images, krew, Helm, Homebrew) into target/packages; a quarter of an hour
	@scripts/setup packages
	@scripts/packages

.PHONY: test-packages
test-packages: ## Install each package of target/packages into a clean root and run it there (as root; a few minutes)
	@scripts/setup packages
	@scripts/test-packages

.PHONY: site
site: ## Build the documentation as a site into target/site, and look for links that lead nowhere
	@scripts/site

.PHONY: setup-test
setup-test:
	@scripts/setup test
	@# One test needs it, and says so when it is skipped.
	@[ "$$(id -u)" -ne 0 ] || scripts/postgres-with-uring >/dev/null || echo "PostgreSQL with liburing could not be unpacked"

.PHONY: lint
lint: web ## Formatting, clippy, and the project's own rules
	$(CARGO) fmt --all --check
	$(CARGO) build --locked --workspace --all-targets
	$(CARGO) build --locked --workspace --test lab --test lab_of_kinds
	$(XTASK) tidy
	$(XTASK) deny

.PHONY: deny
deny: ## Dependencies by cargo-deny, which is installed if need be: what lint looks at, and the advisories of RustSec
	@$(CARGO) deny --version >/dev/null 2>&1 || $(CARGO) install --locked cargo-deny@0.20.2
	$(CARGO) deny --locked check licenses bans sources
	@# Its advisories are a git repository: no registry has them.
	@if git ls-remote -q $(ADVISORIES) HEAD >/dev/null 2>&1; then $(CARGO) deny --locked check advisories; \
	else echo "advisories: skipped, $(ADVISORIES) cannot be reached"; fi

.PHONY: bench
bench: build ## Ratios beside pgbench and sysbench on one server in one run
	@scripts/setup bench
	$(CARGO) build --release --locked -p load --example floor
	$(CARGO) run --release --locked -q -p xtask -- bench $(PGDYNO)

.PHONY: a-a
a-a: build ## The baseline against itself, 20 short runs: how often does noise look like a change?
	$(CARGO) run --release --locked -q -p xtask -- a-a $(PGDYNO) 20

.PHONY: fuzz
fuzz: ## Fuzz the wire protocol and everything that reads files or SQL for FUZZ_S seconds (600), or FUZZ_TARGET alone
	@scripts/fuzz $(or $(FUZZ_S),600) $(FUZZ_TARGET)

.PHONY: test-properties
test-properties: ## The properties with CASES drawn cases (5000), other ones at each run; make test draws the same few
	PROPTEST_CASES=$(or $(CASES),5000) $(CARGO) test --locked --workspace --lib

.PHONY: clean
clean: ## Remove what the build made
	$(CARGO) clean
	rm -rf web/dist web/fixtures web/node_modules

.PHONY: help
help:
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12
