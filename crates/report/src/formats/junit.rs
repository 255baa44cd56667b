//! JUnit XML, as test reporters of CI read it: a comparison is a test, which fails where there is a regression and is
//! skipped where there is not enough data; so is each requirement. What could not be measured is a test with an error:
//! a workload that works nowhere, and a run that did not come to its end.

use std::time::Duration;

use judge::Judgement;
use judge::beside::{JudgedCost, JudgedStatement, SecondaryRuling, StatementId};
use judge::codes::RESULTS_DIFFER;
use judge::compare::{ComparisonPlace, PairJudgement, PairStanding, RunState};
use judge::events::{EventOver, Required};
use judge::failures::{self, DoesNotWork};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use stats::verdict::Verdict;

use super::{ReportData, place_of_comparison};
use crate::required::{ComplianceData, RequirementData};
use crate::sections::costs_and_statements::foremost_statements;
use crate::sections::events::{event_sentences, requirement_text};

/// A requirement of an event as a test.
fn of_event(over: &EventOver, required: &Required) -> TestCase {
    let place = name_of_cell(&over.cell.target, &over.cell.workload, over.cell.clients.known_count());
    let name = format!("{place}: {}", requirement_text(required));
    let mut case = TestCase::new(name, status_of_compliance(required.ruling.into(), event_sentences(over).join("; ")));
    case.set_classname(format!("event {}", over.event));
    case
}

/// A requirement of a workload as a test.
fn of_workload(required: &RequirementData) -> TestCase {
    let name = format!("{}: {}", name_of_cell(&required.target, &required.workload, required.clients), required.text);
    let mut case = TestCase::new(name, status_of_compliance(required.compliance, required.measured_text.clone()));
    case.set_classname("required");
    case
}

/// The verdict on a cost as a test.
fn of_cost(one: &JudgedCost, baseline: &str) -> TestCase {
    let name = format!("{}: {}", describe_place(&one.place), one.cost.name());
    let mut case = TestCase::new(name, of_ruling(&one.ruling, &judge::of_cost(one)));
    case.set_classname(format!("{} against {baseline}: costs", one.candidate));
    case
}

/// The verdict on a statement as a test.
fn of_statement(one: &JudgedStatement, judgement: &Judgement, baseline: &str) -> TestCase {
    // Two texts may begin alike.
    let id = match &one.statement {
        StatementId::Captured { fingerprint, .. } => format!(" ({fingerprint})"),
        StatementId::One { .. } | StatementId::Rare(_) => String::new(),
    };
    let name = format!("{}: {}{id}", describe_place(&one.place), one.statement.name());
    let mut case = TestCase::new(name, status_of_statement(one, judgement));
    case.set_classname(format!("{} against {baseline}: statements", one.candidate));
    case
}

/// What returns something else fails before any time is asked.
fn status_of_statement(one: &JudgedStatement, judgement: &Judgement) -> TestCaseStatus {
    if let StatementId::Captured { fingerprint, .. } = &one.statement
        && judgement.issues.iter().any(|issue| *issue.code == RESULTS_DIFFER)
    {
        for results in &judgement.results {
            if results.candidate != one.candidate || results.place != one.place {
                continue;
            }
            if let Some(differing) = results.difference_of(fingerprint) {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(differing.in_words());
                return status;
            }
        }
    }
    of_ruling(&one.ruling, &judge::of_statement(one))
}

fn describe_place(place: &ComparisonPlace) -> String {
    format!("{}, {}", place.workload, judge::units::format_clients(place.clients))
}

/// What does not decide fails only where it is worse by more than its threshold for sure, as it does for the exit
/// status.
fn of_ruling(ruling: &SecondaryRuling, text: &str) -> TestCaseStatus {
    let mut status = match ruling.verdict {
        Verdict::Regressed if ruling.is_beyond => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::Regressed | Verdict::Improved | Verdict::Equivalent | Verdict::NotWorse => TestCaseStatus::success(),
        Verdict::NotBetter | Verdict::NotEnoughData { .. } | Verdict::SoFar => TestCaseStatus::skipped(),
    };
    status.set_message(format!("{text}: {}", ruling.verdict.name_in_reports()));
    status
}

/// A workload of targets that are compared with nothing.
fn works_nowhere(found: &DoesNotWork) -> TestCase {
    let fails: Vec<String> =
        found.targets.iter().map(|cell| failures::describe_failing_side(&cell.target, &cell.account)).collect();
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(format!("does not work: {}", fails.join("; ")));
    let clients = judge::units::format_clients(found.place.clients);
    let mut case = TestCase::new(format!("{} · {clients}", found.place.workload), status);
    case.set_classname("works");
    case
}

/// Whether one of the pairs, which stand so, says already that a workload works nowhere.
fn is_compared(found: &DoesNotWork, pairs: &[PairJudgement], standings: &[PairStanding]) -> bool {
    for (pair, standing) in pairs.iter().zip(standings) {
        if pair.place == found.place && *standing == PairStanding::DoesNotWork {
            return true;
        }
    }
    false
}

/// A run that did not come to its end: its command had the status of what could not be measured.
fn cut_short(state: RunState) -> Option<TestCase> {
    let message = match state {
        // One in progress has no status yet.
        RunState::Complete | RunState::Running => return None,
        RunState::Interrupted => "the run was interrupted; `pgdyno resume` continues it",
        RunState::Unfinished => "the run is unfinished: trials are missing; `pgdyno resume` continues it",
    };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(message);
    let mut case = TestCase::new("the run came to its end", status);
    case.set_classname("run");
    Some(case)
}

fn name_of_cell(target: &str, workload: &str, clients: Option<u32>) -> String {
    let clients = clients.map_or(String::new(), |clients| format!(" · {}", judge::units::format_clients(clients)));
    format!("{target} · {workload}{clients}")
}

fn status_of_compliance(compliance: ComplianceData, message: String) -> TestCaseStatus {
    let mut status = match compliance {
        ComplianceData::Kept => TestCaseStatus::success(),
        ComplianceData::Broken => TestCaseStatus::non_success(NonSuccessKind::Failure),
        ComplianceData::NotEnoughData => TestCaseStatus::skipped(),
    };
    status.set_message(message);
    status
}

/// The comparisons of a run as tests; what stands among all of them decides, as it does for the exit status.
pub fn junit_xml(judgement: &Judgement, data: &ReportData) -> String {
    let mut suite = TestSuite::new(data.run.name.clone());
    let standing = judgement.comparison.all_standings();
    for (one, standing) in data.comparisons.iter().chain(&data.further).zip(&standing) {
        let change = one.metrics.first().and_then(|metric| metric.change);
        let figure = change.map_or(String::new(), |change| {
            format!("{}: ", judge::units::change_with_interval(change.point, change.low, change.high))
        });
        let words = format!("{figure}{}", one.verdict_text);
        let mut status = match standing {
            PairStanding::Gain | PairStanding::Equivalent | PairStanding::NoLoss => TestCaseStatus::success(),
            PairStanding::Loss => TestCaseStatus::non_success(NonSuccessKind::Failure),
            PairStanding::Undecided => TestCaseStatus::skipped(),
            PairStanding::DoesNotWork => TestCaseStatus::non_success(NonSuccessKind::Error),
        };
        status.set_message(words.clone());
        let mut case = TestCase::new(place_of_comparison(one), status);
        case.set_classname(format!("{} against {}", one.candidate, one.baseline));
        case.set_system_out(words);
        suite.add_test_case(case);
    }
    suite.add_test_cases(judgement.beside.costs.iter().map(|one| of_cost(one, &data.baseline)));
    suite.add_test_cases(
        foremost_statements(judgement).into_iter().map(|one| of_statement(one, judgement, &data.baseline)),
    );
    for found in &judgement.does_not_work {
        if !is_compared(found, &judgement.comparison.pairs, &standing) {
            suite.add_test_case(works_nowhere(found));
        }
    }
    suite.add_test_cases(cut_short(judgement.comparison.state));
    suite.add_test_cases(data.required.iter().map(of_workload));
    for over in &judgement.events {
        suite.add_test_cases(over.required.iter().map(|required| of_event(over, required)));
    }
    let mut report = Report::new("pgdyno");
    report.set_time(Duration::from_secs_f64(data.run.measured_s.max(0.0)));
    report.add_test_suite(suite);
    report.to_string().expect("text without characters that XML forbids")
}
