//! Everything that is concluded from a run, put together.

mod beside_words;
mod doubts;
mod headline;
mod remarks;
mod result_issues;
mod separate;
mod together;
mod unread;

use std::collections::BTreeMap;

use results::trial::Trial;
use results::tuning::Tuning;
use stats::paired::change_of_log_ratios;
use stats::{ConfidenceLevel, Estimate};

pub use beside_words::{is_nothing_beside_something, of_cost, of_statement, side_in_words};
pub use remarks::RunRemarks;
pub use separate::{Incomparable, judge_separate};

use crate::audit::{self, BenchmarkAudit};
use crate::beside::{self, SecondaryVerdicts};
use crate::budget::{self, PairBudget};
use crate::captured_limits::limits_of_captured_loads;
use crate::captured_results::{self, ResultComparison};
use crate::caveats::{self, CaveatsOfTrials};
use crate::codes::{Code, RESULTS_DIFFER, UNDECLARED_DIFFERENCE};
use crate::compare::{Comparison, Observations, PairStanding, RunQuestion, compare_sides};
use crate::cost::{self, WorkloadPrice};
use crate::diagnose::{Diagnosis, diagnose_run};
use crate::disks::{self, DisksJudged};
use crate::events::{self, EventOver};
use crate::failures::{self, CellAccount, DoesNotWork};
use crate::fidelity::{self, ReplayFidelity};
use crate::issue::{self, Issue};
use crate::maintenance::{self, Maintenance};
use crate::observed::Observed;
use crate::off_cpu::{self, PairSleeps};
use crate::profile::{self, PairProfile};
use crate::registry::{code_named, current_name};
use crate::rehearsal::{self, UpgradeRehearsal};
use crate::required::{self, Compliance, Requirement};
use crate::script_figures::{ScriptFigures, script_figures_of_run};
use crate::server_statements::{self, ServerStatements};
use crate::statements::{self, PairStatements, TargetStatements};
use crate::surroundings::RunSurroundings;
use crate::workloads::{self, WorkloadInWords};

/// What is concluded from a run.
#[derive(Debug)]
pub struct Judgement {
    /// The sides beside each other.
    pub comparison: Comparison,
    /// Seconds of all measurement phases.
    pub measured_s: f64,
    /// What it cost at most to observe host and server, as a share of the time of one CPU; absent where nobody did.
    pub observer: Option<f64>,
    /// By what share the throughput differs in fifths of a second with the probes from their neighbours without; absent
    /// where the probes did not pause.
    pub observing: Option<Estimate>,
    /// Pairs of them that are left out of it, because CPU time was stolen meanwhile.
    pub stolen_pairs_excluded: u64,
    /// What does not decide, judged all the same: costs and statements.
    pub beside: SecondaryVerdicts,
    /// Whether both sides of a captured load return the same, pair by pair.
    pub results: Vec<ResultComparison>,
    /// How near the replays of captured loads are to the captures, place by place.
    pub fidelity: Vec<ReplayFidelity>,
    /// What an upgrade would change, candidate by candidate; none where it was not rehearsed.
    pub rehearsals: Vec<UpgradeRehearsal>,
    /// Why it is so.
    pub diagnosis: Diagnosis,
    /// Where the time went, for each pair that tells.
    pub budgets: Vec<PairBudget>,
    /// What the time on a CPU went into, for each pair whose server was sampled.
    pub profiles: Vec<PairProfile>,
    /// Where the sessions sleep in the kernel, for each pair in which that is felt.
    pub kernel_sleeps: Vec<PairSleeps>,
    /// Which statements took the clients' time, for each pair that tells.
    pub statements: Vec<PairStatements>,
    /// The same of a target that is compared with nothing.
    pub statements_alone: Vec<TargetStatements>,
    /// The scripts of workloads that have several, target by target.
    pub scripts: Vec<ScriptFigures>,
    /// Loads beside, standbys that are read, and credits of providers.
    pub surroundings: RunSurroundings,
    /// What followed the events.
    pub events: Vec<EventOver>,
    /// What became of the transactions of every target at every place.
    pub accounts: Vec<CellAccount>,
    /// The places at which no target completes anything.
    pub does_not_work: Vec<DoesNotWork>,
    /// What the plan requires of its workloads.
    pub required: Vec<Requirement>,
    /// What a million transactions cost, where the plan says what a target does.
    pub prices: Vec<WorkloadPrice>,
    /// Checkpoints and autovacuums of every target at every place.
    pub maintenance: Vec<Maintenance>,
    /// The statements that took most of the server's time, of every cell whose statements were counted.
    pub server_statements: Vec<ServerStatements>,
    /// What the workloads are.
    pub workloads: Vec<WorkloadInWords>,
    /// The rounds of the tuning that this run ends.
    pub tuning: Option<Tuning>,
    /// What the disks can do, and what that means for the workloads.
    pub disks: DisksJudged,
    /// Reasons to trust single trials less.
    pub caveats: CaveatsOfTrials,
    /// Trials that were not steady while measuring, with what was found.
    pub unsteady: BTreeMap<u32, String>,
    /// What must hold, or the comparison is not one; absent where one side was measured by pgdyno
    /// and the other by another tool.
    pub audit: Option<BenchmarkAudit>,
    /// Everything of it, each fact once, the strongest effect first.
    pub issues: Vec<Issue>,
    /// The codes that are left out on request.
    pub ignored: Vec<&'static Code>,
    /// What the plan says to the reader.
    pub remarks: RunRemarks,
    /// The sentence at the top.
    pub headline: String,
    /// Of which targets much of the measured time could not be read, a sentence each: it stands beside the headline.
    pub unread: Vec<String>,
}

/// What a run says to whoever asked whether there is a regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegressionAnswer {
    /// There is none beyond the practical threshold.
    NoRegression,
    /// There is one, or a candidate is broken.
    Regression,
    /// A workload completes nothing on any target that it was measured on, and there is no regression.
    DoesNotWork,
    /// What the plan requires does not hold, and there is no regression.
    Broken,
    /// Not every comparison is settled.
    NotEnoughData,
}

impl Judgement {
    /// The answer, over all pairs, all that is judged beside them, and all that is required. The first that applies: a
    /// loss; a workload that works nowhere, since nothing that is said of it is of the targets; a broken requirement;
    /// something undecided.
    pub fn answer(&self) -> RegressionAnswer {
        let standings = self.comparison.all_standings();
        let of_events = self.events.iter().flat_map(|over| &over.required).map(|it| it.ruling);
        let rulings: Vec<Compliance> = self.required.iter().map(|it| it.ruling).chain(of_events).collect();
        // One that is ignored is no issue.
        let returns_else = self.issues.iter().any(|issue| *issue.code == RESULTS_DIFFER);
        if standings.contains(&PairStanding::Loss) || self.beside.is_any_loss() || returns_else {
            RegressionAnswer::Regression
        } else if standings.contains(&PairStanding::DoesNotWork) || !self.does_not_work.is_empty() {
            RegressionAnswer::DoesNotWork
        } else if rulings.contains(&Compliance::Broken) {
            RegressionAnswer::Broken
        } else if standings.contains(&PairStanding::Undecided) || rulings.contains(&Compliance::NotEnoughData) {
            RegressionAnswer::NotEnoughData
        } else {
            RegressionAnswer::NoRegression
        }
    }

    /// The codes that are left out, in words; none where none is.
    pub fn ignored_in_words(&self) -> Option<String> {
        let names: Vec<&str> = self.ignored.iter().map(|code| code.name).collect();
        (!names.is_empty()).then(|| format!("ignored: {}", names.join(", ")))
    }

    /// Leaves out what has one of these codes, and notes that it does. What follows from the figures stays: a verdict,
    /// and the share of a change that is explained.
    pub fn leave_out(&mut self, codes: &[&'static Code]) {
        self.issues.retain(|issue| !codes.contains(&issue.code));
        for issue in &mut self.issues {
            if let Some(index) = issue.finding {
                let before =
                    self.diagnosis.findings[..index].iter().filter(|finding| codes.contains(&finding.rule.code));
                issue.finding = Some(index - before.count());
            }
        }
        self.diagnosis.findings.retain(|finding| !codes.contains(&finding.rule.code));
        for explained in &mut self.diagnosis.explained {
            explained.by.retain(|by| !codes.contains(&by.rule.code));
        }
        self.diagnosis.unanswered.retain(|unanswered| !codes.contains(&unanswered.rule.code));
        if let Some(audit) = &mut self.audit {
            audit.leave_out(codes);
        }
        for caveats in self.caveats.values_mut() {
            caveats.retain(|caveat| !codes.contains(&caveat.code()));
        }
        if codes.contains(&&UNDECLARED_DIFFERENCE) {
            self.comparison.confounders.clear();
        }
        for code in codes {
            if !self.ignored.contains(code) {
                self.ignored.push(code);
            }
        }
    }
}

/// Judges one run by its plan's own question.
pub fn judge_run(observed: &Observed) -> Judgement {
    judge_question(observed, RunQuestion::of_run(observed))
}

/// Judges one run that is being measured: what is known so far, with verdicts only where the stopping rule has ended
/// the comparison.
pub fn judge_so_far(observed: &Observed) -> Judgement {
    let comparison = compare_sides(observed, RunQuestion::of_run(observed)).so_far(observed);
    conclude_judgement(observed, comparison, caveats::of_run(observed), true, Vec::new())
}

/// Judges one run by another question, such as one with another threshold.
pub fn judge_question(observed: &Observed, question: RunQuestion) -> Judgement {
    conclude_judgement(observed, compare_sides(observed, question), caveats::of_run(observed), true, Vec::new())
}

/// Everything else that is concluded from the same observations. `audited`: whether an audit has an account of both
/// sides;
/// `doubts` come before those that every run may have.
fn conclude_judgement(
    observed: &Observed,
    comparison: Comparison,
    caveats: CaveatsOfTrials,
    audited: bool,
    of_both: Vec<Issue>,
) -> Judgement {
    let question = &comparison.question;
    let observations = Observations::of_run(observed, question);
    let disks = disks::of_run(observed, question, &observations);
    let budgets = budget::of_pairs(observed, &comparison, &observations);
    let profiles = profile::of_pairs(observed, &comparison, &observations, &budgets);
    let kernel_sleeps = off_cpu::of_pairs(observed, &comparison, &observations, &budgets);
    let statements = statements::of_pairs(observed, question, &observations);
    let statements_alone = statements::of_one(observed, question, &observations);
    let beside = beside::judge_beside(observed, &comparison, &observations);
    let results = captured_results::compare_results(observed, question, &observations);
    let fidelity = fidelity::fidelity_of_run(observed, question, &observations);
    let does_not_work = failures::does_not_work(question, &observations);
    let required = all_requirements(observed, &comparison, &observations, &beside);
    let unsteady = doubts::unsteadiness_by_trial(&observed.trials, &observed.series);
    let audit = audited.then(|| audit::audit_material(&audit::of_run(observed, &comparison, &budgets, &disks)));
    let diagnosis = diagnose_run(observed, question);
    let mut issues = result_issues::of_captured_loads(observed, &results, &fidelity);
    issues.extend(issue::of_findings(&diagnosis.findings));
    issues.extend(issue::of_confounders(&comparison.confounders));
    issues.extend(audit.iter().flat_map(issue::of_audit).chain(of_both));
    issues.extend(doubts::of_run(observed, &unsteady, &comparison.noise_floor));
    issues.extend(caveat_issues(observed, &caveats, audited));
    issues.extend(doubts::one_server_each(observed, &comparison.question.baseline, &comparison.pairs));
    debug_assert!(issues.iter().all(Issue::has_listed_effect), "an issue with an effect that its code does not list");
    let judgement = Judgement {
        measured_s: observed.measured_s(),
        observer: observer_cost_share(&observed.trials),
        observing: observing_change(&observed.trials),
        stolen_pairs_excluded: stolen_pairs_excluded(observed),
        remarks: remarks::remarks_of_run(observed),
        headline: headline_of_run(observed, &comparison, (&beside, &results), &disks, &does_not_work),
        unread: unread::of_run(observed),
        accounts: failures::accounts_of_cells(question, &observations),
        does_not_work,
        diagnosis,
        beside,
        results,
        fidelity,
        rehearsals: rehearsal::rehearsals_of_run(observed),
        budgets,
        profiles,
        kernel_sleeps,
        statements,
        statements_alone,
        scripts: script_figures_of_run(question, &observations),
        surroundings: RunSurroundings::of_run(observed, question, &observations),
        events: events::of_run(observed),
        prices: cost::of_run(observed.plan.as_ref(), &comparison, &required),
        required,
        maintenance: maintenance::of_run(observed),
        server_statements: server_statements::of_run(observed),
        workloads: workloads::of_run(observed),
        tuning: observed.tuning.clone(),
        disks,
        caveats,
        unsteady,
        audit,
        issues: issue::merge_issues(issues),
        ignored: Vec::new(),
        comparison,
    };
    without_ignored(judgement, observed)
}

/// The same without the codes that the plan ignores.
fn without_ignored(mut judgement: Judgement, observed: &Observed) -> Judgement {
    let ignored = observed.plan.iter().flat_map(|plan| &plan.ignore).filter_map(|name| code_named(current_name(name)));
    judgement.leave_out(&ignored.collect::<Vec<_>>());
    judgement
}

/// What is said against trials. A check of the audit knows more of the same question, and answers it.
fn caveat_issues(observed: &Observed, caveats: &CaveatsOfTrials, audited: bool) -> Vec<Issue> {
    issue::of_caveats(&observed.trials, caveats, |caveat| {
        audited && audit::CHECKS.iter().any(|check| check.code == caveat.code())
    })
}

/// What the plan requires of its workloads.
fn all_requirements(
    observed: &Observed,
    comparison: &Comparison,
    observations: &Observations<'_>,
    beside: &SecondaryVerdicts,
) -> Vec<Requirement> {
    let plan = observed.plan.as_ref();
    let mut required = required::of_run(plan, &comparison.question, observations);
    required.extend(limits_of_captured_loads(plan, &comparison.pairs, beside));
    required
}

fn stolen_pairs_excluded(observed: &Observed) -> u64 {
    let mut excluded = 0;
    for cost in observed.trials.iter().filter_map(|trial| trial.observer.as_ref()) {
        excluded += cost.stolen_pairs_excluded;
    }
    excluded
}

/// The sentence at the top: of the comparison, or of the disks where nothing else was measured.
fn headline_of_run(
    observed: &Observed,
    comparison: &Comparison,
    (beside, results): (&SecondaryVerdicts, &[ResultComparison]),
    disks: &DisksJudged,
    does_not_work: &[DoesNotWork],
) -> String {
    if observed.plan.is_none() && observed.trials.is_empty() && !disks.disks.is_empty() {
        return disks::headline_of_disks(disks);
    }
    let question = &comparison.question;
    if comparison.pairs.is_empty() && !does_not_work.is_empty() {
        return headline::works_nowhere(does_not_work);
    }
    if comparison.pairs.is_empty() && !question.candidates.is_empty() {
        return "Nothing is compared yet: no trial of both sides has ended.".to_owned();
    }
    let words = headline::WordsBeside { beside, results };
    let threshold = question.threshold.as_share();
    let mut said = headline::headline_over_pairs(&comparison.pairs, words, threshold);
    if !comparison.further.is_empty() {
        // What is judged beside the deciding metrics is of the pairs with the baseline.
        let none = SecondaryVerdicts::default();
        let words = headline::WordsBeside { beside: &none, results: &[] };
        said.push('\n');
        said.push_str(&headline::headline_over_pairs(&comparison.further, words, threshold));
    }
    said
}

/// The cost of observing over all trials that tell it.
fn observer_cost_share(trials: &[Trial]) -> Option<f64> {
    let costs = trials.iter().filter_map(|trial| trial.observer.as_ref());
    let (spent_us, over_us) = costs.fold((0, 0), |(spent_us, over_us), cost| {
        (spent_us + cost.probes_us + cost.samples_us, over_us + cost.over_us)
    });
    (over_us > 0).then(|| spent_us as f64 / over_us as f64)
}

/// The change of the throughput by observing, over all pairs of all trials.
fn observing_change(trials: &[Trial]) -> Option<Estimate> {
    let ratios = trials.iter().filter_map(|trial| trial.observer.as_ref()).flat_map(|cost| &cost.ratios);
    let logarithms: Vec<f64> = ratios.map(|ratio| ratio.ln()).collect();
    change_of_log_ratios(&logarithms, ConfidenceLevel::NINETY_FIVE)
}
