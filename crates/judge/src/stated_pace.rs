//! How the clients of an imported run come to send their transactions, as its author states it in words of his own:
//! read where plain words decide it, and unknown otherwise.

use plan::quantity;
use results::imported::Imported;

/// How clients come to send their transactions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum StatedPace {
    /// Each waits for its answer, and then for so many milliseconds.
    Closed { thinking_ms: f64 },
    /// At a rate, or in a way that is not understood.
    Other,
}

/// What is stated of it: `think_time: 100 ms` (or `think_time_ms`), `rate` (or `target_rate`), `open_loop`.
pub(crate) fn pace_of_import(imported: &Imported) -> StatedPace {
    if ["rate", "rate_per_s", "target_rate", "offered_rate", "rate_limit", "open_loop"]
        .into_iter()
        .any(|name| stated_value_of_key(imported, name).is_some_and(|text| !states_no_pace(text)))
    {
        return StatedPace::Other;
    }
    let keys =
        [("think_time", "ms"), ("think_time_ms", "ms"), ("think_time_s", "s"), ("thinking", "ms"), ("think", "ms")];
    let stated = keys.iter().find_map(|(key, unit)| Some((stated_value_of_key(imported, key)?, *unit)));
    match stated.filter(|(text, _)| !states_no_pace(text)) {
        None => StatedPace::Closed { thinking_ms: 0.0 },
        Some((text, unit)) => {
            let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
            let (number, own) = text.split_at(end);
            let unit = if own.trim().is_empty() { unit } else { own.trim() };
            let ms = number.parse().ok().zip(quantity::ns_of(unit)).map(|(number, ns): (f64, f64)| number * ns / 1e6);
            ms.map_or(StatedPace::Other, |thinking_ms| StatedPace::Closed { thinking_ms })
        }
    }
}

fn states_no_pace(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    matches!(
        text.as_str(),
        "0" | "0 ms" | "0s" | "none" | "no" | "off" | "false" | "unlimited" | "max" | "closed" | "-"
    )
}

/// What is stated under a key of this last name, of no single target.
pub(crate) fn stated_value_of_key<'a>(imported: &'a Imported, name: &str) -> Option<&'a str> {
    imported
        .stated
        .iter()
        .find(|(key, _)| key.rsplit('.').next() == Some(name) && !key.starts_with("targets."))
        .map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imported(stated: &[(&str, &str)]) -> Imported {
        let stated: std::collections::BTreeMap<&str, &str> = stated.iter().copied().collect();
        let json =
            serde_json::json!({"sources": [], "baseline": "a", "targets": [], "declared": stated, "missing": []});
        serde_json::from_value(json).expect("an import")
    }

    #[test]
    fn a_pace_is_closed_unless_a_rate_or_something_unknown_is_stated() {
        let closed = |thinking_ms| StatedPace::Closed { thinking_ms };
        for (key, text, expected) in [
            ("generator.duration_s", "60", closed(0.0)),
            ("generator.think_time_ms", "100", closed(100.0)),
            ("generator.think_time", "1.5 s", closed(1500.0)),
            ("think_time", "none", closed(0.0)),
            ("think_time", "exponential with a mean of 2 s", StatedPace::Other),
            ("generator.rate", "1000", StatedPace::Other),
            ("generator.rate", "unlimited", closed(0.0)),
            ("generator.open_loop", "true", StatedPace::Other),
        ] {
            assert_eq!(pace_of_import(&imported(&[(key, text)])), expected, "{key}: {text}");
        }
    }
}
