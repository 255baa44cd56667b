//! pgdyno.
fn main() {}
