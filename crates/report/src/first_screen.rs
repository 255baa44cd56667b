//! What a person needs first of a judgement: the verdict in a sentence with what undermines it, the table, at most
//! three issues, each in one line with its size. All the rest is in `terminal` and in the other forms.

use std::fmt::Write as _;

use judge::Judgement;
use judge::audit::INCOMPLETE_CELLS;
use judge::codes::{FAILED_TRANSACTIONS, UNDECLARED_DIFFERENCE};
use judge::compare::{Confounder, Excluded, PairJudgement};
use judge::failures::FailureVerdict;
use judge::issue::{Evidence, Issue, IssueEffect};
use judge::units;

use super::document::{Screen, SectionBlock, terminal_of_blocks, terminal_of_section};
use super::findings::{self, finding_sentence};
use super::folded::{fold_into_lines, fold_text};
use super::sections::{events, loads_beside};
use super::table::first_lines;
use super::terminal::state_in_words;
use super::{issues, maxima, required, sections, table};

/// Issues that are shown.
const ISSUES_MAX: usize = 3;
/// Lines of one of them, where the width is known.
const ISSUE_LINES_MAX: usize = 2;
/// Lines of one kind below the verdict, and differences in one line.
const NAMED_MAX: usize = 3;
/// From this share of the latency on, what every side has stands before the reasons to doubt.
const MOST_OF_THE_TIME: f64 = 0.5;
/// Characters of a reason, which may have a server's message and a statement in it.
const REASON_MAX: usize = 100;

/// The text; `colour` only adds colour, every verdict is also a word. `width` is the terminal's, in columns.
pub fn first_screen(judgement: &Judgement, colour: bool, width: Option<u16>) -> String {
    let mut text = String::new();
    write_screen(&mut text, judgement, colour, width).expect("writing into a String cannot fail");
    text
}

fn write_screen(out: &mut String, judgement: &Judgement, colour: bool, width: Option<u16>) -> std::fmt::Result {
    let mut prose = judgement.headline.lines().map(str::to_owned).collect::<Vec<_>>();
    if !table::is_of_disks_alone(judgement) {
        prose.push(format!("{}{}", table::extent_in_short(judgement), state_in_words(judgement.comparison.state)));
    }
    prose.extend(undermining_lines(judgement).iter().map(|line| format!("! {line}")));
    write_folded(out, &prose, width)?;
    if !judgement.comparison.pairs.is_empty() {
        let columns = width.map(|width| usize::from(width).saturating_sub(1));
        let screen = Screen { width: columns, colour, fits_tables: true };
        let (verdicts, left_out) = table::verdict_table_in_short(judgement);
        let lines = terminal_of_blocks(&[SectionBlock::Table(verdicts)], screen);
        writeln!(out)?;
        lines.iter().try_for_each(|line| writeln!(out, " {line}"))?;
        write_folded(out, &Vec::from_iter(left_out), width)?;
    }
    let mut remarks = table::without_verdict(judgement);
    remarks.extend(maxima::not_reached(judgement));
    remarks.extend(judgement.diagnosis.explained.iter().filter_map(findings::mostly_unexplained).take(NAMED_MAX));
    let beside = loads_beside::lines_of_loads(judgement);
    remarks.extend(first_lines(beside, NAMED_MAX, "more targets with loads beside"));
    write_folded(out, &remarks, width)?;
    if judgement.comparison.pairs.is_empty() {
        write_figures(out, judgement, width)?;
    }
    let issues = ranked_issues(judgement);
    if !issues.is_empty() {
        let shown = issues.len().min(ISSUES_MAX);
        let of_all = if issues.len() > shown { format!(" ({shown} of {})", issues.len()) } else { String::new() };
        writeln!(out, "\nIssues{of_all}")?;
        for IssueLine { text, end } in issues.iter().take(ISSUES_MAX) {
            let lines = fold_into_lines(&format!("- {text}"), end, width.map(usize::from), ISSUE_LINES_MAX);
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    Ok(())
}

/// The sections that stand in place of the table where nothing is compared: what the only target does. What breaks a
/// rule of the method is among the issues.
const FIGURES: [&str; 8] =
    ["target-figures", "maxima", "failures", "events", "tuning", "cross-check", "required", "layers"];
/// The same where disks were measured and nothing else.
const FIGURES_OF_DISKS: [&str; 2] = ["disks", "disk-ceilings"];

fn write_figures(out: &mut String, judgement: &Judgement, width: Option<u16>) -> std::fmt::Result {
    let shown: &[&str] = if table::is_of_disks_alone(judgement) { &FIGURES_OF_DISKS } else { &FIGURES };
    let width = width.map(|width| usize::from(width).saturating_sub(1));
    let screen = Screen { width, colour: false, fits_tables: true };
    for section in sections::document_of(judgement).sections.iter().filter(|section| shown.contains(&section.id)) {
        let Some((heading, lines)) = terminal_of_section(section, screen) else { continue };
        writeln!(out, "\n{heading}")?;
        lines.iter().try_for_each(|line| writeln!(out, " {line}"))?;
    }
    Ok(())
}

/// Sentences, folded between words where the width is known.
fn write_folded(out: &mut String, sentences: &[String], width: Option<u16>) -> std::fmt::Result {
    let mut lines = sentences.iter().flat_map(|sentence| fold_text(sentence, 0, width.map(usize::from)));
    lines.try_for_each(|line| writeln!(out, "{line}"))
}

/// What makes the verdict less than it looks, or decides the exit status beside it: a line each.
fn undermining_lines(judgement: &Judgement) -> Vec<String> {
    let mut lines: Vec<String> = unread_line(judgement).into_iter().chain(confounders_line(judgement)).collect();
    lines.extend(first_lines(left_out_lines(judgement), NAMED_MAX, table::MORE_LEFT_OUT));
    lines.extend(table::diluted_workloads(judgement));
    lines.extend(events::lost_commits(judgement));
    let not_kept: Vec<String> = required::not_kept(judgement).into_iter().chain(events::not_kept(judgement)).collect();
    lines.extend(first_lines(not_kept, NAMED_MAX, "more requirements that are broken or lack data"));
    lines
}

/// What was not read all the time, in one line.
fn unread_line(judgement: &Judgement) -> Option<String> {
    let first = judgement.unread.first()?;
    let more = judgement.unread.len() - 1;
    Some(if more == 0 { first.clone() } else { format!("{first} (and {more} more of this kind)") })
}

/// The differences that the plan does not allow, in one line.
fn confounders_line(judgement: &Judgement) -> Option<String> {
    // What an issue names stands first: it may be why the sides differ.
    let mut confounders: Vec<&Confounder> = judgement.comparison.confounders.iter().collect();
    confounders
        .sort_by_key(|found| !judgement.issues.iter().any(|issue| issue.text.contains(found.difference.what.as_str())));
    let mut parts: Vec<String> = Vec::new();
    for found in confounders.iter().take(NAMED_MAX) {
        let [baseline, candidate] = found.difference.values_in_words();
        parts.push(format!("{} ({baseline} / {candidate})", found.difference.what));
    }
    if parts.is_empty() {
        return None;
    }
    if confounders.len() > NAMED_MAX {
        parts.push(format!("{} more", confounders.len() - NAMED_MAX));
    }
    Some(format!("confounders, which the plan does not allow: {}", parts.join(", ")))
}

/// The comparisons of which trials do not count, a line each.
fn left_out_lines(judgement: &Judgement) -> Vec<String> {
    let mut lines = Vec::new();
    for pair in &judgement.comparison.pairs {
        // A workload that does not work on a side is told by the verdict, with the reason.
        if !pair.works_on_both_sides() {
            continue;
        }
        for excluded in crate::words::excluded_by_target(pair) {
            let trials = excluded.in_words(&shortened_reason(&excluded.first.reason));
            let line = format!("{} at {}: {trials}", pair.place.workload, units::format_clients(pair.place.clients));
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
    }
    lines
}

/// The begin of a text that may be long.
fn shortened_reason(text: &str) -> String {
    if text.chars().count() <= REASON_MAX {
        return text.to_owned();
    }
    text.chars().take(REASON_MAX - 1).chain(['…']).collect()
}

/// An issue on the first screen.
struct IssueLine {
    /// What it says, which may be shortened.
    text: String,
    /// What follows it in any case: its code.
    end: String,
}

/// Everything that is concluded beside the verdict, a line each, what matters most first: what makes the comparison
/// none, why the sides differ, reasons to doubt, what every side has.
fn ranked_issues(judgement: &Judgement) -> Vec<IssueLine> {
    let pairs = &judgement.comparison.pairs;
    let excluded: Vec<&Excluded> = pairs.iter().flat_map(|pair| &pair.excluded).collect();
    let mut ranked: Vec<(u8, IssueLine)> = Vec::new();
    for issue in &judgement.issues {
        // Undeclared differences stand at the verdict, and so do failures.
        if *issue.code == UNDECLARED_DIFFERENCE || is_said_of_failures(issue, pairs) {
            continue;
        }
        let finding = issue.finding.and_then(|index| judgement.diagnosis.findings.get(index));
        // What takes most of the time of every side is worth more than a reason to doubt.
        let share = finding.and_then(|finding| finding.found.cost.attributed_share());
        let is_most = share.is_some_and(|share| share >= MOST_OF_THE_TIME);
        let (rank, effect) = match issue.effect {
            IssueEffect::Invalidates => (0, "invalidates the figures: "),
            IssueEffect::Explains => (1, ""),
            IssueEffect::Weakens => (2, "weakens the figures: "),
            IssueEffect::Informs => (if is_most { 1 } else { 3 }, ""),
        };
        let line = match finding {
            Some(finding) => finding_sentence(finding),
            None => issues::issue_sentence(issue),
        };
        if !is_said_of_excluded(issue, &excluded) {
            ranked.push((rank, IssueLine { text: format!("{effect}{line}"), end: format!(" [{}]", issue.code.name) }));
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut lines: Vec<IssueLine> = ranked.into_iter().map(|(_, line)| line).collect();
    let rights = findings::missing_rights(&judgement.diagnosis);
    lines.extend(rights.map(|text| IssueLine { text, end: String::new() }));
    lines
}

/// Whether an issue says only that transactions fail, or what a side does that completes none: the verdict has the
/// failures of every pair.
fn is_said_of_failures(issue: &Issue, pairs: &[PairJudgement]) -> bool {
    let is_about_failures = [FAILED_TRANSACTIONS.name, INCOMPLETE_CELLS].contains(&issue.code.name);
    let are_told = pairs.iter().all(|pair| pair.failure_verdict() != FailureVerdict::NoSureDifference);
    !pairs.is_empty()
        && ((is_about_failures && are_told)
            || (issue.finding.is_some() && !pairs.iter().any(PairJudgement::works_on_both_sides)))
}

/// Whether an issue says only which trials do not count, or why: that stands at the verdict already.
fn is_said_of_excluded(issue: &Issue, excluded: &[&Excluded]) -> bool {
    if !issue.trials.is_empty() {
        return issue.trials.iter().all(|trial| excluded.iter().any(|one| one.trial == *trial));
    }
    (issue.text == issue.code.what_is_detected() || is_reason(&issue.text, excluded))
        && issue.evidence.iter().all(|evidence| match evidence {
            Evidence::Noted { text, .. } => is_reason(text, excluded),
            Evidence::Measured(_) => false,
        })
}

/// Whether a text, which may name its cell first, is why a trial does not count.
fn is_reason(text: &str, excluded: &[&Excluded]) -> bool {
    excluded.iter().any(|one| text.ends_with(one.reason.as_str()))
}
