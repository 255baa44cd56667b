//! The project's own checks and benchmarks: `cargo run -p xtask -- tidy`, `... bench PATH_OF_PGDYNO`.

mod tidy;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["tidy"] => tidy::check(&root),
        _ => {
            eprintln!("usage: xtask tidy");
            ExitCode::from(2)
        }
    }
}
