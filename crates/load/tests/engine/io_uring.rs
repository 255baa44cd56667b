//! What depends on the way of talking to the kernel, once more on `io_uring`, and what is its own.

use crate::server::shared;
use crate::{BACKEND, job, run, script};
use load::{EngineJob, IoBackend, LoadError};
use std::num::NonZeroU32;

macro_rules! once_more_on_io_uring {
    ($($module:ident { $($test:ident)* })*) => {
        $($(
            #[test]
            fn $test() {
                if is_there() {
                    BACKEND.set(IoBackend::IoUring);
                    crate::$module::$test();
                }
            }
        )*)*
    };
}

once_more_on_io_uring! {
    failover {
        clients_go_on_on_the_standby_that_was_promoted_when_the_primary_is_gone
        a_session_that_falls_silent_is_an_outage_since_the_start_of_its_transaction
    }
    faults {
        a_server_that_crashes_and_comes_back_is_an_outage_and_the_run_ends_on_time
        a_server_that_never_comes_back_does_not_hold_up_the_run
        a_session_that_is_terminated_is_an_outage_with_the_servers_reason
        what_is_still_running_long_after_the_end_is_cancelled_on_the_server
        a_server_that_stops_answering_does_not_hold_up_the_run
        a_server_that_breaks_the_protocol_is_an_outage_and_is_given_another_chance
    }
    login {
        every_way_to_log_in_works_over_unix_and_tcp
        more_clients_than_the_server_takes_end_the_run_before_it_begins
        nobody_there_is_a_refused_connection
        what_is_no_postgresql_is_called_so
    }
    pace {
        an_open_loop_leaves_as_many_rows_as_it_says
        a_number_of_transactions_is_kept_to_exactly
    }
    results {
        the_measured_seconds_add_up_to_the_summary_and_the_warm_up_is_not_in_it
        a_stop_lets_the_second_under_way_finish_and_is_told
        clients_are_never_idle_so_that_littles_law_holds
    }
    scripts {
        the_server_counts_as_many_transactions_as_the_engine_in_every_mode
        copy_without_rows_fails_and_the_client_goes_on
        rows_are_copied_in_both_directions_whatever_their_size
        results_and_statements_larger_than_any_buffer_pass
        the_same_seed_asks_for_the_same_rows_as_pgbench_with_it
    }
    turns {
        each_client_of_each_side_asks_for_the_same_in_the_same_order_as_alone
        tally_and_ledger_are_each_sides_own_also_on_one_server
        a_server_that_crashes_and_comes_back_loses_its_turns_and_the_other_side_goes_on
    }
}

/// Whether this kernel has `io_uring` and lets us use it.
fn is_there() -> bool {
    let postgres = shared();
    let attempt = EngineJob { backend: IoBackend::IoUring, ..job(postgres.unix("postgres"), script("SELECT 1;")) };
    match run(&attempt) {
        Err(LoadError::System { action: "use io_uring", source }) => {
            eprintln!("skipped: io_uring cannot be used here: {source}");
            false
        }
        outcome => {
            assert_eq!(outcome.expect("the run is made").backend, "io_uring");
            true
        }
    }
}

#[test]
fn left_to_itself_the_engine_takes_epoll_for_few_clients_and_io_uring_for_many() {
    let (postgres, io_uring) = (shared(), is_there());
    let one_thread = |clients| EngineJob {
        backend: IoBackend::Auto,
        clients: NonZeroU32::new(clients).expect("not zero"),
        threads: NonZeroU32::MIN,
        ..job(postgres.unix("postgres"), script("SELECT 1;"))
    };
    assert_eq!(run(&one_thread(1)).expect("it runs").backend, "epoll");
    assert_eq!(run(&one_thread(20)).expect("it runs").backend, if io_uring { "io_uring" } else { "epoll" });
}
