//! Series of points, their segments, and where their levels changed.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

use results::history::{Accepted, BrokenCell, History, MetricDirection, Point};
use results::trial::Cell;
use stats::Estimate;
use stats::shift::{FEWEST_FIGURES, change_between, find_shifts};
use stats::verdict::{self, PracticalThreshold, Verdict, verdict_of_interval};

use super::contract::{FactChange, FactsByName, fact_changes, in_words_of_today};
use super::doubts::ChangeDoubts;
use crate::RegressionAnswer;

/// The seed of the orders that a test draws: the same history always gives the same answer.
const SEED: u64 = 1;

/// A metric of a cell over time.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSeries<'a> {
    /// The cell.
    pub cell: &'a Cell,
    /// The metric.
    pub metric: &'a str,
    /// In the order of time; at least one.
    pub segments: Vec<Segment<'a>>,
}

/// Points that can be compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Segment<'a> {
    /// Why its points are not those of the segment before.
    pub beginning: Beginning<'a>,
    /// In the order of time; at least one.
    pub points: Vec<&'a Point>,
    /// Where their level changed, in the order of time.
    pub changes: Vec<LevelChange<'a>>,
}

/// Why a segment begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Beginning<'a> {
    /// There is nothing before it.
    First,
    /// The conditions changed.
    Contract(Vec<FactChange>),
    /// The level is accepted, for this reason.
    Accepted(&'a str),
}

/// A change of level between two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelChange<'a> {
    /// Place in the segment of the first point of the new level.
    pub at: usize,
    /// The last point of the old level.
    pub before: &'a Point,
    /// The first point of the new level.
    pub after: &'a Point,
    /// New level / old level − 1.
    pub change: Estimate,
    /// The share of orders of the points in which a cut parts them as well.
    pub p_value: f64,
    /// Whether it is for the better.
    pub verdict: Verdict,
    /// What of server and pgdyno changed between the two runs, and is no condition.
    pub meanwhile: Vec<FactChange>,
    /// Where it is for the worse and was not made good since: last level / level before it − 1.
    pub stands: Option<Estimate>,
    /// What the runs of the two levels say against their own figures.
    pub doubts: ChangeDoubts,
}

/// Runs between two changes.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLevel {
    /// Their places in the segment.
    pub runs: Range<usize>,
    /// Geometric mean of their figures: changes are of such means.
    pub mean: f64,
}

impl Segment<'_> {
    /// Its levels, in the order of time.
    pub fn levels(&self) -> Vec<RunLevel> {
        let mut levels = Vec::new();
        let mut start = 0;
        for end in self.changes.iter().map(|change| change.at).chain([self.points.len()]) {
            let logs: f64 = self.points[start..end].iter().map(|point| point.point.ln()).sum();
            levels.push(RunLevel { mean: (logs / (end - start) as f64).exp(), runs: start..end });
            start = end;
        }
        levels
    }

    /// The unit of its figures.
    pub fn unit(&self) -> &str {
        &self.newest_point().unit
    }

    fn newest_point(&self) -> &Point {
        self.points.last().expect("a segment has points")
    }

    /// How many runs are missing until a change can be told from chance.
    pub fn missing_runs(&self) -> usize {
        FEWEST_FIGURES.saturating_sub(self.points.len())
    }
}

impl MetricSeries<'_> {
    /// The segment that the next run belongs to, if its conditions are as they are.
    pub fn last_segment(&self) -> &Segment<'_> {
        self.segments.last().expect("a series has points, and each is in a segment")
    }

    /// Which direction is good.
    pub fn better_direction(&self) -> MetricDirection {
        self.last_segment().newest_point().better
    }

    /// Changes for the worse that nobody made good or accepted.
    pub fn standing_regressions(&self) -> impl Iterator<Item = &LevelChange<'_>> {
        self.last_segment().changes.iter().filter(|change| change.stands.is_some())
    }
}

/// What a history says to whoever asks whether something got worse. A cell that is broken is. A change that may be what
/// its runs doubt raises no alarm, and is no good news either.
pub(super) fn answer_of_series(series: &[MetricSeries<'_>], broken: &[&BrokenCell]) -> RegressionAnswer {
    let standing: Vec<_> = series.iter().flat_map(MetricSeries::standing_regressions).collect();
    if !broken.is_empty() {
        RegressionAnswer::Broken
    } else if standing.iter().any(|change| !change.doubts.may_be_the_change) {
        RegressionAnswer::Regression
    } else if series.is_empty()
        || !standing.is_empty()
        || series.iter().any(|one| one.last_segment().missing_runs() > 0)
    {
        RegressionAnswer::NotEnoughData
    } else {
        RegressionAnswer::NoRegression
    }
}

/// The series of a history, by cell and metric. Points are put in the order of time, whatever that of the file; a run
/// that stands there twice counts once.
pub(super) fn series_of_history(history: &History) -> Vec<MetricSeries<'_>> {
    let mut by_cell: BTreeMap<(&Cell, &str), Vec<&Point>> = BTreeMap::new();
    for point in history.measured_points() {
        by_cell.entry((&point.cell, &point.metric)).or_default().push(point);
    }
    let accepted = accepted_points(history);
    let mut all = Vec::new();
    for ((cell, metric), mut points) in by_cell {
        points.sort_by(|a, b| in_time(a, b));
        points.dedup_by(|a, b| a.run == b.run);
        all.push(MetricSeries { cell, metric, segments: split_into_segments(&points, &accepted) });
    }
    all
}

/// Runs in the order of time; those that began at once by their names.
fn in_time(a: &Point, b: &Point) -> Ordering {
    (a.at, &a.run).cmp(&(b.at, &b.run))
}

/// What was accepted, with a point of the first run of it; of runs that are in the history.
fn accepted_points(history: &History) -> Vec<(&Point, &Accepted)> {
    history
        .accepted_levels()
        .filter_map(|accepted| Some((history.measured_points().find(|point| point.run == accepted.run)?, accepted)))
        .collect()
}

fn split_into_segments<'a>(points: &[&'a Point], accepted: &[(&'a Point, &'a Accepted)]) -> Vec<Segment<'a>> {
    let mut begun: Vec<(Beginning<'a>, Vec<&'a Point>)> = Vec::new();
    // What was known last of each fact of the segment: a run that could not read one breaks nothing.
    let mut known = FactsByName::new();
    for point in points {
        let facts = facts_of(point);
        match begun.last_mut() {
            None => begun.push((Beginning::First, vec![*point])),
            Some((_, before)) => {
                let previous = before.last().expect("a segment has points");
                let because = accepted
                    .iter()
                    .rev()
                    .find(|(since, _)| in_time(previous, since).is_lt() && in_time(since, point).is_le());
                let differs = fact_changes(&known, &facts);
                if !differs.is_empty() {
                    begun.push((Beginning::Contract(differs), vec![*point]));
                    known.clear();
                } else if let Some((_, accepted)) = because {
                    begun.push((Beginning::Accepted(&accepted.because), vec![*point]));
                } else {
                    before.push(*point);
                }
            }
        }
        known.extend(facts);
    }
    let count = begun.len();
    begun
        .into_iter()
        .enumerate()
        .map(|(index, (beginning, points))| {
            let changes = level_changes(&points, index + 1 == count);
            Segment { beginning, points, changes }
        })
        .collect()
}

/// The contract, and the unit: figures in another one cannot be compared, whatever else is alike.
fn facts_of(point: &Point) -> FactsByName {
    let mut facts = in_words_of_today(&point.contract);
    facts.insert("unit".to_owned(), point.unit.clone());
    facts
}

fn level_changes<'a>(points: &[&'a Point], is_last: bool) -> Vec<LevelChange<'a>> {
    let Some(last) = points.last() else { return Vec::new() };
    let threshold = PracticalThreshold::new(last.threshold).expect("a history has thresholds between 0 and 1");
    let better = match last.better {
        MetricDirection::Higher => verdict::BetterDirection::Higher,
        MetricDirection::Lower => verdict::BetterDirection::Lower,
    };
    let figures: Vec<f64> = points.iter().map(|point| point.point).collect();
    let found = find_shifts(&figures, threshold, SEED).expect("the points of a history are positive");
    let last_level = found.last().map_or(0, |shift| shift.at);
    found
        .iter()
        .enumerate()
        .filter_map(|(index, shift)| {
            let old_level = if index == 0 { 0 } else { found[index - 1].at };
            let until_now = change_between(&figures[old_level..shift.at], &figures[last_level..]);
            let verdict = verdict_of_interval(&shift.change, threshold, better)?;
            let stands = until_now.filter(|now| {
                is_last
                    && verdict == Verdict::Regressed
                    && verdict_of_interval(now, threshold, better) == Some(Verdict::Regressed)
            });
            let (before, after) = (points[shift.at - 1], points[shift.at]);
            let meanwhile = fact_changes(&of_server(before), &of_server(after));
            let (change, p_value) = (shift.change, shift.p_value);
            let until = found.get(index + 1).map_or(points.len(), |next| next.at);
            let doubts = ChangeDoubts::from_points(&points[old_level..shift.at], &points[shift.at..until]);
            Some(LevelChange { at: shift.at, before, after, change, p_value, verdict, meanwhile, stands, doubts })
        })
        .collect()
}

/// What is no condition but may be why.
fn of_server(point: &Point) -> FactsByName {
    let mut facts = point.server.clone();
    facts.insert("pgdyno".to_owned(), point.pgdyno_version.clone());
    facts
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use results::history::{FORMAT, HistoryLine, RunDoubt};

    use super::*;
    use crate::history::DoubtOfRuns;

    /// A point of the run of this number, an hour after the one before.
    fn point(number: i64, figure: f64) -> Point {
        Point {
            format: FORMAT,
            run: format!("run-{number:02}"),
            at: format!("2026-11-{:02}T{:02}:00:00Z", 1 + number / 24, number % 24).parse().unwrap(),
            pgdyno_version: "0.1.0".to_owned(),
            cell: Cell { target: "pg".to_owned(), workload: "read".to_owned(), clients: 8.into() },
            metric: "throughput".to_owned(),
            unit: "tps".to_owned(),
            better: MetricDirection::Higher,
            point: figure,
            interval: None,
            trials: 3,
            threshold: 0.03,
            contract: BTreeMap::from([("kernel".to_owned(), "6.1".to_owned())]),
            server: BTreeMap::from([("work_mem".to_owned(), "4MB".to_owned())]),
            doubts: Some(Vec::new()),
        }
    }

    /// Runs of these levels one after the other, each figure a little off its level.
    fn runs(levels: &[(f64, i64)]) -> Vec<Point> {
        let figures = levels.iter().flat_map(|(level, runs)| (0..*runs).map(move |_| *level));
        let off = [0.2, -0.4, 0.1, 0.5, -0.3, -0.1, 0.4];
        figures.zip(0..).map(|(level, number)| point(number, level + off[number as usize % off.len()])).collect()
    }

    fn history(points: Vec<Point>) -> History {
        History { lines: points.into_iter().map(HistoryLine::Point).collect(), torn: None }
    }

    fn accepted(run: &str) -> HistoryLine {
        let at = "2026-12-01T00:00:00Z".parse().unwrap();
        HistoryLine::Accepted(Accepted { format: FORMAT, run: run.to_owned(), at, because: "known".to_owned() })
    }

    #[test]
    fn a_loss_is_found_between_two_runs_with_what_changed_besides() {
        let mut points = runs(&[(100.0, 12), (90.0, 4)]);
        points[12..].iter_mut().for_each(|point| drop(point.server.insert("work_mem".to_owned(), "64kB".to_owned())));
        let history = history(points);
        let series = series_of_history(&history);
        let standing: Vec<_> = series[0].standing_regressions().collect();
        assert_eq!(standing.len(), 1, "{series:?}");
        assert_eq!((standing[0].before.run.as_str(), standing[0].after.run.as_str()), ("run-11", "run-12"));
        assert!(standing[0].change.interval.contains(-0.1), "{standing:?}");
        let meanwhile = &standing[0].meanwhile;
        assert_eq!(meanwhile.iter().map(|fact| fact.name.as_str()).collect::<Vec<_>>(), ["work_mem"]);
        assert_eq!(answer_of_series(&series, &[]), RegressionAnswer::Regression);
    }

    #[test]
    fn a_gain_is_no_regression_and_where_less_is_better_it_is_one() {
        let mut points = runs(&[(100.0, 12), (120.0, 4)]);
        assert_eq!(answer_of_series(&series_of_history(&history(points.clone())), &[]), RegressionAnswer::NoRegression);
        points.iter_mut().for_each(|point| point.better = MetricDirection::Lower);
        assert_eq!(answer_of_series(&series_of_history(&history(points)), &[]), RegressionAnswer::Regression);
    }

    /// Has these runs doubt their figures.
    fn doubting(points: &mut [Point], kind: &str) {
        for point in points {
            let doubt = RunDoubt {
                kind: kind.to_owned(),
                text: format!("{kind} in {}", point.run),
                is_outcome: kind == "failures",
            };
            point.doubts.get_or_insert_default().push(doubt);
        }
    }

    #[test]
    fn an_alarm_of_runs_that_doubt_themselves_as_those_before_do_stands_and_says_so() {
        let mut points = runs(&[(100.0, 12), (90.0, 4)]);
        // By its name of earlier versions and of today.
        doubting(&mut points[..12], "placement");
        doubting(&mut points[12..], "shared-host");
        let history = history(points);
        let series = series_of_history(&history);
        let change = series[0].standing_regressions().next().expect("a loss");
        let shared_host =
            DoubtOfRuns { kind: "shared-host".to_owned(), text: "shared-host in run-15".to_owned(), runs: [12, 4] };
        assert_eq!(change.doubts.kinds, [shared_host]);
        assert_eq!(answer_of_series(&series, &[]), RegressionAnswer::Regression);
    }

    #[test]
    fn a_change_that_all_runs_after_it_doubt_and_none_before_is_not_known_to_be_one() {
        let mut points = runs(&[(100.0, 12), (90.0, 4)]);
        doubting(&mut points, "no-repetition");
        // Of one kind or another.
        doubting(&mut points[12..14], "shared-host");
        doubting(&mut points[14..], "generator-bound");
        assert_eq!(
            answer_of_series(&series_of_history(&history(points.clone())), &[]),
            RegressionAnswer::NotEnoughData
        );
        points[15].doubts.as_mut().unwrap().pop();
        assert_eq!(
            answer_of_series(&series_of_history(&history(points.clone())), &[]),
            RegressionAnswer::Regression,
            "one run does not doubt itself anew"
        );
        doubting(&mut points[15..], "generator-bound");
        doubting(&mut points[3..4], "shared-host");
        assert_eq!(
            answer_of_series(&series_of_history(&history(points.clone())), &[]),
            RegressionAnswer::Regression,
            "one before did so"
        );
        points[3].doubts = None;
        assert_eq!(
            answer_of_series(&series_of_history(&history(points)), &[]),
            RegressionAnswer::Regression,
            "of one before it is not known"
        );
        let mut points = runs(&[(100.0, 12), (90.0, 4)]);
        doubting(&mut points[12..], "failures");
        assert_eq!(
            answer_of_series(&series_of_history(&history(points)), &[]),
            RegressionAnswer::Regression,
            "more failures are no excuse"
        );
    }

    #[test]
    fn what_was_made_good_stands_no_longer() {
        let history = history(runs(&[(100.0, 12), (80.0, 10), (100.0, 12)]));
        let series = series_of_history(&history);
        assert_eq!(series[0].last_segment().changes.len(), 2, "{series:?}");
        assert_eq!(answer_of_series(&series, &[]), RegressionAnswer::NoRegression);
    }

    #[test]
    fn what_was_made_good_in_part_stands() {
        let history = history(runs(&[(100.0, 12), (70.0, 12), (85.0, 12)]));
        let series = series_of_history(&history);
        let stands = series[0].standing_regressions().next().and_then(|change| change.stands).expect("a loss");
        assert!(stands.interval.contains(-0.15), "{stands:?}");
    }

    #[test]
    fn an_accepted_level_is_compared_with_nothing_before() {
        let mut history = history(runs(&[(100.0, 12), (90.0, 12)]));
        assert_eq!(answer_of_series(&series_of_history(&history), &[]), RegressionAnswer::Regression);
        history.lines.push(accepted("run-12"));
        let series = series_of_history(&history);
        assert_eq!(series[0].last_segment().beginning, Beginning::Accepted("known"));
        assert_eq!(
            (series[0].last_segment().points.len(), answer_of_series(&series, &[])),
            (12, RegressionAnswer::NoRegression)
        );
    }

    #[test]
    fn another_contract_begins_a_segment_with_its_reason() {
        let mut points = runs(&[(100.0, 12), (50.0, 12)]);
        points[12..].iter_mut().for_each(|point| drop(point.contract.insert("kernel".to_owned(), "6.8".to_owned())));
        let history = history(points);
        let series = series_of_history(&history);
        let kernel = |from: &str, to: &str| FactChange {
            name: "kernel".to_owned(),
            from: Some(from.to_owned()),
            to: Some(to.to_owned()),
        };
        assert_eq!(series[0].last_segment().beginning, Beginning::Contract(vec![kernel("6.1", "6.8")]));
        assert_eq!(answer_of_series(&series, &[]), RegressionAnswer::NoRegression);
    }

    #[test]
    fn a_unit_that_changed_begins_a_segment() {
        let mut points = runs(&[(100.0, 20)]);
        points[10..].iter_mut().for_each(|point| point.unit = "ktps".to_owned());
        let history = history(points);
        let series = series_of_history(&history);
        let Beginning::Contract(facts) = &series[0].last_segment().beginning else { panic!("{series:?}") };
        assert_eq!(facts[0].name, "unit");
    }

    #[test]
    fn points_out_of_order_go_to_their_place_and_a_run_counts_once() {
        let mut points = runs(&[(100.0, 12), (90.0, 4)]);
        let again = points[3].clone();
        points.reverse();
        points.push(again);
        let history = history(points);
        let series = series_of_history(&history);
        let names: Vec<&str> = series[0].last_segment().points.iter().map(|point| point.run.as_str()).collect();
        assert_eq!((names.len(), names[0], names[15]), (16, "run-00", "run-15"));
        assert!(names.is_sorted());
    }

    #[test]
    fn with_too_few_runs_nothing_is_said() {
        let history = history(runs(&[(100.0, 5), (50.0, 4)]));
        let series = series_of_history(&history);
        assert_eq!(
            (series[0].last_segment().missing_runs(), answer_of_series(&series, &[])),
            (1, RegressionAnswer::NotEnoughData)
        );
        assert_eq!(answer_of_series(&[], &[]), RegressionAnswer::NotEnoughData);
    }
}
