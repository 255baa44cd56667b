//! The figures of runs over time, for a terminal, and as the data of a page and of programs.

mod accept;
mod data;

use accept::accept_commands;
use judge::history::{Beginning, DoubtOfRuns, FactChange, HistoryJudgement, LevelChange, MetricSeries, Segment};
use judge::{RegressionAnswer, units};
use results::history::Point;
use stats::Estimate;
use stats::divisive::SIGNIFICANCE;

#[cfg(test)]
pub(crate) use data::FORMAT;
pub use data::{HistoryData, history_data};

/// The heights of a sparkline.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Facts of a change at most.
const FACTS_MAX: usize = 12;

/// Every series: its levels with their figures, where segments begin and why, what changed.
pub fn history_text(judgement: &HistoryJudgement<'_>) -> String {
    let mut parts: Vec<String> = judgement.series.iter().map(shown_series).collect();
    for broken in broken_in_words(judgement) {
        parts.push(format!("{broken}\n"));
    }
    if parts.is_empty() {
        return "No run has been added yet.\n".to_owned();
    }
    parts.join("\n")
}

/// A sentence for each cell that is broken.
fn broken_in_words(judgement: &HistoryJudgement<'_>) -> Vec<String> {
    let mut sentences = Vec::new();
    for broken in &judgement.broken {
        let since = broken.at.strftime("%Y-%m-%d %H:%M");
        sentences.push(format!("{} is broken in run {} ({since}): {}", broken.cell, broken.run, broken.reason));
    }
    sentences
}

fn shown_series(series: &MetricSeries<'_>) -> String {
    let runs: usize = series.segments.iter().map(|segment| segment.points.len()).sum();
    let mut lines = vec![format!("{}: {} over {}", series.cell, series.metric, count_of_things(runs, "run"))];
    for segment in &series.segments {
        lines.extend(beginning_of_segment(segment).map(|text| format!("  {text}")));
        if let Beginning::Contract(facts) = &segment.beginning {
            lines.extend(of_facts(facts));
        }
        lines.extend(level_lines(segment));
    }
    lines.extend(missing_runs_note(series.last_segment()).map(|text| format!("  {text}")));
    lines.join("\n") + "\n"
}

/// Why a segment begins that is not the first.
fn beginning_of_segment(segment: &Segment<'_>) -> Option<String> {
    let since = segment.points.first().map_or(String::new(), |point| time_of_point(point));
    match &segment.beginning {
        Beginning::First => None,
        Beginning::Accepted(because) => Some(format!("since {since} the level is accepted: {because}")),
        Beginning::Contract(_) => {
            Some(format!("since {since} the conditions differ, so earlier runs are not compared with later ones:"))
        }
    }
}

/// A line for each level, and one for each change between two.
fn level_lines(segment: &Segment<'_>) -> Vec<String> {
    let figures: Vec<f64> = segment.points.iter().map(|point| point.point).collect();
    let bars = sparkline_bars(&figures);
    let mut lines = Vec::new();
    for (index, level) in segment.levels().into_iter().enumerate() {
        if let Some(change) = index.checked_sub(1).and_then(|index| segment.changes.get(index)) {
            lines.push(format!("    {}", change_in_words(change)));
            lines.extend(of_doubts(change));
            lines.extend(of_facts(&change.meanwhile));
        }
        let points = &segment.points[level.runs.clone()];
        let (Some(first), Some(last)) = (points.first(), points.last()) else { continue };
        let (runs, figure) = (count_of_things(points.len(), "run"), format_figure(level.mean, segment.unit()));
        let bars: String = bars[level.runs].iter().collect();
        lines.push(format!("  {} … {}  {runs:>8}  {figure:>10}  {bars}", time_of_point(first), time_of_point(last)));
    }
    lines
}

/// What a check of the history in `file` says: every change for the worse that stands, with what its runs say against
/// themselves, what cannot be told yet, and what the test is worth.
pub fn history_check_text(judgement: &HistoryJudgement<'_>, file: &str) -> String {
    let mut lines = broken_in_words(judgement);
    for one in &judgement.series {
        for change in one.standing_regressions() {
            lines.push(format!("{}: {} {}", one.cell, one.metric, change_in_words(change)));
            lines.extend(of_doubts(change));
            lines.extend(of_facts(&change.meanwhile));
        }
        lines.extend(missing_runs_note(one.last_segment()).map(|text| format!("{}: {text}", one.cell)));
    }
    lines.push(answer_in_words(judgement));
    let commands = accept_commands(judgement, file);
    if !commands.is_empty() {
        lines.push("Fix the regression, or accept the new level:".to_owned());
        lines.extend(commands.into_iter().map(|command| format!("  {command}")));
    }
    lines.push(false_alarms(&judgement.series));
    lines.join("\n") + "\n"
}

/// What got worse; else that nothing did, or why that is not known.
fn answer_in_words(judgement: &HistoryJudgement<'_>) -> String {
    let standing =
        || judgement.series.iter().flat_map(|one| one.standing_regressions().map(move |change| (one, change)));
    match judgement.answer() {
        RegressionAnswer::Regression | RegressionAnswer::Broken => {
            let broken = judgement.broken.iter().map(|broken| format!("{} is broken", broken.cell));
            let worse = standing().filter(|(_, change)| !change.doubts.may_be_the_change).map(change_in_short);
            let all: Vec<String> = broken.chain(worse).collect();
            format!("Unresolved regressions: {}.", all.join("; "))
        }
        RegressionAnswer::NotEnoughData if standing().next().is_some() => {
            let doubtful: Vec<String> = standing().map(change_in_short).collect();
            format!(
                "Possible regressions: {}. Every run since then has a caveat on its measurement that no earlier run has.",
                doubtful.join("; ")
            )
        }
        RegressionAnswer::NotEnoughData | RegressionAnswer::DoesNotWork => {
            "Some series have too few runs to distinguish a change from chance.".to_owned()
        }
        RegressionAnswer::NoRegression => "No unresolved regression.".to_owned(),
    }
}

fn change_in_short((one, change): (&MetricSeries<'_>, &LevelChange<'_>)) -> String {
    let by = change.stands.as_ref().unwrap_or(&change.change).point;
    format!("{} of {} changed by {}", one.metric, one.cell, units::format_change(by))
}

/// What the runs of a change say against their own figures, a line a kind.
fn of_doubts(change: &LevelChange<'_>) -> Vec<String> {
    let doubts = &change.doubts;
    let mut lines: Vec<String> =
        doubts.kinds.iter().map(|kind| format!("      ! {}", doubt_in_words(change, kind))).collect();
    if doubts.unknown[1] > 0 {
        let unknown = count_of_things(doubts.unknown[1], "run");
        lines.push(format!("      the caveats of {unknown} of the new level are not in the history"));
    }
    lines
}

fn doubt_in_words(change: &LevelChange<'_>, kind: &DoubtOfRuns) -> String {
    let [before, after] = change.doubts.runs;
    let [had, have] = kind.runs;
    let known_before = before - change.doubts.unknown[0];
    let there = match (known_before, change.doubts.unknown[0]) {
        (0, _) => "unknown before".to_owned(),
        (_, 0) => format!("before: {had} of {before}"),
        _ => format!("before: {had} of {known_before} with known caveats"),
    };
    format!("caveat of {have} of {after} runs ({there}): {}: {}", kind.kind, kind.text)
}

/// What the test is worth.
fn false_alarms(series: &[MetricSeries<'_>]) -> String {
    let share = 1.0 - (1.0 - SIGNIFICANCE).powi(i32::try_from(series.len()).unwrap_or(i32::MAX));
    format!(
        "{}; without a change, one check of all of them raises a false alarm with a probability of about {}. The probability \
         is higher if successive runs are correlated (docs/history.md).",
        count_of_things(series.len(), "series"),
        units::format_percent(share)
    )
}

fn change_in_words(change: &LevelChange<'_>) -> String {
    let verdict = match change.doubts.may_be_the_change {
        true => "differs",
        false => change.verdict.name_in_reports(),
    };
    let (before, after) = (change.before, change.after);
    let between =
        format!("between {} ({}) and {} ({})", before.run, time_of_point(before), after.run, time_of_point(after));
    let now = match &change.stands {
        Some(now) => format!("; unresolved, now {}", in_interval(now)),
        None => String::new(),
    };
    let now = match change.doubts.may_be_the_change {
        true => {
            format!("{now}; every run since has a caveat on its measurement that no earlier run has: a possible cause")
        }
        false => now,
    };
    format!("{verdict} by {} {between}, p = {:.3}{now}", in_interval(&change.change), change.p_value)
}

fn in_interval(change: &Estimate) -> String {
    units::change_with_interval(change.point, change.interval.low, change.interval.high)
}

/// A line a fact; from the plan's whole target to nothing there may be many.
fn of_facts(facts: &[FactChange]) -> Vec<String> {
    let mut lines: Vec<String> = facts
        .iter()
        .take(FACTS_MAX)
        .map(|fact| {
            format!("      {}: {} → {}", fact.name, value_or_not_given(&fact.from), value_or_not_given(&fact.to))
        })
        .collect();
    if facts.len() > FACTS_MAX {
        lines.push(format!("      and {} more", facts.len() - FACTS_MAX));
    }
    lines
}

fn value_or_not_given(value: &Option<String>) -> String {
    value.clone().unwrap_or_else(|| "not given".to_owned())
}

fn missing_runs_note(segment: &Segment<'_>) -> Option<String> {
    let missing = segment.missing_runs();
    (missing > 0)
        .then(|| format!("{} more until a change can be distinguished from chance", count_of_things(missing, "run")))
}

fn count_of_things(number: usize, of_what: &str) -> String {
    match (number, of_what) {
        (1, _) | (_, "series") => format!("{number} {of_what}"),
        (number, of_what) => format!("{number} {of_what}s"),
    }
}

fn time_of_point(point: &Point) -> String {
    point.at.strftime("%Y-%m-%d %H:%M").to_string()
}

fn format_figure(value: f64, unit: &str) -> String {
    match unit {
        "tps" => units::format_tps(value),
        "ms" => units::format_milliseconds(value),
        other => format!("{} {other}", units::format_count(value)),
    }
}

/// A bar for each figure, from the least to the greatest; figures that differ by less than a twentieth of their size do
/// not fill the height, so that calm is seen as calm.
fn sparkline_bars(figures: &[f64]) -> Vec<char> {
    let (least, greatest) = figures.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), y| (low.min(*y), high.max(*y)));
    let height = (greatest - least).max(0.05 * greatest);
    figures.iter().map(|figure| BARS[(((figure - least) / height * 7.0).round() as usize).min(7)]).collect()
}
