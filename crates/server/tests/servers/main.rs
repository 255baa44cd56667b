//! Real servers: started, set, killed in every way, reached rightly and wrongly.
//!
//! This program has three faces: the tests, the supervisor of the servers that they start, and a small host of a
//! server that the tests kill.

mod facts;
mod host;
mod lab;
mod lifetime;
mod local;
mod pairs;
mod routes;
mod scratch;
mod url;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(server::SUPERVISE_ARGUMENT) => server::run_as_supervisor(),
        Some(host::ARGUMENT) => host::main(),
        _ => {
            let trials = [
                local::trials(),
                pairs::trials(),
                lifetime::trials(),
                url::trials(),
                facts::trials(),
                routes::trials(),
                scratch::trials(),
            ];
            let trials: Vec<Trial> = trials.into_iter().flatten().collect();
            libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
        }
    }
}
