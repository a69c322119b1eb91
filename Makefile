# `make run` does the main job, `make test` every test. Both build what they need; a C toolchain is installed if it is missing.

CARGO ?= cargo
JACKPOT := $(CARGO) run --release --locked --quiet --

.PHONY: run test check bench soak build setup setup-redis clean

setup:
	@command -v $(CARGO) >/dev/null || { echo "Rust is needed: https://rustup.rs"; exit 1; }
	@command -v cc >/dev/null || { apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev; }

# Tests run against Redis servers of their own.
setup-redis:
	@command -v redis-server >/dev/null || { apt-get update && apt-get install -y --no-install-recommends redis-server; }

build: setup
	$(CARGO) build --release --locked

# 100 million spins of classic-hits; files in reports/classic-hits.
run: build
	$(JACKPOT) run configs/classic-hits.toml --spins 100M --force

check: setup
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings

test: setup-redis check
	$(CARGO) test --locked

# The published speed figures: a table of ratios, measured in one run.
bench: setup setup-redis
	$(CARGO) bench --locked

# Slow checks: the random games again, many more of them.
soak: setup setup-redis
	PROPTEST_CASES=20000 $(CARGO) test --release --locked --test engine_agreement
	JACKPOT_SOAK=1 $(CARGO) test --locked --test calibration

clean:
	$(CARGO) clean
