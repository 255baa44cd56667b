//! The environment of what a supervisor starts.

use std::collections::BTreeMap;

use crate::environment::Environment;

/// Variables that the server's processes keep from this process.
const VARIABLES: &[&str] = &["PATH", "LD_LIBRARY_PATH", "TZ"];

/// The environment of what a supervisor starts.
pub(super) fn kept_variables(environment: &Environment) -> BTreeMap<String, String> {
    let mut variables: BTreeMap<String, String> = VARIABLES
        .iter()
        .filter_map(|&name| Some((name.to_owned(), environment.nonempty_variable(name)?.to_owned())))
        .collect();
    variables.insert("LC_ALL".to_owned(), "C".to_owned());
    variables
}
