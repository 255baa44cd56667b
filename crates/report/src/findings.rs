//! The findings of a diagnosis in words, and as data.

use judge::Judgement;
use judge::budget::BudgetPart;
use judge::diagnose::{
    Bearing, Confidence, Diagnosis, EvidenceFigure, ExplainedChange, FigureAmount, FindingCost, FindingKind,
    LatencyPiece, Left, Mend, MissingRights, PlansBeside, QuantityComparison, RankedFinding, SpentTime, TrialWindow,
    UnlikeFact,
};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::data::EstimateData;
use super::document::{self, ReportSection, Screen, SectionBlock, Showing};
use super::issues::is_against_figures;

/// Cells that are named before the rest is counted.
const NAMED: usize = 3;
/// Lines of a plan that are shown, or as many as it takes to where two plans part.
const PLAN_LINES: usize = 12;

/// A diagnosis.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiagnosisData {
    /// Its findings, in their order.
    pub findings: Vec<FindingData>,
    /// How much of each change they account for.
    pub explained: Vec<ExplainedData>,
    /// Rules without enough data.
    pub unanswered: Vec<UnansweredData>,
    /// The number of rules for which the role lacks a privilege, and the statements that grant it, in words; absent if
    /// there is none.
    pub missing_rights: Option<String>,
    /// Why no rule was evaluated at all; absent if some were.
    pub lacked: Option<&'static str>,
}

/// How much of a change the findings account for, each millisecond counted once.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainedData {
    /// The candidate.
    pub candidate: String,
    /// Workload and clients, in words.
    pub place: String,
    /// The side whose mean transaction takes longer.
    pub slower: String,
    /// How much longer, as a share of the faster side's.
    pub change: EstimateData,
    /// The difference in milliseconds.
    pub change_ms: EstimateData,
    /// The share of the logarithm of the ratio that the findings account for, 0 to 1.
    pub share: EstimateData,
    /// The contribution of each finding to that share.
    pub by: Vec<ExplainedByData>,
    /// The parts of the change that no finding accounts for.
    pub left: Vec<LeftData>,
    /// Facts that differ between the two sides, undeclared differences first.
    pub differences: Vec<UnlikeFactData>,
    /// The explanation in words.
    pub text: String,
}

/// The contribution of one finding.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ExplainedByData {
    /// The rule's name.
    pub rule: &'static str,
    /// The share of the change that no finding before it accounts for, 0 to 1.
    pub share: f64,
}

/// A fact that differs between the two sides.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnlikeFactData {
    /// Its name, such as that of a setting.
    pub name: String,
    /// The baseline's value.
    pub baseline: String,
    /// The candidate's.
    pub candidate: String,
}

impl From<&UnlikeFact> for UnlikeFactData {
    fn from(fact: &UnlikeFact) -> Self {
        let UnlikeFact { name, baseline, candidate } = fact.clone();
        Self { name, baseline, candidate }
    }
}

/// A part of a change that no finding accounts for.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LeftData {
    /// The part of the time budget. Waiting for a CPU has two parts: one follows the time on a CPU, the other is the
    /// wait for each millisecond of that time.
    pub part: String,
    /// Its share of the change.
    pub share: f64,
}

/// One finding.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindingData {
    /// The rule's name.
    pub rule: &'static str,
    /// The title.
    pub title: String,
    /// The kind of the conclusion.
    pub kind: KindData,
    /// How directly the cause was observed.
    pub confidence: ConfidenceData,
    /// Its relation to the comparison.
    pub bearing: BearingData,
    /// The same in words.
    pub bearing_text: String,
    /// The quantity of its cause in the first cell and on another side.
    pub beside: Option<BesideData>,
    /// Earlier findings that count some of the same time.
    pub overlaps: Vec<OverlapData>,
    /// The cells in words. The first has the highest cost, and the other fields are about it.
    pub cells: Vec<String>,
    /// Its cost in words.
    pub cost: String,
    /// Its share of the mean latency or of the throughput; absent where it cannot be attributed.
    pub cost_share: Option<f64>,
    /// Milliseconds of the mean latency, if the cost is time.
    pub cost_ms: Option<EstimateData>,
    /// Milliseconds more than the other side spends on it. With several other sides, the one that spends the least.
    pub change_ms: Option<EstimateData>,
    /// The share of the change of the mean latency that it explains if no other finding is counted, 0 to 1; absent if
    /// it explains none.
    pub share_of_change: Option<f64>,
    /// Its evidence, with units.
    pub figures: Vec<FindingFigureData>,
    /// The windows in which it was observed.
    pub windows: Vec<FindingWindowData>,
    /// The series that show it in one trial.
    pub chart: Option<FindingChartData>,
    /// Why it matters.
    pub why: &'static str,
    /// The observation that would disprove it.
    pub would_disprove: String,
    /// The experiment that confirms it, and the expected result.
    pub confirm: String,
    /// The plan of that experiment; absent for figures of another tool.
    pub confirm_plan_yaml: Option<String>,
    /// The fix: the settings that remove the cause, with their risk; absent if no setting does.
    pub fix: Option<String>,
}

/// The kind of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum KindData {
    /// It costs time or throughput that another configuration would not.
    Problem,
    /// The bottleneck: the resource that bounds the throughput. Every load without pauses has one.
    Limit,
}

/// How directly the cause of a finding was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ConfidenceData {
    /// The cause itself was counted.
    High,
    /// Several observations fit. The cause itself was not counted.
    Medium,
    /// One observation fits. Other causes could explain it.
    Low,
}

impl From<Confidence> for ConfidenceData {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::High => Self::High,
            Confidence::Medium => Self::Medium,
            Confidence::Low => Self::Low,
        }
    }
}

/// The relation of a finding to the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum BearingData {
    /// It affects one side only, or one side more than the other.
    #[serde(rename = "difference")]
    Difference,
    /// It was found on one side and is unknown on the other.
    #[serde(rename = "other side unknown")]
    OtherSideUnknown,
    /// It affects every side.
    #[serde(rename = "every side")]
    EverySide,
    /// It affects the faster side only, or more. It explains no loss.
    #[serde(rename = "more on the faster side")]
    MoreOnFaster,
    /// There is one target and no comparison.
    #[serde(rename = "no comparison")]
    NoComparison,
}

/// The quantity of a finding's cause on two sides.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BesideData {
    /// The name of the quantity.
    pub name: &'static str,
    /// The quantity in the cell of the finding, with its unit.
    pub here: String,
    /// The other target.
    pub other: String,
    /// The quantity on the other target.
    pub there: String,
    /// `here` / `there` over the blocks; absent with fewer than two blocks.
    pub ratio: Option<EstimateData>,
}

impl From<&QuantityComparison> for BesideData {
    fn from(beside: &QuantityComparison) -> Self {
        let of = |figure: f64| format_amount(&beside.unit.amount_of_figure(figure));
        Self {
            name: beside.name,
            here: of(beside.here),
            other: beside.other.clone(),
            there: of(beside.there),
            ratio: beside.ratio_estimate().map(Into::into),
        }
    }
}

/// Time that another finding also counts.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OverlapData {
    /// The rule of the other finding.
    pub rule: &'static str,
    /// The share of this finding's time that the other finding also counts, 0 to 1.
    pub share: f64,
}

/// One figure.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindingFigureData {
    /// The name of the quantity.
    pub name: String,
    /// The amount with its unit.
    pub text: String,
    /// The two plans of a statement, if the figure is their difference.
    pub plans: Option<PlansData>,
}

/// Two plans of one statement, side by side.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PlansData {
    /// The targets: the one with the finding, and the other.
    pub targets: [String; 2],
    /// The lines of their plans, a node to a line, indented.
    pub lines: [Vec<String>; 2],
    /// The first line, from 0, in which the plans differ.
    pub differs_at: usize,
}

impl From<&PlansBeside> for PlansData {
    fn from(plans: &PlansBeside) -> Self {
        let PlansBeside { here, there, differs_at } = plans.clone();
        Self { targets: [here.target, there.target], lines: [here.lines, there.lines], differs_at }
    }
}

/// A window of a trial.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindingWindowData {
    /// The trial.
    pub trial: u32,
    /// Its start, in seconds since the load's start.
    pub from_s: f64,
    /// Its end.
    pub to_s: f64,
}

/// Series of one trial.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindingChartData {
    /// The trial.
    pub trial: u32,
    /// End of each second, counted from the load's start.
    pub t_s: Vec<f64>,
    /// The series; the first is the throughput.
    pub lines: Vec<FindingLineData>,
}

/// One series.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FindingLineData {
    /// The name of the figure.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// By second; absent in a gap.
    pub values: Vec<Option<f64>>,
}

/// A rule without enough data.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UnansweredData {
    /// The rule's name.
    pub rule: &'static str,
    /// What the rule detects.
    pub finds: &'static str,
    /// The number of cells without enough data.
    pub cells: usize,
    /// The missing data in the first of these cells.
    pub lacks: String,
}

/// The whole diagnosis as data.
pub fn diagnosis_data(diagnosis: &Diagnosis) -> DiagnosisData {
    DiagnosisData {
        findings: diagnosis.findings.iter().map(finding_data).collect(),
        explained: diagnosis.explained.iter().map(of_explained).collect(),
        unanswered: diagnosis
            .unanswered
            .iter()
            .map(|one| UnansweredData {
                rule: one.rule.code.name,
                finds: one.rule.code.detects,
                cells: one.cells,
                lacks: one.lacks.clone(),
            })
            .collect(),
        missing_rights: diagnosis.missing_rights.as_ref().map(rights_in_words),
        lacked: diagnosis.lacked,
    }
}

fn of_explained(explained: &ExplainedChange) -> ExplainedData {
    ExplainedData {
        candidate: explained.candidate.clone(),
        place: describe_place(explained),
        slower: explained.slower.clone(),
        change: explained.change.into(),
        change_ms: explained.change_ms.into(),
        share: explained.share.into(),
        by: explained.by.iter().map(|by| ExplainedByData { rule: by.rule.code.name, share: by.share }).collect(),
        left: explained
            .left
            .iter()
            .map(|left| LeftData { part: part_left(explained, left), share: left.share })
            .collect(),
        differences: explained.unlike.iter().map(UnlikeFactData::from).collect(),
        text: share_explained(explained),
    }
}

/// A change is mostly explained from this share on.
const HALF: f64 = 0.5;

/// So many suspects are named.
const SUSPECTS: usize = 6;

pub(crate) fn describe_place(explained: &ExplainedChange) -> String {
    format!("{}, {}", explained.place.workload, units::format_clients(explained.place.clients))
}

/// Where the rest of a change lies. What is left of the way is not known: in the last thing on it that is known, or
/// before it.
fn part_left(explained: &ExplainedChange, left: &Left) -> String {
    match (&left.part, &explained.hop) {
        (LatencyPiece::Part(BudgetPart::PathUnexplained | BudgetPart::OutsideServer), Some(hop)) => {
            format!("{}, in {hop} or before it", left.part)
        }
        _ => left.part.to_string(),
    }
}

/// That the findings explain less than half of a change, and where the largest part of the rest is spent.
pub(crate) fn mostly_unexplained(explained: &ExplainedChange) -> Option<String> {
    if explained.share.point >= HALF {
        return None;
    }
    let rest = match explained.left.iter().find(|left| left.share > 0.0) {
        Some(left) => format!("; the largest part of the rest is spent in: {}", part_left(explained, left)),
        None => String::new(),
    };
    Some(format!(
        "{}: findings explain {} of the {} by which {} is slower{rest}",
        describe_place(explained),
        units::format_percent(explained.share.point),
        units::format_milliseconds(explained.change_ms.point),
        explained.slower
    ))
}

/// From this share on, findings explain all of a change as far as it can be told.
const ALL_EXPLAINED: f64 = 0.98;

/// `the mean latency of new is 1.20 ms higher (read, 4 clients); findings explain 96.9 % [95.1 %, 98.7 %]:
/// excess-rows-read (96.9 %); the rest, without a finding, is spent in: ...; other differences between the sides, of
/// unknown cost: ...`.
pub(crate) fn share_explained(explained: &ExplainedChange) -> String {
    let ExplainedChange { slower, change_ms, share, by, left, unlike, .. } = explained;
    let by = match by.as_slice() {
        [] => String::new(),
        some => {
            let parts = some.iter().map(|by| format!("{} ({})", by.rule.code.name, units::format_percent(by.share)));
            format!(": {}", parts.collect::<Vec<_>>().join(", "))
        }
    };
    let mut left_parts = String::new();
    // Where all is explained, what is left of one part is what another makes up for.
    let left = if share.point >= ALL_EXPLAINED { &[][..] } else { left.as_slice() };
    // What the slower side spends less on makes up for some of what is unexplained.
    for (words, is_less) in [("the rest, without a finding, is spent in", false), ("less time in", true)] {
        let those = left.iter().filter(|left| (left.share < 0.0) == is_less);
        let parts: Vec<String> = those
            .map(|left| format!("{} ({})", part_left(explained, left), units::format_percent(left.share.abs())))
            .collect();
        if !parts.is_empty() {
            left_parts.push_str(&format!("; {words}: {}", parts.join(", ")));
        }
    }
    let suspects = match unlike.as_slice() {
        [] => String::new(),
        some => {
            let named =
                some.iter().take(SUSPECTS).map(|one| format!("{} ({} / {})", one.name, one.baseline, one.candidate));
            let more = some.len().saturating_sub(SUSPECTS);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!(
                "; other differences between the sides, of unknown cost: {}{more}",
                named.collect::<Vec<_>>().join(", ")
            )
        }
    };
    format!(
        "the mean latency of {slower} is {} higher ({}); findings explain {} {}{by}{left_parts}{suspects}",
        units::format_milliseconds(change_ms.point),
        describe_place(explained),
        units::format_percent(share.point),
        units::format_interval(&units::format_percent(share.interval.low), &units::format_percent(share.interval.high))
    )
}

fn finding_data(finding: &RankedFinding) -> FindingData {
    let found = &finding.found;
    let spent = match &found.cost {
        FindingCost::Latency(spent) => Some(spent),
        FindingCost::Throughput { .. } | FindingCost::NotAttributable => None,
    };
    FindingData {
        rule: finding.rule.code.name,
        title: found.title.clone(),
        kind: match found.kind {
            FindingKind::Problem => KindData::Problem,
            FindingKind::Limit => KindData::Limit,
        },
        confidence: found.confidence.into(),
        bearing: match finding.bearing {
            Bearing::Difference { .. } => BearingData::Difference,
            Bearing::OtherSideUnknown { .. } => BearingData::OtherSideUnknown,
            Bearing::EverySide => BearingData::EverySide,
            Bearing::MoreOnFaster { .. } => BearingData::MoreOnFaster,
            Bearing::NoComparison => BearingData::NoComparison,
        },
        bearing_text: describe_bearing(finding),
        beside: finding.beside.as_ref().map(Into::into),
        overlaps: finding.overlaps.iter().map(|one| OverlapData { rule: one.rule, share: one.share }).collect(),
        cells: finding.cells.iter().map(ToString::to_string).collect(),
        cost: describe_cost(finding),
        cost_share: found.cost.attributed_share(),
        cost_ms: spent.map(|spent| spent.ms.into()),
        change_ms: spent.and_then(|spent| spent.change_ms).map(Into::into),
        share_of_change: finding.share_of_change,
        figures: found
            .figures
            .iter()
            .map(|f| FindingFigureData {
                name: f.name.clone(),
                text: format_amount(&f.amount),
                plans: plans_data(&f.amount),
            })
            .collect(),
        windows: found
            .windows
            .iter()
            .map(|w| FindingWindowData { trial: w.trial, from_s: w.from_s, to_s: w.to_s })
            .collect(),
        chart: found.chart.as_ref().map(chart_data),
        why: finding.rule.code.why,
        would_disprove: found.would_disprove.clone(),
        confirm: found.confirm.expect.clone(),
        confirm_plan_yaml: found.confirm.plan_yaml(),
        fix: found.mend.as_ref().map(describe_mend),
    }
}

/// What would mend it, with what it gives up.
pub(crate) fn describe_mend(mend: &Mend) -> String {
    match mend.gives_up {
        None => mend.change.in_words(),
        Some(gives_up) => format!("{}; risk: {}", mend.change.in_words(), gives_up.what),
    }
}

fn chart_data(chart: &judge::diagnose::Chart) -> FindingChartData {
    FindingChartData {
        trial: chart.trial,
        t_s: chart.end_s.clone(),
        lines: chart
            .lines
            .iter()
            .map(|line| FindingLineData { name: line.name.clone(), unit: line.unit, values: line.values.clone() })
            .collect(),
    }
}

/// Whether a report has a place for the diagnosis.
fn has_something_to_say(diagnosis: &Diagnosis) -> bool {
    !diagnosis.findings.is_empty() || !diagnosis.explained.is_empty() || diagnosis.missing_rights.is_some()
}

/// How many rules lacked a right, in words; none where none did.
pub(crate) fn missing_rights(diagnosis: &Diagnosis) -> Option<String> {
    diagnosis.missing_rights.as_ref().map(rights_in_words)
}

/// How many rules could not answer for want of a right, and the statements that would give it.
fn rights_in_words(missing: &MissingRights) -> String {
    let rules = if missing.rules == 1 { "1 rule was".to_owned() } else { format!("{} rules were", missing.rules) };
    format!("{rules} not evaluated because the role lacks a privilege: {}", missing.grants.join("; "))
}

/// What is found beside what speaks against the figures; none where a report has no place for it.
pub(crate) fn findings_section(judgement: &Judgement) -> Option<ReportSection> {
    let diagnosis = &judgement.diagnosis;
    if !has_something_to_say(diagnosis) {
        return None;
    }
    Some(section_of(blocks_of_diagnosis(diagnosis, |index| !is_against_figures(judgement, index))))
}

fn section_of(blocks: Vec<SectionBlock>) -> ReportSection {
    ReportSection { id: "findings", title: "Findings".to_owned(), blocks }
}

/// The whole diagnosis for a terminal; `width` is the terminal's, in columns.
pub fn diagnosis_for_terminal(diagnosis: &Diagnosis, width: Option<u16>) -> String {
    let screen = Screen { width: width.map(usize::from), ..Screen::default() };
    let lines = document::terminal_of_blocks(&blocks_of_diagnosis(diagnosis, |_| true), screen);
    lines.join("\n") + "\n"
}

/// The whole diagnosis in Markdown.
pub fn diagnosis_markdown(diagnosis: &Diagnosis) -> String {
    let text = document::markdown_of_section(&section_of(blocks_of_diagnosis(diagnosis, |_| true)));
    text.trim_start().to_owned()
}

/// The findings whose places are wanted, what they explain, and what could not be answered.
fn blocks_of_diagnosis(diagnosis: &Diagnosis, is_wanted: impl Fn(usize) -> bool) -> Vec<SectionBlock> {
    let mut blocks = Vec::new();
    match diagnosis.lacked {
        Some(lacked) => blocks.push(SectionBlock::Note(format!("No rule was evaluated: {lacked}."))),
        None if diagnosis.findings.is_empty() => {
            let lacking = diagnosis.unanswered.len();
            let text = if lacking == 0 {
                "No findings.".to_owned()
            } else {
                format!("No findings; {lacking} rules lacked observations.")
            };
            blocks.push(SectionBlock::Note(text));
        }
        None => {}
    }
    for (index, finding) in diagnosis.findings.iter().enumerate().filter(|(index, _)| is_wanted(*index)) {
        let (title, items) =
            (format!("{} {}", index + 1, finding_sentence(finding)), items_of_finding(index + 1, finding));
        blocks.push(SectionBlock::List { title, items, showing: Showing::Everywhere });
        for plans in finding.found.figures.iter().filter_map(|figure| plans_data(&figure.amount)) {
            blocks.extend(both_plans(&plans));
        }
    }
    blocks.extend(diagnosis.explained.iter().map(|explained| SectionBlock::Note(share_explained(explained))));
    blocks.extend(missing_rights(diagnosis).map(SectionBlock::Note));
    blocks.extend(rules_without_data(diagnosis).map(SectionBlock::Note));
    blocks
}

/// The rules without enough data, with what they lack, in one line; none where every rule was evaluated.
pub(crate) fn rules_without_data(diagnosis: &Diagnosis) -> Option<String> {
    let mut by_lack: Vec<(&str, Vec<&str>)> = Vec::new();
    for one in &diagnosis.unanswered {
        match by_lack.iter_mut().find(|(lacks, _)| *lacks == one.lacks) {
            Some((_, names)) => names.push(one.rule.code.name),
            None => by_lack.push((&one.lacks, vec![one.rule.code.name])),
        }
    }
    let rules = match diagnosis.unanswered.len() {
        0 => return None,
        1 => "1 rule lacks".to_owned(),
        more => format!("{more} rules lack"),
    };
    by_lack.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    let (named, rest) = by_lack.split_at(by_lack.len().min(NAMED));
    let mut parts: Vec<String> = named.iter().map(|(lacks, names)| format!("{} ({lacks})", names.join(", "))).collect();
    if !rest.is_empty() {
        let names: Vec<&str> = rest.iter().flat_map(|(_, names)| names).copied().collect();
        parts.push(format!("{} (--json has what each lacks)", names.join(", ")));
    }
    Some(format!("{rules} data: {}", parts.join("; ")))
}

fn items_of_finding(number: usize, finding: &RankedFinding) -> Vec<String> {
    let found = &finding.found;
    let figures: Vec<String> = found.figures.iter().map(describe_figure).collect();
    let mut items = vec![
        format!("evidence ({} confidence): {}", confidence_word(found.confidence), figures.join("; ")),
        format!("comparison: {}", describe_bearing(finding)),
        format!("when: {}", describe_windows(&found.windows)),
        format!("why it matters (rule {}): {}", finding.rule.code.name, finding.rule.code.why),
        format!("would disprove it: {}", found.would_disprove),
    ];
    items.extend(found.mend.as_ref().map(|it| format!("fix: {}", describe_mend(it))));
    items.push(format!("to confirm (pgdyno diagnose RUN --fragment {number}): {}", found.confirm.expect));
    items
}

/// Both plans, one below the other: side by side they are wider than a terminal. `>` marks where they part.
fn both_plans(plans: &PlansData) -> Vec<SectionBlock> {
    let at_most = PLAN_LINES.max(plans.differs_at + 1);
    let mut blocks = Vec::new();
    for (target, nodes) in plans.targets.iter().zip(&plans.lines) {
        let mut lines = Vec::new();
        for (number, node) in nodes.iter().enumerate().take(at_most) {
            lines.push(format!("{} {node}", if number == plans.differs_at { ">" } else { " " }));
        }
        if nodes.len() > at_most {
            lines.push("  …".to_owned());
        }
        blocks.push(SectionBlock::Lines { title: target.clone(), lines });
    }
    blocks
}

/// What, where, and what it costs.
pub(crate) fn finding_sentence(finding: &RankedFinding) -> String {
    let found = &finding.found;
    let (named, more) = finding.cells.split_at(finding.cells.len().min(NAMED));
    let mut places: Vec<String> = named.iter().map(ToString::to_string).collect();
    if !more.is_empty() {
        places.push(format!("{} more", count_of_cells(more.len())));
    }
    let limit = match found.kind {
        FindingKind::Problem => "",
        FindingKind::Limit => "bottleneck: ",
    };
    let most = if places.len() > 1 { "most in " } else { "" };
    format!("{limit}{}: {} ({most}{})", found.title, describe_cost(finding), places.join("; "))
}

/// What a finding costs: where one side has it or has more of it, what that one spends more, since the other side does
/// the same work without.
fn describe_cost(finding: &RankedFinding) -> String {
    let is_unlike = matches!(finding.bearing, Bearing::Difference { .. } | Bearing::MoreOnFaster { .. });
    match &finding.found.cost {
        FindingCost::Latency(spent) if let (true, Some(more)) = (is_unlike, spent.more_ms()) => {
            cost_of_more(spent, &more, finding.share_of_change)
        }
        FindingCost::Latency(spent) => {
            let stats::ClosedInterval { low, high } = spent.ms.interval;
            let alone = if spent.ms.n == 1 { ", within this run only" } else { "" };
            format!(
                "{} of the mean latency, {} {}{alone}",
                units::format_percent(spent.share),
                signed_milliseconds(spent.ms.point),
                units::format_interval(&signed_milliseconds(low), &signed_milliseconds(high))
            )
        }
        FindingCost::Throughput { share } => format!("{} of the throughput", units::format_percent(*share)),
        FindingCost::NotAttributable => "cost not attributable".to_owned(),
    }
}

/// A share of the change where it is known, as in what the findings explain together.
fn cost_of_more(spent: &SpentTime, more: &stats::Estimate, share_of_change: Option<f64>) -> String {
    let share = match share_of_change {
        Some(share) => format!("{} of the change", units::format_percent(share)),
        None => {
            let share = spent.share * (more.point / spent.ms.point).min(1.0);
            format!("{} of the mean latency", units::format_percent(share))
        }
    };
    format!(
        "{} more than on the other side {}, {share}",
        signed_milliseconds(more.point),
        units::format_interval(&signed_milliseconds(more.interval.low), &signed_milliseconds(more.interval.high)),
    )
}

/// Of either sign: an interval may reach below nothing.
fn signed_milliseconds(ms: f64) -> String {
    let sign = if ms < 0.0 { "\u{2212}" } else { "" };
    format!("{sign}{}", units::format_milliseconds(ms.abs()))
}

fn describe_bearing(finding: &RankedFinding) -> String {
    let words = match &finding.bearing {
        Bearing::Difference { target } => format!("affects {target} only, or {target} more than the other side"),
        Bearing::OtherSideUnknown { of } => match &finding.beside {
            Some(beside) if *of == [beside.other.clone()] => {
                format!("found here; the difference from {} is within chance", beside.other)
            }
            Some(_) | None => format!("found here; unknown on {}", of.join(" and ")),
        },
        // Where the figures differ all the same, they are not why the sides do.
        Bearing::EverySide if finding.beside.as_ref().is_some_and(QuantityComparison::surely_differs) => {
            "affects all sides; does not account for the difference".to_owned()
        }
        Bearing::EverySide if finding.beside.as_ref().is_some_and(QuantityComparison::is_alike) => {
            "affects all sides equally".to_owned()
        }
        Bearing::EverySide => "affects all sides, without a sure difference".to_owned(),
        Bearing::MoreOnFaster { target } => {
            format!("affects {target}, the faster side, only or more; explains no loss")
        }
        Bearing::NoComparison => "one target, no comparison".to_owned(),
    };
    let quantity =
        finding.beside.as_ref().map_or(String::new(), |beside| format!(" ({})", describe_quantity(finding, beside)));
    let mut text = format!("{words}{quantity}");
    for one in &finding.overlaps {
        let share = units::format_percent(one.share);
        text.push_str(&format!("; {share} of its time is also counted by {}", one.rule));
    }
    text
}

/// `CPU time stolen: 12.0 % on new, 1.00 % on db, 9.85 times [8.1, 12]`.
fn describe_quantity(finding: &RankedFinding, beside: &QuantityComparison) -> String {
    let BesideData { name, here, other, there, ratio } = beside.into();
    let target = finding.cells.first().map_or("here", |cell| cell.target.as_str());
    let times = ratio.map_or(String::new(), |ratio| {
        let interval = units::format_interval(&units::format_count(ratio.low), &units::format_count(ratio.high));
        format!(", {} times {interval}", units::format_count(ratio.point))
    });
    format!("{name}: {here} on {target}, {there} on {other}{times}")
}

fn confidence_word(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

pub(crate) fn describe_figure(figure: &EvidenceFigure) -> String {
    format!("{}: {}", figure.name, format_amount(&figure.amount))
}

fn format_amount(amount: &FigureAmount) -> String {
    match amount {
        FigureAmount::Share(share) => units::format_percent(*share),
        FigureAmount::Ms(ms) => units::format_milliseconds(*ms),
        FigureAmount::S(s) => units::format_milliseconds(s * 1e3),
        FigureAmount::Count(count) => units::format_count(*count),
        FigureAmount::PerS(per_s) => format!("{}/s", units::format_count(*per_s)),
        FigureAmount::Tps(per_s) => units::format_tps(*per_s),
        FigureAmount::Bytes(bytes) => units::format_bytes(*bytes),
        FigureAmount::BytesPerS(per_s) => format!("{}/s", units::format_bytes(*per_s)),
        FigureAmount::Text(text) => text.clone(),
        FigureAmount::Plans(plans) => part_at(plans),
    }
}

fn plans_data(amount: &FigureAmount) -> Option<PlansData> {
    if let FigureAmount::Plans(plans) = amount { Some(plans.into()) } else { None }
}

/// The first nodes that differ: `Seq Scan on t; db has Index Scan using t_pkey on t`, or the node that takes longer.
fn part_at(plans: &PlansBeside) -> String {
    let node = |lines: &[String]| {
        let line =
            lines.get(plans.differs_at).map(|line| line.trim().split_once(':').map_or(line.as_str(), |(name, _)| name));
        line.unwrap_or("no further node").to_owned()
    };
    let (here, there) = (node(&plans.here.lines), node(&plans.there.lines));
    // Plans of the same shape part in what a node takes.
    if here == there { format!("{here} on both sides") } else { format!("{here}; {} has {there}", plans.there.target) }
}

fn describe_windows(windows: &[TrialWindow]) -> String {
    let (named, more) = windows.split_at(windows.len().min(NAMED));
    let mut said: Vec<String> = named
        .iter()
        .map(|TrialWindow { trial, from_s, to_s }| {
            // Standstills are known to the tenth of a second, all else to the second.
            let digits = usize::from([from_s, to_s].iter().any(|at_s| (*at_s - at_s.round()).abs() >= 0.05));
            format!("trial {trial}: {from_s:.digits$} to {to_s:.digits$} s")
        })
        .collect();
    if !more.is_empty() {
        said.push(format!("{} more", more.len()));
    }
    said.join("; ")
}

fn count_of_cells(count: usize) -> String {
    if count == 1 { "1 cell".to_owned() } else { format!("{count} cells") }
}

#[cfg(test)]
mod tests {
    use judge::compare::ComparisonPlace;
    use judge::diagnose::{CaseFinding, Confirm};

    use super::*;

    #[test]
    fn a_time_below_nothing_keeps_its_unit_and_has_a_real_minus_sign() {
        assert_eq!(signed_milliseconds(-2.5), "\u{2212}2.50 ms");
        assert_eq!(signed_milliseconds(0.04), "40.0 µs");
    }

    #[test]
    fn of_a_change_that_findings_explain_by_half_nothing_is_left_to_say() {
        let estimate =
            |point| stats::Estimate { point, interval: stats::ClosedInterval { low: point, high: point }, n: 5 };
        let explained_by = |share| ExplainedChange {
            candidate: "new".to_owned(),
            place: ComparisonPlace { workload: "read".to_owned(), clients: 4.into() },
            slower: "new".to_owned(),
            change: estimate(0.2),
            change_ms: estimate(1.2),
            share: estimate(share),
            by: Vec::new(),
            left: vec![
                Left { part: LatencyPiece::Part(BudgetPart::OnCpu), share: 0.4 },
                Left { part: LatencyPiece::WaitingLonger, share: 0.1 },
            ],
            hop: None,
            unlike: Vec::new(),
        };
        assert_eq!(mostly_unexplained(&explained_by(0.5)), None);
        let said = mostly_unexplained(&explained_by(0.49)).expect("most of it is unexplained");
        let expected = "read, 4 clients: findings explain 49 % of the 1.20 ms by which new is slower; the largest part of \
                        the rest is spent in: on CPU or waiting for one";
        assert_eq!(said, expected);
    }

    #[test]
    fn every_form_says_that_the_other_side_is_not_known() {
        let found = CaseFinding {
            title: "held back by its CPU limit".to_owned(),
            kind: FindingKind::Problem,
            confidence: Confidence::High,
            cost: FindingCost::NotAttributable,
            figures: Vec::new(),
            windows: Vec::new(),
            chart: None,
            would_disprove: "no throttled period".to_owned(),
            confirm: Confirm { expect: "it goes".to_owned(), by_hand: None, plan: None },
            mend: None,
        };
        let bearing = Bearing::OtherSideUnknown { of: vec!["db".to_owned()] };
        let finding = RankedFinding {
            rule: judge::diagnose::RULES[0],
            cells: Vec::new(),
            bearing,
            beside: None,
            share_of_change: None,
            overlaps: Vec::new(),
            found,
        };
        let diagnosis = Diagnosis { findings: vec![finding], ..Diagnosis::default() };
        let words = "found here; unknown on db";
        assert!(diagnosis_for_terminal(&diagnosis, None).contains(words));
        assert!(diagnosis_markdown(&diagnosis).contains(words));
        let data = &diagnosis_data(&diagnosis).findings[0];
        assert_eq!((data.bearing, data.bearing_text.as_str()), (BearingData::OtherSideUnknown, words));
    }

    #[test]
    fn amounts_have_their_units() {
        for (given, expected) in [
            (FigureAmount::Share(0.125), "12.5 %"),
            (FigureAmount::Ms(1.5), "1.50 ms"),
            (FigureAmount::S(2.0), "2.00 s"),
            (FigureAmount::Count(3.0), "3"),
            (FigureAmount::PerS(12_300.0), "12.3k/s"),
            (FigureAmount::Tps(4210.0), "4210 tps"),
            (FigureAmount::Bytes(16_777_216.0), "16 MiB"),
            (FigureAmount::BytesPerS(1536.0), "1.50 KiB/s"),
            (FigureAmount::Text("try".to_owned()), "try"),
        ] {
            assert_eq!(format_amount(&given), expected);
        }
    }
}
