//! What is told by SQLSTATE, as a mapping with the codes as text.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use wire::SqlState;

pub(crate) fn serialize<T: Serialize, S: Serializer>(by: &BTreeMap<SqlState, T>, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(by.iter().map(|(state, of)| (state.as_str(), of)))
}

pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> Result<BTreeMap<SqlState, T>, D::Error> {
    let by = BTreeMap::<String, T>::deserialize(from)?;
    let state = |code: &str| SqlState::from_bytes(code.as_bytes()).ok_or_else(|| D::Error::custom("not a SQLSTATE"));
    by.into_iter().map(|(code, of)| Ok((state(&code)?, of))).collect()
}
