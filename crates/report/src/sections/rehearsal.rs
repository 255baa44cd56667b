//! An upgrade that was rehearsed, for the meeting that decides on it: how long its steps took, which captured
//! statements have another query plan, and what has to be looked at.

use judge::Judgement;
use judge::rehearsal::{ChecklistEntry, ChecklistSubject, PlanStanding, RehearsedStatement, UpgradeRehearsal};
use judge::units;
use results::rehearsal::{StatisticsState, UpgradeStepKind};

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, Showing, TableCell,
    TableKind,
};

/// Rows that a terminal shows.
const ROWS_MAX: usize = 8;
/// Statements whose plans are printed: of those that differ while there are statistics.
const PLANS_MAX: usize = 10;

const EXPLANATION: &str = "Before any trial, each server planned every captured statement with captured values; nothing was \
                           executed for it. Statistics of the planner are missing after the restore of a dump and after \
                           pg_upgrade before PostgreSQL 18. From 18 on, pg_upgrade keeps those of columns and expressions; \
                           extended statistics are never kept. They are analyzed after ANALYZE. The baseline is always \
                           analyzed. The times of the other sections are measured with statistics analyzed.";

/// A statement of a rehearsed upgrade a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "rehearsal",
    about: "Captured statements with another query plan after the upgrade, by state of the planner statistics",
    columns: &[
        DocumentColumn::for_programs("candidate", Holds::Words),
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("fingerprint", Holds::Words),
        DocumentColumn::new("statement", "statement", Holds::Code),
        DocumentColumn::new("calls", "calls", Holds::Count),
        DocumentColumn::new("share", "share", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("missing", "statistics_missing", Holds::Words),
        DocumentColumn::new("kept", "statistics_kept", Holds::Words),
        DocumentColumn::new("analyzed", "statistics_analyzed", Holds::Words),
        DocumentColumn::new("plan", "plan_change", Holds::Words),
    ],
};

/// A part for each candidate; none where no upgrade was rehearsed.
pub(crate) fn rehearsal_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.rehearsals.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    for rehearsal in &judgement.rehearsals {
        blocks.push(SectionBlock::Note(summary_sentence(rehearsal)));
        blocks.extend(duration_of_steps(rehearsal).map(SectionBlock::Note));
        if !rehearsal.statements.is_empty() {
            blocks.push(SectionBlock::Table(table_of_statements(rehearsal)));
        }
        let with_statistics = rehearsal.statements.iter().filter(|statement| differs_with_statistics(statement));
        for statement in with_statistics.take(PLANS_MAX) {
            blocks.extend(plans_of_statement(rehearsal, statement));
        }
        blocks.extend(lists_of_checks(&rehearsal.checklist));
        if !rehearsal.remarks.is_empty() {
            blocks.push(SectionBlock::List {
                title: format!("{}: not complete", rehearsal.candidate),
                items: rehearsal.remarks.clone(),
                showing: Showing::Everywhere,
            });
        }
    }
    Some(ReportSection { id: "rehearsal", title: "Rehearsal of the upgrade".to_owned(), blocks })
}

/// `PostgreSQL 14 to 18: of 12 statements, 1 has another plan with statistics analyzed, 3 with statistics missing …`.
fn summary_sentence(rehearsal: &UpgradeRehearsal) -> String {
    let UpgradeRehearsal { from, to, compared, not_compared, .. } = rehearsal;
    let mut counts = Vec::new();
    for state in rehearsal.states.iter().rev() {
        let changed = count_in_state(rehearsal, *state, |standing| matches!(standing, PlanStanding::Changed { .. }));
        let verb = if changed == 1 { "has" } else { "have" };
        let what = if counts.is_empty() { format!(" {verb} another query plan") } else { String::new() };
        counts.push(format!("{changed}{what} with statistics {}", word_of_state(*state)));
    }
    let rejected =
        count_in_state(rehearsal, StatisticsState::Analyzed, |standing| matches!(standing, PlanStanding::Rejected(_)));
    let statements = compared + rejected;
    let plural_ending = if statements == 1 { "" } else { "s" };
    let mut sentence =
        format!("PostgreSQL {from} to {to}: of {statements} statement{plural_ending}, {}.", counts.join(", "));
    if rejected > 0 {
        sentence.push_str(&format!(" PostgreSQL {to} rejects {rejected}."));
    }
    if *not_compared > 0 {
        sentence
            .push_str(&format!(" {not_compared} without a plan on the baseline, such as COMMIT, are not compared."));
    }
    sentence
}

fn count_in_state(rehearsal: &UpgradeRehearsal, state: StatisticsState, counts: fn(&PlanStanding) -> bool) -> usize {
    let standings = rehearsal.statements.iter().flat_map(|statement| &statement.states);
    standings.filter(|(of_state, standing)| *of_state == state && counts(standing)).count()
}

fn word_of_state(state: StatisticsState) -> &'static str {
    match state {
        StatisticsState::Missing => "missing",
        StatisticsState::Kept => "kept",
        StatisticsState::Analyzed => "analyzed",
    }
}

fn duration_of_steps(rehearsal: &UpgradeRehearsal) -> Option<String> {
    let mut steps = Vec::new();
    for step in &rehearsal.steps {
        let name = match step.step {
            UpgradeStepKind::Restore => "restore of the dump",
            UpgradeStepKind::VacuumAnalyze => "VACUUM (FREEZE, ANALYZE)",
            UpgradeStepKind::KeepStatistics => "statistics of the baseline entered",
            UpgradeStepKind::PgUpgradeCheck => "pg_upgrade --check",
            UpgradeStepKind::PgUpgradeCopy => "pg_upgrade by copy",
            UpgradeStepKind::PgUpgradeClone => "pg_upgrade --clone",
            UpgradeStepKind::PgUpgradeLink => "pg_upgrade --link",
            UpgradeStepKind::PgUpgradeSwap => "pg_upgrade --swap",
        };
        steps.push(format!("{name} {}", units::format_milliseconds(step.seconds * 1e3)));
    }
    if steps.is_empty() {
        return None;
    }
    let mut sentence = format!("Durations on this machine: {}. pg_dump is not among them.", steps.join(", "));
    if let Some(gap) = &rehearsal.pg_upgrade_gap {
        let was_checked = rehearsal.steps.iter().any(|step| step.step == UpgradeStepKind::PgUpgradeCheck);
        let what = if was_checked { "was not executed in each way" } else { "was not executed" };
        sentence.push_str(&format!(" pg_upgrade {what}: {gap}."));
    }
    Some(sentence)
}

fn table_of_statements(rehearsal: &UpgradeRehearsal) -> DocumentTable {
    let rows = rehearsal.statements.iter().map(|one| row_of_statement(rehearsal, one)).collect();
    let caption = Some(format!("{} against {}: other query plans", rehearsal.candidate, rehearsal.baseline));
    DocumentTable { caption, ..DocumentTable::of_first(&TABLE, rows, ROWS_MAX) }
}

fn row_of_statement(rehearsal: &UpgradeRehearsal, statement: &RehearsedStatement) -> DocumentRow {
    let mut cells = vec![
        TableCell::from_words(&rehearsal.candidate),
        TableCell::from_words(&statement.workload),
        TableCell::from_words(&statement.fingerprint),
        TableCell::Words(statement.text.clone()),
        TableCell::Count(statement.calls),
        statement.share.map_or(TableCell::Missing, TableCell::Figure),
    ];
    for state in [StatisticsState::Missing, StatisticsState::Kept, StatisticsState::Analyzed] {
        let standing = statement.states.iter().find(|(of_state, _)| *of_state == state);
        cells.push(TableCell::from_words(standing.map_or("–", |(_, standing)| word_of_standing(standing))));
    }
    cells.push(change_of_statement(statement).map_or(TableCell::Missing, TableCell::Words));
    let analyzed = statement.states.iter().find(|(state, _)| *state == StatisticsState::Analyzed);
    DocumentRow { cells, stands_out: analyzed.is_some_and(|(_, standing)| standing.is_remarkable()) }
}

fn word_of_standing(standing: &PlanStanding) -> &'static str {
    match standing {
        PlanStanding::Same => "same",
        PlanStanding::Changed { .. } => "changed",
        PlanStanding::Rejected(_) => "REJECTED",
        PlanStanding::NotKnown => "–",
    }
}

/// The change in the last state that has one: the analyzed one if it has.
fn change_of_statement(statement: &RehearsedStatement) -> Option<String> {
    let (_, standing) = statement.states.iter().rev().find(|(_, standing)| standing.is_remarkable())?;
    Some(match standing {
        PlanStanding::Changed { from, to } => format!("{from} → {to}"),
        PlanStanding::Rejected(message) => message.clone(),
        PlanStanding::Same | PlanStanding::NotKnown => return None,
    })
}

/// Whether it is planned otherwise not only without statistics.
fn differs_with_statistics(statement: &RehearsedStatement) -> bool {
    statement.states.iter().any(|(state, standing)| *state != StatisticsState::Missing && standing.is_remarkable())
}

/// Both plans, a node to a line.
fn plans_of_statement(rehearsal: &UpgradeRehearsal, statement: &RehearsedStatement) -> Vec<SectionBlock> {
    let Some((state, plans)) = &statement.plans else { return Vec::new() };
    let mut blocks = Vec::new();
    for (target, text, state) in
        [(&rehearsal.baseline, &plans.here, StatisticsState::Analyzed), (&rehearsal.candidate, &plans.there, *state)]
    {
        blocks.push(SectionBlock::Lines {
            title: format!("{target}, statistics {}: {}", word_of_state(state), first_words(&statement.text)),
            lines: text.lines.clone(),
        });
    }
    blocks
}

/// The begin of a statement, in one line.
fn first_words(text: &str) -> String {
    const CHARACTERS_MAX: usize = 60;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= CHARACTERS_MAX {
        return line;
    }
    line.chars().take(CHARACTERS_MAX - 1).chain(['…']).collect()
}

fn lists_of_checks(checklist: &[ChecklistEntry]) -> Vec<SectionBlock> {
    let mut lists = Vec::new();
    for (subject, title) in [
        (ChecklistSubject::PgUpgrade, "Objections of pg_upgrade --check"),
        (ChecklistSubject::Function, "Functions that captured statements name"),
        (ChecklistSubject::Extension, "Extensions"),
        (ChecklistSubject::Setting, "Settings that are gone or renamed"),
        (ChecklistSubject::Default, "Settings with another default"),
    ] {
        let entries = checklist.iter().filter(|entry| entry.subject == subject);
        let items: Vec<String> = entries.map(|entry| entry.text.clone()).collect();
        if !items.is_empty() {
            let title = format!("Checklist: {title}");
            lists.push(SectionBlock::List { title, items, showing: Showing::Everywhere });
        }
    }
    lists
}
