//! What is in the caches of a server when a trial begins, as a plan says it.

use super::language::words;

words! {
    /// What is in the caches when a trial begins.
    Cache {
        AsIs = "as-is", "unchanged from the previous trial";
        Cold = "cold", "empty: the server is restarted and its files are evicted from the page cache; for local servers, and those that may be changed";
        Warm = "warm", "all tables and indexes are loaded, as far as they fit";
    }
}
