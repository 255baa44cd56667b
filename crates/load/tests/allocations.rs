//! In steady state a transaction allocates nothing.

#[path = "engine/server.rs"]
#[expect(dead_code, reason = "the fixture serves the engine's other tests as well")]
mod server;

use load::{Event, Job, QueryMode, Script, Stop, Weighted};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::num::NonZeroU32;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Allocations that a second may cost whatever happens in it: its report passes through channels, which allocate now and
/// then.
const PER_SECOND: usize = 40;

#[test]
fn allocations_do_not_grow_with_transactions() {
    let postgres = server::shared();
    let database = postgres.pgbench_database();
    for (mode, script) in [
        (QueryMode::Prepared, "select-only"),
        (QueryMode::Extended, "select-only"),
        (QueryMode::Simple, "simple-update"),
    ] {
        let job = Job {
            server: postgres.unix(&database),
            scripts: vec![Weighted::one(Script::builtin(script).expect("a built-in"))],
            mode,
            clients: NonZeroU32::new(4).expect("not zero"),
            threads: NonZeroU32::new(2).expect("not zero"),
            warm_up: Duration::from_secs(2),
            measure: Duration::from_secs(3),
            seed: 1,
            scale: 1,
        };
        let mut seconds = Vec::with_capacity(8);
        load::run(&job, &Stop::new(), &mut |event| {
            if let Event::Second(second) = event {
                seconds.push((second.scripts[0].latency.count(), ALLOCATOR.stats().allocations));
            }
        })
        .expect("it runs");
        // Of the steady state: the second, third and fourth second, each against the one before it.
        let steady: Vec<(u64, usize)> =
            seconds[..4].windows(2).map(|pair| (pair[1].0, pair[1].1 - pair[0].1)).collect();
        for (transactions, allocations) in &steady {
            assert!(*allocations <= PER_SECOND, "{script} {mode:?}: {steady:?}");
            assert!(
                *transactions > 2 * PER_SECOND as u64,
                "too few transactions to tell: {script} {mode:?}: {steady:?}"
            );
        }
    }
}
