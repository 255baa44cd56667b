//! Builds PostgreSQL's scanner and parser from `libpg_query`, and the few functions through which Rust calls them.

use std::path::{Path, PathBuf};

fn main() {
    let sources = Path::new("libpg_query");
    let mut files = c_files(&sources.join("src/postgres"));
    files.extend(["src/pg_query_fingerprint.c", "vendor/xxhash/xxhash.c"].map(|file| sources.join(file)));
    files.push("shim/shim.c".into());
    let mut build = cc::Build::new();
    build.files(&files).include("shim").include(sources);
    for directory in ["src", "vendor", "src/postgres/include", "src/include"] {
        build.include(sources.join(directory));
    }
    // The sources are PostgreSQL's: their warnings are not ours. Optimised also in tests, where a debug build of the
    // parser would be most of their time.
    build.warnings(false).opt_level(2).flag_if_supported("-fno-strict-aliasing").flag_if_supported("-fwrapv");
    build.compile("pgdyno_pg_query");
    println!("cargo:rerun-if-changed=libpg_query");
    println!("cargo:rerun-if-changed=shim");
}

/// The C files of a directory in the order of their names.
fn c_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("libpg_query is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files
}
