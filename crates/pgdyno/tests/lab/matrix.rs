//! The confusion matrix: what was injected against what was found.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use crate::case::{Case, Expected, Outcome};
use crate::said::{PATH_UNEXPLAINED, Said, UNEXPLAINED};
use crate::stolen;

/// Between these lines the documentation holds the matrix.
const MARKS: [&str; 2] = ["<!-- matrix: written by make test-lab -->", "<!-- end of the matrix -->"];

/// What came of a case, in a few words.
pub fn in_words(case: &Case, outcome: &Outcome) -> String {
    match (outcome, &case.expected) {
        (Outcome::Failed(why), _) => format!("FAILED: {why}"),
        (Outcome::Said(said), Expected::Budget(check)) => {
            check(said).unwrap_or_else(|words| format!("NOT AS EXPECTED: {words}"))
        }
        (Outcome::Said(said), Expected::Finding(_) | Expected::AtMost(_) | Expected::Nothing) => {
            let found = said.of_the_case();
            let found = if found.is_empty() {
                format!("no finding, {:.1} % unexplained", said.share(UNEXPLAINED) * 100.0)
            } else {
                found.join(", ")
            };
            let explained = said.explained.map_or(String::new(), |share| format!("; {:.0} % explained", share * 100.0));
            let both_ways =
                if said.is_the_same_both_ways() { "" } else { "; NOT THE SAME with the other side for the baseline" };
            let found = format!("{found}{explained}{both_ways}");
            let stolen = said.stolen.filter(|_| found_of_the_machine(said));
            stolen.map_or(found.clone(), |share| format!("{found}; rightly {}, {:.0} %", stolen::RULE, share * 100.0))
        }
    }
}

/// What came of all cases, for the documentation: the matrix, and what the time budgets say.
/// `spoilt` are the runs that do not count.
pub fn text(outcomes: &[(&Case, Outcome)], spoilt: &[String]) -> String {
    let is_located = |(case, _): &&(&Case, Outcome)| matches!(case.expected, Expected::Budget(_));
    let (located, diagnosed): (Vec<_>, Vec<_>) = outcomes.iter().partition(is_located);
    let mut text = String::new();
    if !diagnosed.is_empty() {
        text += &table(&diagnosed);
    }
    let controls = diagnosed.into_iter().filter(|(case, _)| matches!(case.expected, Expected::Nothing));
    let rows: Vec<String> = controls.filter_map(|(case, outcome)| unexplained(case, outcome)).collect();
    if !rows.is_empty() {
        text += "\nWhat the time budgets of the controls leave unexplained, as a share of the mean latency: of the whole (10 % at \
                 most), and of the time outside the server, where two processes wake each other.\n\n\
                 | control | mean latency | unexplained | route, not observed |\n|---|--:|--:|--:|\n";
        text += &rows.concat();
    }
    if !located.is_empty() {
        text += "\nWhere the time budgets show what was injected:\n\n| injected | found |\n|---|---|\n";
        for (case, outcome) in located {
            writeln!(text, "| {} | {} |", case.name, in_words(case, outcome)).expect("a string");
        }
    }
    if !spoilt.is_empty() {
        text += "\nNot as expected while CPU time was stolen, and run again:\n\n";
        text.extend(spoilt.iter().map(|words| format!("- {words}\n")));
    }
    text
}

fn unexplained(case: &Case, outcome: &Outcome) -> Option<String> {
    let said = said(outcome).filter(|said| !said.budgets.is_empty())?;
    let [all, path] = [UNEXPLAINED, PATH_UNEXPLAINED].map(|part| said.share(part) * 100.0);
    Some(format!("| {} | {:.3} ms | {all:.1} % | {path:.1} % |\n", case.name, said.latency_ms()))
}

/// One row for each case, one column for each rule that is expected or was found; the rank of the finding in the cell.
/// The rank of what was injected is bold. Where it should stand and does not, `missed`.
fn table(outcomes: &[&(&Case, Outcome)]) -> String {
    let expected = outcomes.iter().flat_map(|(case, _)| case.rules().iter().copied());
    let mut columns: Vec<&str> = Vec::new();
    let found = outcomes.iter().flat_map(|(_, outcome)| rules(outcome));
    let mut seen = BTreeSet::new();
    columns.extend(expected.chain(found).filter(|rule| seen.insert(*rule)));

    let mut text = String::from("| injected | explained |");
    (1..=columns.len()).for_each(|number| write!(text, " {number} |").expect("a string"));
    text += "\n|---|--:|";
    columns.iter().for_each(|_| text += ":-:|");
    text.push('\n');
    for (case, outcome) in outcomes {
        let explained = said(outcome).and_then(|said| said.explained);
        let explained = explained.map_or(String::new(), |share| format!(" {:.0} %", share * 100.0));
        write!(text, "| {} |{explained} |", case.name).expect("a string");
        for rule in &columns {
            write!(text, " {} |", cell(case, outcome, rule)).expect("a string");
        }
        text.push('\n');
    }
    text.push('\n');
    for (number, rule) in columns.iter().enumerate() {
        writeln!(text, "{}. `{rule}`", number + 1).expect("a string");
    }
    text += &summary(outcomes);
    text += &suffered(outcomes);
    text
}

/// From this share of the change on it counts as explained.
const EXPLAINED: f64 = 0.8;

/// How many conditions were found, how many controls have a finding, and of how many changes most is explained.
fn summary(outcomes: &[&(&Case, Outcome)]) -> String {
    let of = |is: fn(&Expected) -> bool| {
        let those = outcomes.iter().filter(move |(case, _)| is(&case.expected));
        let right = those.clone().filter(|(case, outcome)| case.is_right(outcome)).count();
        (right, those.count())
    };
    let (found, injected) = of(|expected| matches!(expected, Expected::Finding(_)));
    let (silent, unknown) = of(|expected| matches!(expected, Expected::AtMost(_)));
    let (healthy, controls) = of(|expected| matches!(expected, Expected::Nothing));
    let is_condition = |case: &&Case| matches!(case.expected, Expected::Finding(_));
    let conditions = outcomes.iter().filter(|(case, _)| is_condition(case));
    let shares: Vec<f64> = conditions.filter_map(|(_, outcome)| said(outcome)?.explained).collect();
    let most = shares.iter().filter(|share| **share >= EXPLAINED).count();
    format!(
        "\nFound first or second: {found} of {injected}. Explained to {:.0} % or more: {most} of the {} changes between two sides. \
         Nothing false where no rule knows the cause: {silent} of {unknown}. No finding: {healthy} of {controls} controls.\n",
        EXPLAINED * 100.0,
        shares.len()
    )
}

/// In how many cases the machine itself lost CPU time to its hypervisor, and what was said of it.
fn suffered(outcomes: &[&(&Case, Outcome)]) -> String {
    let suffering: Vec<&Said> =
        outcomes.iter().filter_map(|(_, outcome)| said(outcome)).filter(|said| said.stolen.is_some()).collect();
    if suffering.is_empty() {
        return String::new();
    }
    let most = suffering.iter().filter_map(|said| said.stolen).fold(0.0, f64::max) * 100.0;
    let found = suffering.iter().filter(|said| found_of_the_machine(said)).count();
    format!(
        "\nIn {} of the cases the hypervisor withheld CPU time from the lab's own machine, up to {most:.0} % of what was wanted, as the \
         lab itself read in `/proc/stat`. No case injects that: `{}` found it in {found} of them, rightly, and has no column for it.\n",
        suffering.len(),
        stolen::RULE
    )
}

fn rules(outcome: &Outcome) -> Vec<&str> {
    said(outcome).map_or(Vec::new(), Said::of_the_case)
}

/// Whether what the machine itself suffered was found.
fn found_of_the_machine(said: &Said) -> bool {
    said.of_the_case().len() < said.rules.len()
}

fn said(outcome: &Outcome) -> Option<&Said> {
    match outcome {
        Outcome::Said(said) => Some(said),
        Outcome::Failed(_) => None,
    }
}

fn cell(case: &Case, outcome: &Outcome, rule: &str) -> String {
    let expected = case.rules().contains(&rule);
    match rules(outcome).iter().position(|found| *found == rule) {
        Some(place) if expected => format!("**{}**", place + 1),
        Some(place) => (place + 1).to_string(),
        // Where several rules may name a condition, one that does is enough.
        None if expected && !case.is_right(outcome) => "missed".to_owned(),
        None => String::new(),
    }
}

/// Puts the matrix into docs/lab.md.
pub fn write(table: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/lab.md");
    let page = std::fs::read_to_string(&path).expect("docs/lab.md");
    let [begin, end] = MARKS.map(|mark| page.find(mark).unwrap_or_else(|| panic!("no {mark:?} in docs/lab.md")));
    let page = format!("{}{}\n\n{table}\n{}", &page[..begin], MARKS[0], &page[end..]);
    std::fs::write(&path, page).expect("written");
}
