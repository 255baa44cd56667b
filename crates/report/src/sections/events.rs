//! What followed the events of the plan: sentences for people, figures for programs, and the curves that a page draws.

use judge::Judgement;
use judge::events::{
    Commits, EventCurve, EventFigure, EventOver, EventSeen, FigureOver, HeldUp, Limit, Required, STEP_S,
};
use judge::required::Compliance;
use judge::units;
use results::trial::FailoverStep;
use schemars::JsonSchema;
use serde::Serialize;
use stats::Estimate;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, PageChart, ReportSection, SectionBlock, Showing,
    TableCell, TableKind,
};
use crate::required::ComplianceData;

const EXPLANATION: &str = "Each line is a trial. The vertical line is the instant of the request for the event. Each bar below is \
                           the gap of one block, in which no transaction was acknowledged.";

/// The curves of one event in the trials of one cell.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct EventData {
    /// Target.
    pub target: String,
    /// Workload.
    pub workload: String,
    /// Number of clients.
    pub clients: Option<u32>,
    /// Its name in the plan.
    pub event: String,
    /// Its planned instant, in seconds of the measurement.
    pub planned_s: f64,
    /// The throughput around it, by trial.
    pub around: Vec<AroundData>,
    /// The length of an interval of these curves in seconds.
    pub step_s: f64,
}

/// The throughput of a trial around an event.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AroundData {
    /// The trial.
    pub trial: u32,
    /// Its block.
    pub block: u32,
    /// The start of the first interval, in seconds since the request for the event.
    pub from_s: f64,
    /// Transactions acknowledged per second, by interval.
    pub per_s: Vec<f64>,
    /// Start and end of the gap that decides, in the same seconds. The end is absent if the gap did not end.
    pub gap_s: Option<(f64, Option<f64>)>,
}

/// The curves of all events.
pub(crate) fn event_data(judgement: &Judgement) -> Vec<EventData> {
    let mut events = Vec::new();
    for over in &judgement.events {
        events.push(EventData {
            target: over.cell.target.clone(),
            workload: over.cell.workload.clone(),
            clients: over.cell.clients.known_count(),
            event: over.event.clone(),
            planned_s: over.planned_s,
            around: over.seen.iter().filter_map(curve_around_event).collect(),
            step_s: STEP_S,
        });
    }
    events
}

fn curve_around_event(seen: &EventSeen) -> Option<AroundData> {
    let EventCurve { from_s, per_s } = seen.around.as_ref()?;
    // More digits than a hair's breadth would only make the report larger.
    let per_s = per_s.iter().map(|per_s| (per_s * 10.0).round() / 10.0).collect();
    Some(AroundData { trial: seen.trial, block: seen.block, from_s: *from_s, per_s, gap_s: seen.gap_s })
}

/// A figure of an event in a cell a row, which people read in sentences.
pub(crate) static TABLE: TableKind = TableKind {
    name: "events",
    about: "Figures of the events of the plan",
    columns: &[
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("target", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_programs("event", Holds::Words),
        DocumentColumn::for_programs("figure", Holds::Words),
        DocumentColumn::for_programs("unit", Holds::Words),
        DocumentColumn::for_programs("mean", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::for_programs("low", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::for_programs("high", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::for_programs("trials", Holds::Count),
    ],
};

/// The sentences on each event with its curves; none where the plan has no events.
pub(crate) fn events_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.events.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    let mut rows = Vec::new();
    for (index, over) in judgement.events.iter().enumerate() {
        blocks.push(SectionBlock::List {
            title: event_heading(over),
            items: event_sentences(over),
            showing: Showing::Everywhere,
        });
        if over.seen.iter().any(|seen| seen.around.is_some()) {
            blocks.push(SectionBlock::Chart(PageChart::Event(index)));
        }
        rows.extend(rows_of_event(over));
    }
    blocks.push(SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows)));
    Some(ReportSection {
        id: "events",
        title: "Events (means over the trials, with 95 % intervals)".to_owned(),
        blocks,
    })
}

/// Its figures, the parts of its gap, and the steps of its cluster.
fn rows_of_event(over: &EventOver) -> Vec<DocumentRow> {
    let row = |figure: String, unit: &str, mean: Option<f64>, estimate: Option<Estimate>, trials: usize| {
        let [low, high] = match estimate {
            Some(Estimate { interval, .. }) => [TableCell::Figure(interval.low), TableCell::Figure(interval.high)],
            None => [TableCell::Missing, TableCell::Missing],
        };
        DocumentRow::from_cells(vec![
            TableCell::from_words(&over.cell.workload),
            TableCell::from_words(&over.cell.target),
            TableCell::optional_count(over.cell.clients.known_count()),
            TableCell::from_words(&over.event),
            TableCell::Words(figure),
            TableCell::from_words(unit),
            mean.map_or(TableCell::Missing, TableCell::Figure),
            low,
            high,
            TableCell::Count(trials as u64),
        ])
    };
    let mut rows = Vec::new();
    for figure in &over.figures {
        rows.push(row(figure.figure.name().to_owned(), figure.figure.unit(), figure.mean, figure.estimate, figure.of));
    }
    for part in &over.parts {
        rows.push(row(
            format!("part: {}", part.until.in_words()),
            "s",
            Some(part.mean_s),
            part.estimate,
            over.seen.len(),
        ));
    }
    for step in &over.steps {
        rows.push(row(
            format!("step: {}", step_word(step.step)),
            "s",
            Some(step.mean_s),
            step.estimate,
            over.seen.len(),
        ));
    }
    rows
}

/// What the plan requires of an event, for example `write gap below 20.0 s`.
pub(crate) fn requirement_text(required: &Required) -> String {
    match required.limit {
        Limit::Below(figure, limit_s) => format!("{} below {}", figure.name(), format_seconds(limit_s)),
        Limit::Lost(0) => "no acknowledged commit lost".to_owned(),
        Limit::Lost(allowed) => format!("at most {allowed} acknowledged commits lost"),
    }
}

fn requirement_result(required: &Required) -> String {
    format!("{}: {}", requirement_text(required), ComplianceData::from(required.ruling).compliance_word())
}

/// A line for each event after which acknowledged commits were not there any more.
pub(crate) fn lost_commits(judgement: &Judgement) -> Vec<String> {
    let mut lines = Vec::new();
    for over in &judgement.events {
        if let Some(told) = over.commits.filter(|told| told.lost > 0) {
            lines.push(format!("{}, {}: {}", over.cell, over.event, describe_commits(told)));
        }
    }
    lines
}

/// A line for each requirement that is not known to be kept.
pub(crate) fn not_kept(judgement: &Judgement) -> Vec<String> {
    let mut lines = Vec::new();
    for over in &judgement.events {
        for one in over.required.iter().filter(|one| one.ruling != Compliance::Kept) {
            lines.push(format!("required of {}, {}: {}", over.cell, over.event, requirement_result(one)));
        }
    }
    lines
}

fn event_heading(over: &EventOver) -> String {
    let trials = match over.seen.len() {
        1 => "1 trial".to_owned(),
        n => format!("{n} trials"),
    };
    format!("{} ({} at {} s): {}, {trials}", over.event, over.what, over.planned_s, over.cell)
}

/// The conclusions on an event in a cell.
pub(crate) fn event_sentences(over: &EventOver) -> Vec<String> {
    let figure = |figure: EventFigure| over.figure_over_trials(figure);
    let mut lines = Vec::new();
    let gaps = [EventFigure::WriteGap, EventFigure::ReadGap].into_iter().filter_map(figure);
    lines.extend(gaps.map(|gap| format!("{} {}", gap.figure.name(), in_words(gap))));
    let parts: Vec<String> = over
        .parts
        .iter()
        .map(|part| format!("{} {}", with_interval(part.mean_s, part.estimate, format_seconds), part.until.in_words()))
        .collect();
    if !parts.is_empty() {
        lines.push(format!("of that {}", parts.join(", ")));
    }
    let steps: Vec<String> = over
        .steps
        .iter()
        .map(|step| {
            format!("{} after {}", step_word(step.step), with_interval(step.mean_s, step.estimate, format_seconds))
        })
        .collect();
    if !steps.is_empty() {
        lines.push(format!("steps reported by the cluster: {}", steps.join(", ")));
    }
    lines.extend(held_up(over));
    let window = figure(EventFigure::ErrorWindow).map(|window| {
        format!("connections lost and re-established within {}{}", in_words(window), describe_attempts(over))
    });
    lines.push(window.unwrap_or_else(|| "no connection was lost".to_owned()));
    let counts = [EventFigure::Failed, EventFigure::Unknown, EventFigure::NotDone].into_iter().filter_map(figure);
    let counted: Vec<String> = counts.map(|count| format!("{} {}", in_words(count), count.figure.name())).collect();
    lines.push(format!("transactions of a trial: {}", counted.join("; ")));
    lines.extend(over.commits.map(describe_commits));
    let back = [
        (EventFigure::ThroughputBack, "throughput at 95 % of its level before"),
        (EventFigure::P99Back, "p99 no higher than before"),
    ];
    let told = back.into_iter().filter_map(|(back, what)| {
        let over = figure(back)?;
        let open = format!("not reached in {} of {} trials", over.open, over.of);
        Some(if over.open > 0 { format!("{what} {open}") } else { format!("{what} after {}", in_words(over)) })
    });
    let told: Vec<String> = told.collect();
    if !told.is_empty() {
        lines.push(told.join("; "));
    }
    lines.extend(over.required.iter().map(|required| format!("required: {}", requirement_result(required))));
    lines
}

/// Why the old primary stopped so late, and what to set.
fn held_up(over: &EventOver) -> Option<String> {
    let held: Vec<&HeldUp> = over.seen.iter().filter_map(|seen| seen.held_up.as_ref()).collect();
    let HeldUp { timeout_s, sessions, .. } = held.first()?;
    let latest_s = held.iter().map(|held| held.stopped_s).fold(0.0, f64::max);
    let sessions = sessions
        .iter()
        .flatten()
        .map(|of| {
            let idle = if of.idle > 0 { format!(", {} idle", of.idle) } else { String::new() };
            format!(
                "{} of {} (role {}{idle})",
                of.count,
                of.application.as_deref().unwrap_or("an unnamed application"),
                of.role
            )
        })
        .collect::<Vec<_>>();
    let there =
        if sessions.is_empty() { String::new() } else { format!(" (sessions just before: {})", sessions.join(", ")) };
    Some(format!(
        "the old primary stopped {} after the request (in {} of {} trials): for {timeout_s} s its smart shutdown accepts no session and \
         waits for existing ones to end{there}. Idle sessions do not end. Set `smartShutdownTimeout` of the Cluster to 1, or let \
         poolers close idle connections",
        format_seconds(latest_s),
        held.len(),
        over.seen.len(),
    ))
}

/// How often the clients of all trials tried to come back.
fn describe_attempts(over: &EventOver) -> String {
    let most = over.seen.iter().filter_map(|seen| seen.attempts_per_s).max();
    most.map_or_else(String::new, |most| format!(", with at most {most} attempts per second"))
}

fn describe_commits(Commits { acknowledged, lost, unexpected }: Commits) -> String {
    let unexpected = if unexpected > 0 { format!(", and {unexpected} refused commits present") } else { String::new() };
    format!("{lost} of {} acknowledged commits lost{unexpected}", units::format_count(acknowledged as f64))
}

fn in_words(over: &FigureOver) -> String {
    let mean = match over.mean {
        Some(mean) => with_interval(mean, over.estimate, |value| format_event_figure(value, over.figure.unit())),
        None if over.open > 0 => return format!("not ended in {} of {} trials", over.open, over.of),
        None => return "too short to be distinguished from the time between transactions".to_owned(),
    };
    if over.short > 0 { format!("{mean} (too short to measure in {} of {} trials)", over.short, over.of) } else { mean }
}

fn format_event_figure(value: f64, unit: &str) -> String {
    match unit {
        "s" => format_seconds(value),
        _ => units::format_count(value),
    }
}

/// A mean of what is never negative, with its interval where there is one.
fn with_interval(mean: f64, estimate: Option<Estimate>, write: impl Fn(f64) -> String) -> String {
    let interval = estimate.map(|Estimate { interval, .. }| {
        format!(" {}", units::format_interval(&write(interval.low), &write(interval.high)))
    });
    format!("{}{}", write(mean), interval.unwrap_or_default())
}

/// A step of a cluster.
fn step_word(step: FailoverStep) -> &'static str {
    match step {
        FailoverStep::Accepted => "request answered",
        FailoverStep::ServiceEmpty => "-rw Service without an endpoint",
        FailoverStep::PrimaryChosen => "next primary chosen",
        FailoverStep::OldPrimaryStopped => "old primary stopped",
        FailoverStep::NodeLost => "node of the old primary declared lost",
        FailoverStep::Promoted => "new primary promoted",
        FailoverStep::Labelled => "pod of the new primary labelled",
        FailoverStep::ServiceMoved => "-rw Service points to a primary",
        FailoverStep::Healthy => "cluster healthy",
    }
}

/// In the unit that keeps it readable; instants are known to the microsecond.
fn format_seconds(s: f64) -> String {
    if s < 1e-6 { "0 s".to_owned() } else { units::format_milliseconds(s * 1e3) }
}
