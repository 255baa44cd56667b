//! `logging`: what the server writes into its log about each transaction, by settings that the other side has not.

use results::log::Severity;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::mend::Mend;
use crate::diagnose::missing::NOT_IN_FILES;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "logging",
        group: CodeGroup::Config,
        detects: "The server logs every transaction because of a setting that the other side does not have, and execution takes longer.",
        reported_if: "A logging setting differs from that of the other side, many more messages are logged per transaction, \
                and execution takes longer beyond chance. The additional latency is no more than these messages can \
                cost.",
        thresholds: &[
            RuleThreshold::at_least("log messages per transaction", MESSAGES, ThresholdUnit::Count),
            RuleThreshold::at_least("the same, relative to the other side", TIMES, ThresholdUnit::Times),
            EXECUTES_LONGER,
            RuleThreshold::at_most("additional latency per message", COSTS_AT_MOST_MS, ThresholdUnit::Milliseconds),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each session formats its messages and waits until the log's pipe or file has accepted them. For a short statement, \
              log_statement = all or log_min_duration_statement = 0 cost more than its execution. log_min_duration_sample and \
              log_transaction_sample_rate log a sample.",
        evidence: "Messages that the server logs per transaction, and the logging settings of both sides.",
        fix: "Log a sample of statements (log_min_duration_sample, log_transaction_sample_rate) instead of all.",
        confirm: "Run the plan again with the other side's logging settings.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "log messages per transaction",
        unit: QuantityUnit::Count,
        of: |case| Ok(written_per_transaction(case)?.messages),
    },
    look: look_for_logging,
};

/// What makes a server write about statements, with what it has to be for none.
const SETTINGS: [(&str, &str); 10] = [
    ("log_statement", "none"),
    ("log_duration", "off"),
    ("log_min_duration_statement", "-1"),
    ("log_min_duration_sample", "-1"),
    ("log_transaction_sample_rate", "0"),
    ("auto_explain.log_min_duration", "-1"),
    ("log_min_messages", "warning"),
    ("log_parser_stats", "off"),
    ("log_executor_stats", "off"),
    ("log_statement_stats", "off"),
];

/// From so many messages of each transaction on: a few transactions of a hundred do not make the mean.
const MESSAGES: f64 = 0.5;

/// So many times as many as on the other side.
const TIMES: f64 = 10.0;

/// A message costs a session so many milliseconds at most: some hundredths, more where many sessions wait for one pipe.
/// What takes longer than all messages has another cause.
const COSTS_AT_MOST_MS: f64 = 0.5;

/// Bytes of a log of which the messages are counted: they are as many in the rest.
const READ_AT_MOST: f64 = 16.0 * 1024.0 * 1024.0;

fn look_for_logging(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        Ok(more_is_written(case, other)?.map(|written| finding_of_logging(case, other, &written)))
    })
}

/// What is written about a transaction.
#[derive(Debug, Clone, Copy)]
struct LogWrites {
    messages: f64,
    bytes: f64,
}

/// What is written here and there, and the settings that make it so here, with what they are on the other side.
struct More {
    here: LogWrites,
    there: LogWrites,
    settings: Vec<(&'static str, String)>,
}

fn more_is_written(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> Result<Option<More>, MissingObservation> {
    // A server that logs what takes long logs more where it is slow: then the log is no cause.
    let settings = unlike_logging_settings(case, other);
    if settings.is_empty() || !case.executes_longer_than(other)? {
        return Ok(None);
    }
    let (here, there) = (written_per_transaction(case)?, written_per_transaction(other)?);
    let is_more = here.messages >= MESSAGES && here.messages >= TIMES * there.messages;
    let longer_ms = case.latency_ms()? - other.latency_ms()?;
    let can_be_the_cause = longer_ms <= COSTS_AT_MOST_MS * here.messages;
    Ok((is_more && can_be_the_cause).then_some(More { here, there, settings }))
}

/// The settings that differ, with what they are on the other side.
fn unlike_logging_settings(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> Vec<(&'static str, String)> {
    let mut unlike = Vec::new();
    for (name, none) in SETTINGS {
        let there = other.setting_value_or(name, none);
        if case.setting_value_or(name, none) != there {
            unlike.push((name, there));
        }
    }
    unlike
}

fn written_per_transaction(case: &DiagnosisCase<'_>) -> Result<LogWrites, MissingObservation> {
    let (mut messages, mut bytes, mut transactions) = (0.0, 0.0, 0.0);
    for measured in case.trials() {
        if let Some(why) = &measured.watched.not_its_own {
            return Err(missing_log_volume(why));
        }
        let log = measured.watched.log.as_ref().ok_or_else(|| missing_log_volume("it was not read"))?;
        let (Some(written), Some(over_us)) = (log.origin.bytes, log.origin.over_us) else {
            return Err(missing_log_volume(log.origin.gaps.first().map_or(NOT_IN_FILES, String::as_str)));
        };
        // Of a failed statement it is written whatever is set.
        let told = log.origin.messages.iter().filter(|(severity, _)| **severity < Severity::Error);
        let told: u64 = told.map(|(_, count)| count).sum();
        messages += told as f64 * (written as f64 / READ_AT_MOST).max(1.0);
        bytes += written as f64;
        // The log is of the warm-up, too, in which as many are completed.
        transactions += measured.load.transactions as f64 * over_us as f64 / 1e6 / length_s(measured);
    }
    match transactions > 0.0 {
        true => Ok(LogWrites { messages: messages / transactions, bytes: bytes / transactions }),
        false => Err(missing_log_volume("no transaction was completed")),
    }
}

fn missing_log_volume(why: &str) -> MissingObservation {
    MissingObservation::new("the volume of the server's log", why)
}

/// How long a trial was measured, the turns of other sides included.
fn length_s(measured: &MeasuredTrial<'_>) -> f64 {
    let seconds = &measured.watched.seconds;
    match (seconds.first(), seconds.last()) {
        (Some(first), Some(last)) => last.end_s() - first.start_s(),
        _ => f64::INFINITY,
    }
}

fn finding_of_logging(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, more: &More) -> CaseFinding {
    let names: Vec<&str> = more.settings.iter().map(|(name, _)| *name).collect();
    let log = if names.len() == 1 { "logs" } else { "log" };
    let as_there: Vec<(&str, &str)> = more.settings.iter().map(|(name, there)| (*name, there.as_str())).collect();
    CaseFinding {
        title: format!(
            "{} {log} {} messages per transaction",
            names.join(", "),
            units::format_count(more.here.messages)
        ),
        kind: FindingKind::Problem,
        // What a message costs is not told apart from the rest of the statement.
        confidence: Confidence::Medium,
        cost: case.cost_in(is_executing),
        figures: figures_of_logging(case, other, more),
        windows: case.all_the_time(),
        chart: case.chart_of_windows(&case.all_the_time(), &[ChartedSeries::Latency]),
        would_disprove: "the same latency with the other side's logging settings".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &as_there,
            "with the other side's logging settings, execution takes as long as there",
        ),
        mend: Mend::with_new_settings(case, &as_there),
    }
}

fn figures_of_logging(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    More { here, there, settings }: &More,
) -> Vec<EvidenceFigure> {
    let name = &other.cell().target;
    let mut figures = vec![
        figure("log messages per transaction", FigureAmount::Count(here.messages)),
        figure(format!("log messages per transaction on {name}"), FigureAmount::Count(there.messages)),
        figure("log bytes per transaction", FigureAmount::Bytes(here.bytes)),
    ];
    figures.extend(
        case.share_of_change(other, is_executing).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    for (setting, there) in settings {
        let here = case.setting_value_or(setting, "default");
        figures.push(figure(*setting, FigureAmount::Text(format!("{here}; {there} on {name}"))));
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Transactions of a trial of a healthy cell, about.
    const TRANSACTIONS: u64 = 48_000;

    /// A log of so many messages of 200 bytes each, of which those are counted that were read.
    fn writes(cell: Measurement, messages: u64) -> Measurement {
        cell.log_of(messages.min(80_000), messages * 200)
    }

    /// Three quarters of the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(3000.0).sees_nothing().sees("active", None, 40)
    }

    fn talkative(cell: Measurement) -> Measurement {
        writes(slow(cell), TRANSACTIONS * 3 / 4 * 2)
    }

    fn quiet(cell: Measurement) -> Measurement {
        writes(cell, 3)
    }

    fn pair() -> Built {
        Built::pair().setting("log_statement", "all").setting("log_duration", "on")
    }

    #[test]
    fn a_log_of_every_statement_is_found_with_the_settings_that_make_it() {
        let found = pair().with_first(quiet).with(talkative).finds(&RULE);
        assert!(found.title.starts_with("log_statement, log_duration log "), "{}", found.title);
        let FigureAmount::Count(messages) = found.figures[0].amount else { panic!("{found:?}") };
        assert!((1.9..2.1).contains(&messages), "{messages}");
        assert_eq!(found.mend.expect("settings").change.in_words(), "log_duration = off, log_statement = none");
        let cut = pair().with_first(quiet).with(|cell| writes(slow(cell), 10 * TRANSACTIONS)).finds(&RULE);
        let FigureAmount::Count(messages) = cut.figures[0].amount else { panic!("{cut:?}") };
        assert!((12.0..14.0).contains(&messages), "{messages}");
    }

    #[test]
    fn settings_without_messages_and_messages_that_are_no_cause_are_fine() {
        pair().with_first(quiet).with(|cell| quiet(slow(cell))).is_fine_for(&RULE);
        // Written by both, by the same settings: what is slow is logged.
        Built::pair().with_first(quiet).with(talkative).is_fine_for(&RULE);
        pair().with_first(talkative).with(talkative).is_fine_for(&RULE);
        pair().with_first(quiet).with(|cell| writes(cell, 2 * TRANSACTIONS)).is_fine_for(&RULE);
        // 99 ms more of each transaction are not of its message.
        let long = |cell: Measurement| writes(cell.throughput(40.0).sees_nothing().sees("active", None, 40), 480);
        pair().with_first(quiet).with(long).is_fine_for(&RULE);
        Built::healthy().setting("log_statement", "all").with(talkative).is_fine_for(&RULE);
    }

    #[test]
    fn a_log_that_cannot_be_read_leaves_it_open() {
        let unread = |cell: Measurement| slow(cell).no_log("permission denied");
        let built = pair().with_first(quiet).with(unread);
        assert_eq!(built.lacks(&RULE), "the volume of the server's log: permission denied");
        let of_all = |cell: Measurement| talkative(cell).not_its_own("of all sides");
        let built = pair().with_first(quiet).with(of_all);
        assert_eq!(built.lacks(&RULE), "the volume of the server's log: of all sides");
    }
}
