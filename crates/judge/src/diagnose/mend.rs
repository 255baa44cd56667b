//! What would take a cause away and may stay: settings of PostgreSQL, values of the kernel. An experiment that only
//! shows whether the cause is the cause (autovacuum off, an hour without a checkpoint) is none.

use std::collections::BTreeMap;

use plan::quantity::{setting_bytes, setting_seconds};
use results::probe_fields::pg_wal;
use results::tuning::SettingsChange;

use super::case::DiagnosisCase;

/// A change that may stay.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mend {
    /// What is set.
    pub change: SettingsChange,
    /// What is given up for it; absent where nothing is.
    pub gives_up: Option<GivesUp>,
}

/// Durability that is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GivesUp {
    /// The setting, which a plan has to name in `may_risk`.
    pub setting: plan::Risk,
    /// What may be lost, as a sentence without a period.
    pub what: &'static str,
}

/// Never more WAL than this: it has to fit a disk, and a crash has to read it.
const WAL_AT_MOST: u64 = 64 << 30;

/// Checkpoints come so many seconds apart: what people who run large servers set, and a crash costs minutes.
const APART_S: f64 = 900.0;

impl Mend {
    /// Sizes of PostgreSQL raised to so many bytes; `None` where all of them are so large already.
    pub fn with_raised_sizes(case: &DiagnosisCase<'_>, sizes: &[(&str, u64)]) -> Option<Self> {
        let raised = sizes.iter().filter(|(name, bytes)| {
            let now = case.server_setting(name).ok().and_then(|setting| setting_bytes(&setting.value));
            now.is_none_or(|now| now < *bytes)
        });
        Self::from_settings(raised.map(|(name, bytes)| ((*name).to_owned(), format_size(*bytes))).collect())
    }

    /// Settings of PostgreSQL; `None` where all of them are so already.
    pub fn with_new_settings(case: &DiagnosisCase<'_>, settings: &[(&str, &str)]) -> Option<Self> {
        let other = settings
            .iter()
            .filter(|(name, value)| case.server_setting(name).map_or(true, |setting| setting.value != *value));
        Self::from_settings(other.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    fn from_settings(settings: BTreeMap<String, String>) -> Option<Self> {
        (!settings.is_empty())
            .then(|| Self { change: SettingsChange { settings, ..SettingsChange::default() }, gives_up: None })
    }

    /// Room for the WAL of two checkpoints that are so many seconds apart, at the rate at which it is written; no more
    /// than half of what is free where the WAL lies, if that is known.
    pub fn wal_for(case: &DiagnosisCase<'_>, seconds: f64) -> Option<u64> {
        let bytes = case.counter_rate_per_s(pg_wal::BYTES).ok()? * seconds * 2.0;
        let wanted = (bytes as u64).next_power_of_two().clamp(1 << 30, WAL_AT_MOST);
        let host = case.server_host().ok();
        let disk = host.and_then(|host| host.wal_disk.as_ref().or(host.data_disk.as_ref()));
        Some(disk.map_or(wanted, |disk| wanted.min(power_of_two_below(disk.free_bytes / 2))))
    }

    /// Checkpoints of which one is done before the next one is due, and which come by time: what is written at each
    /// of them, pages and whole pages of WAL, is written less often.
    pub fn checkpoints_apart(case: &DiagnosisCase<'_>) -> Option<Self> {
        let mut mend =
            Self::with_raised_sizes(case, &[("max_wal_size", Self::wal_for(case, APART_S)?)]).unwrap_or_default();
        let apart_s =
            case.server_setting("checkpoint_timeout").ok().and_then(|setting| setting_seconds(&setting.value));
        if apart_s.is_none_or(|apart_s| apart_s < APART_S) {
            mend.change.settings.insert("checkpoint_timeout".to_owned(), format!("{}min", APART_S / 60.0));
        }
        Self::from_settings(mend.change.settings)
    }

    /// The same, at the price of something.
    pub fn at_the_price_of(self, setting: plan::Risk, what: &'static str) -> Self {
        Self { gives_up: Some(GivesUp { setting, what }), ..self }
    }
}

/// A size as PostgreSQL writes it, rounded up.
fn format_size(bytes: u64) -> String {
    match bytes {
        whole if whole.is_multiple_of(1 << 30) => format!("{}GB", whole >> 30),
        other => format!("{}MB", other.div_ceil(1 << 20)),
    }
}

/// The largest power of two that is not above a number; 0 of 0.
fn power_of_two_below(number: u64) -> u64 {
    number.checked_ilog2().map_or(0, |exponent| 1 << exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn what_is_large_enough_is_not_raised() {
        let built = Built::healthy().setting("max_wal_size", "4GB").setting("wal_recycle", "on");
        built.of_last(|case| {
            let raised = Mend::with_raised_sizes(case, &[("max_wal_size", 8 << 30), ("shared_buffers", 1 << 20)]);
            assert_eq!(raised.expect("one is too small").change.in_words(), "max_wal_size = 8GB, shared_buffers = 1MB");
            assert_eq!(Mend::with_raised_sizes(case, &[("max_wal_size", 1 << 30)]), None);
            assert_eq!(Mend::with_new_settings(case, &[("wal_recycle", "on")]), None);
        });
    }

    #[test]
    fn sizes_are_written_as_postgresql_reads_them() {
        assert_eq!([1 << 30, (1 << 30) + 1, 300 << 20].map(format_size), ["1GB", "1025MB", "300MB"]);
    }
}
