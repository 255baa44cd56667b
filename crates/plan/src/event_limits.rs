//! What is required of the events of a plan, for whoever runs it again and again: limits that decide the exit status.

use std::time::Duration;

use serde_json::json;

use super::language::{About, At, Findings, Form, Whole, Yaml, quoted, read_quantity, record};
use super::units::{self, Unreadable};

/// The shortest gap that is told.
const SHORTEST: Duration = Duration::from_millis(10);

record! {
    /// Limits of what follows an event, in every cell.
    #[derive(Copy)]
    pub struct EventLimits = "limits of an event" {
        /// For how long no write may go unacknowledged.
        key write_gap: Option<Duration> as Option<Below> = Absent("any"),
        /// The same of transactions that only read.
        key read_gap: Option<Duration> as Option<Below> = Absent("any"),
        /// From the first connection that is lost to the last one that is made again.
        key error_window: Option<Duration> as Option<Below> = Absent("any"),
        /// Until the throughput is 95 % of that of before.
        key throughput_back: Option<Duration> as Option<Below> = Absent("any"),
        /// Until the p99 is no higher than before.
        key p99_back: Option<Duration> as Option<Below> = Absent("any"),
        /// How many acknowledged commits the trials of a cell may lose, all together.
        key lost: Option<u64> as Option<Whole<0, { u64::MAX }, u64>> = Absent("any"),
    }
}

/// A duration that must not be reached.
pub(crate) struct Below;

impl Form for Below {
    type Value = Duration;

    fn read(findings: &mut Findings, at: &At<'_>) -> Option<Duration> {
        read_quantity(findings, at, |text| {
            let Some(limit) = text.strip_prefix('<') else {
                let hint = format!("write `< {}`", if text.is_empty() { "10s" } else { text });
                return Err(Unreadable { why: "not a limit".to_owned(), hint });
            };
            let limit = units::parse_duration(limit.trim_start())?;
            if limit < SHORTEST {
                let why = "shorter than what can be told from the time between transactions".to_owned();
                return Err(Unreadable {
                    why,
                    hint: format!("write `< {}` or more", units::format_duration(SHORTEST)),
                });
            }
            Ok(limit)
        })
    }

    fn write(value: &Duration) -> Yaml {
        Yaml::Scalar(quoted(&format!("< {}", units::format_duration(*value))))
    }

    fn about() -> About {
        About::new(
            "limit: `<` and a number with `ms`, `s`, `m` or `h`",
            "\"< 10s\"",
            json!({ "type": "string", "pattern": r"^<\s*[0-9]+(\.[0-9]{1,3})?(ms|s|m|h)$" }),
        )
    }
}
