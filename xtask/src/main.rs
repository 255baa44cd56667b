//! The project's own checks and benchmarks.

mod a_a;
mod bench;
mod deny;
mod map;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: xtask tidy
       xtask map                                             the code in numbers, as ARCHITECTURE.md has them
       xtask deny                                            licences, duplicates and sources of dependencies, as deny.toml has them
       xtask test PGDYNO                                     every test, several programs at once
       xtask it ARGUMENTS                                    the tests of pgdyno as a whole, built as `test` builds them
       xtask bench PGDYNO [cpu|floor|instructions|connections|agreement|set-up|report|observer|observer=CLIENTS|import|import=MIB|capture|capture=MIB|proxy|replay|audit|audit=ROWS|own-load-a-a=REPLAYS|turns|turns=QUESTION|generators|kubernetes=IMAGE]...
                                                             ratios beside pgbench and sysbench; QUESTION is one of
                                                             width, a-a, effects, starts, writes, with :RUNS or without;
                                                             beside it kept=FILE goes on with what that file has, and
                                                             no block of it begins after minutes=MINUTES
       xtask a-a PGDYNO RUNS                                 the baseline against itself, so many times";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // The servers of the benchmark are supervised by this program, as pgdyno's are by pgdyno.
        [first, ..] if *first == server::SUPERVISE_ARGUMENT => server::run_as_supervisor(),
        // The generators of the benchmark are simulated by this program.
        [bench::SIMULATED_GENERATOR, directory, seconds] => match seconds.parse() {
            Ok(seconds) => bench::simulate_generator(Path::new(directory), seconds),
            Err(_) => usage(),
        },
        ["tidy"] => tidy::check(&root),
        ["deny"] => deny::check(&root),
        ["map"] => map::print(&root),
        ["test", pgdyno] => test::run(&root, Path::new(pgdyno)),
        ["it", arguments @ ..] => test::it(&root, arguments),
        ["bench", pgdyno, parts @ ..] => match bench::Parts::parse(parts) {
            Some(parts) => bench::run(Path::new(pgdyno), &parts),
            None => usage(),
        },
        ["a-a", pgdyno, runs] => match runs.parse() {
            Ok(runs) => a_a::run(Path::new(pgdyno), &root, runs),
            Err(_) => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}
