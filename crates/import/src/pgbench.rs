//! pgbench's output: reports and progress lines, of one run or of several one after the other, standard output and
//! standard error together or apart.

use std::collections::BTreeMap;

use outputs::pgbench::{Connecting, Instant, PgbenchExtent, PgbenchReport, ProgressLine};
use results::told::{LatencySpread, StatedCommon, StatedDetail, StatedFigures, ToldLatency};

use super::between::InterveningLines;
use super::file_kind::OutputsOfKind;
use super::found::{
    FileContent, FoundCommon, FoundInterval, FoundTrial, ImportedDocument, TPS_WITHOUT_CONNECTING, TrialPart,
};
use super::source_file::SourceFile;
use super::text::{self, TextLine};
use problem::Problem;

/// What lines of a report begin with.
const OF_REPORT: [&str; 17] = [
    "pgbench (",
    "transaction type: ",
    "scaling factor: ",
    "partition",
    "query mode: ",
    "number of ",
    "maximum number of tries: ",
    "duration: ",
    "total number of retries: ",
    "latency ",
    "rate limit schedule lag: ",
    "initial connection time = ",
    "average connection time = ",
    "tps = ",
    "SQL script ",
    "statement latencies",
    "script statistics:",
];

/// What a report begins with behind its version, or does where people left out the lines before, and the lines that
/// stand for these: the parser wants all, and what they say is taken back.
const BEGINS: [&str; 3] = ["transaction type: ", "scaling factor: ", "query mode: "];
const LEFT_OUT: [&str; 2] = ["transaction type: unknown", "scaling factor: 1"];

/// Whether pgbench says that it lost a client: `client 3 aborted in state 8: ERROR: …`, `client 3 script 0 aborted in
/// …`. Before version 12 it says nothing more of it.
fn says_client_lost(line: &str) -> bool {
    let of_client = line.to_lowercase().split_once("client ").map(|(_, rest)| rest.to_owned());
    of_client.is_some_and(|rest| {
        let number = rest.split(' ').next().unwrap_or_default();
        !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) && rest.contains(" aborted in ")
    })
}

/// What pgbench says when clients were lost.
const ABORTED: &str = "Run was aborted; the above results are incomplete.";

/// Whether a text is of pgbench.
pub(crate) fn looks_like_output(head: &str) -> bool {
    head.lines().any(|line| BEGINS.iter().chain(&["pgbench (", "progress: "]).any(|begin| line.starts_with(begin)))
}

/// Reads an output. A report that ends early is said of beside others.
///
/// # Errors
/// At the first line of a report or of progress that is not what pgbench prints there.
pub(crate) fn read_pgbench_output(file: &SourceFile, text: &str) -> Result<OutputsOfKind, Problem> {
    let mut reader = PgbenchReader::of_file(file);
    let mut lines = text::lines_of_output(text).map(of_today).peekable();
    while let Some(line) = lines.next() {
        if line.text.starts_with("progress: ") {
            reader.read_progress_line(&line)?;
        } else if is_version(&line) && !lines.peek().is_some_and(begins_report) {
            reader.begin_run(line)?;
        } else if begins_report(&line) {
            if is_version(&line) {
                reader.give_up()?;
            }
            let mut report: Vec<_> = reader.version.take().into_iter().chain([line]).collect();
            while let Some(line) = lines.next_if(|line| is_of_report(line) && !begins_another(&report, line)) {
                report.push(line);
            }
            reader.read_report(&report)?;
        } else if line.text.contains(ABORTED) {
            if let Some(last) = reader.runs.last_mut() {
                last.aborted = Some("pgbench lost clients: its results are incomplete".to_owned());
            }
        } else if says_client_lost(&line.text) {
            reader.lost_clients += 1;
        } else if is_of_report(&line) && !line.text.starts_with(' ') {
            return Err(file
                .problem_at_line(line.number, format!("{:?} is not part of a report", line.text))
                .hint(INTERLEAVED));
        } else {
            reader.between.read_surrounding_line(&line.text);
        }
    }
    reader.into_document()
}

/// What the parser finds where a report ends early.
const END_OF_REPORT: &str = "(the end)";

const INTERLEAVED: &str = "check whether two runs wrote into this file at the same time";

fn is_version(line: &TextLine<'_>) -> bool {
    line.text.starts_with("pgbench (")
}

fn begins_report(line: &TextLine<'_>) -> bool {
    is_version(line) || BEGINS.iter().any(|begin| line.text.starts_with(begin))
}

/// Before 9.6 a colon stood where a sign of equality stands now.
fn of_today(line: TextLine<'_>) -> TextLine<'_> {
    let old = ["average", "stddev"].into_iter().find_map(|of| {
        let rest = line.text.strip_prefix("latency ")?.strip_prefix(of)?.strip_prefix(": ")?;
        Some(format!("latency {of} = {rest}"))
    });
    TextLine { text: old.map_or(line.text, Into::into), ..line }
}

/// Whether a line begins another report than the one whose first lines are `report`.
fn begins_another(report: &[TextLine<'_>], line: &TextLine<'_>) -> bool {
    // Its own first lines come in their order; another one begins where they come again, or go back.
    is_version(line)
        || begins_report(line)
            && report.iter().any(|before| !is_version(before) && place_in_report(before) >= place_in_report(line))
}

/// Which of the lines of a report it is.
fn place_in_report(line: &TextLine<'_>) -> Option<usize> {
    BEGINS.iter().position(|begin| line.text.starts_with(begin))
}

fn is_of_report(line: &TextLine<'_>) -> bool {
    let indented = line.text.starts_with(" - ") || line.text.starts_with("   ");
    indented || OF_REPORT.iter().any(|prefix| line.text.starts_with(prefix))
}

/// A file being read.
struct PgbenchReader<'a> {
    file: &'a SourceFile,
    runs: Vec<FoundTrial>,
    /// The first line of a report whose others come after lines of standard error: pgbench prints its version at once.
    version: Option<TextLine<'a>>,
    /// Progress of the run that has no report yet, each with its line.
    progress: Vec<(ProgressLine, usize)>,
    commas: bool,
    /// Clients that were lost in the run that has no report yet.
    lost_clients: u32,
    /// Whether first lines of a report are missing.
    left_out: bool,
    /// What stands above.
    between: InterveningLines,
    /// Reports that end early: where, and what is missing.
    cut_reports: Vec<Problem>,
}

impl<'a> PgbenchReader<'a> {
    fn of_file(file: &'a SourceFile) -> Self {
        Self {
            file,
            runs: Vec::new(),
            version: None,
            progress: Vec::new(),
            commas: false,
            lost_clients: 0,
            left_out: false,
            between: InterveningLines::default(),
            cut_reports: Vec::new(),
        }
    }

    /// The target of what stands below the name of a machine.
    fn target_from_machine(&self) -> Option<String> {
        let machine = self.between.machine_name()?;
        Some(self.file.target.as_ref().map_or(machine.to_owned(), |given| format!("{given} {machine}")))
    }

    /// A run begins whose report is still to come.
    fn begin_run(&mut self, version: TextLine<'a>) -> Result<(), Problem> {
        self.give_up()?;
        self.finish_without_report();
        self.version = Some(version);
        Ok(())
    }

    /// Nothing more comes of a run that told its version: its progress is all there is of it, and a version alone is a
    /// report cut short.
    fn give_up(&mut self) -> Result<(), Problem> {
        match self.version.take() {
            Some(version) if self.progress.is_empty() => self.read_report(&[version]),
            Some(_) => {
                self.finish_without_report();
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn read_progress_line(&mut self, line: &TextLine<'_>) -> Result<(), Problem> {
        let progress = ProgressLine::parse(&line.text).map_err(|text| {
            self.file
                .problem_at_line(line.number, format!("{text:?} is not a complete progress line"))
                .hint(INTERLEAVED)
        })?;
        self.commas |= line.commas;
        if let Some((last, _)) = self.progress.last()
            && progress_time_s(&progress) <= progress_time_s(last)
        {
            let first = progress_time_s(&self.progress[0].0);
            if (progress_time_s(&progress) - first).abs() > first * 0.5 {
                let what = format!(
                    "progress at {} s follows progress at {} s",
                    progress_time_s(&progress),
                    progress_time_s(last)
                );
                return Err(self.file.problem_at_line(line.number, what).hint(INTERLEAVED));
            }
            self.finish_without_report();
        }
        self.progress.push((progress, line.number));
        Ok(())
    }

    /// Progress that no report follows is that of a run that did not end, or of one whose report is in another file.
    fn finish_without_report(&mut self) {
        let Some((_, line)) = self.progress.first() else { return };
        let target = self.target_from_machine();
        let mut trial = FoundTrial { line: *line, ..FoundTrial::default() };
        (trial.part, trial.target) = (TrialPart::Progress, target);
        trial.seconds = progress_intervals(&std::mem::take(&mut self.progress));
        trial.surroundings = self.between.next().into();
        trial.aborted = Some("pgbench ended without a report".to_owned());
        self.runs.push(trial);
    }

    fn read_report(&mut self, lines: &[TextLine<'_>]) -> Result<(), Problem> {
        self.commas |= lines.iter().any(|line| line.commas);
        let has = |begin: &str| lines.iter().any(|line| line.text.starts_with(begin));
        let is_cut = lines.iter().all(|line| is_version(line));
        let left_out: Vec<usize> = (0..LEFT_OUT.len()).filter(|at| !is_cut && !has(BEGINS[*at])).collect();
        let mut text: Vec<&str> = lines.iter().map(|line| line.text.as_ref()).collect();
        for at in &left_out {
            text.insert(usize::from(has("pgbench (")) + at, LEFT_OUT[*at]);
        }
        let report = match PgbenchReport::parse(&text.join("\n")) {
            Ok(report) => report,
            Err(error) => {
                let at = lines.get((error.line - 1).saturating_sub(left_out.len())).or(lines.last());
                let what = format!("expected {}, found {:?}", error.expected, error.found);
                let begin = lines[0].number;
                let understood =
                    format!("the lines before were read as a report of pgbench that begins at line {begin}");
                let problem = self.file.problem_at_line(at.map_or(1, |line| line.number), what).detail(understood);
                if error.found != END_OF_REPORT || is_cut {
                    return Err(problem.hint(INTERLEAVED));
                }
                self.cut_reports.push(problem.hint(INTERLEAVED));
                self.lost_clients = 0;
                self.progress.clear();
                self.between.next();
                return Ok(());
            }
        };
        let progress = std::mem::take(&mut self.progress);
        let seconds = progress_intervals(&progress);
        let has_instants = progress.first().is_some_and(|(line, _)| matches!(line.at, Instant::Epoch(_)));
        let started_s = has_instants.then(|| run_start_s(&progress));
        let mut trial = of_report(&report, lines[0].number);
        (trial.seconds, trial.started_s) = (seconds, started_s);
        trial.target = self.target_from_machine();
        trial.surroundings = self.between.next().into();
        let lost = std::mem::take(&mut self.lost_clients);
        trial.aborted = (lost > 0).then(|| format!("pgbench lost {lost} of {} clients", report.clients));
        if left_out.contains(&0) {
            (trial.workload, trial.told.script) = (None, None);
        }
        if left_out.contains(&1) {
            trial.told.scale = None;
        }
        self.left_out |= !left_out.is_empty();
        self.runs.push(trial);
        Ok(())
    }

    fn into_document(mut self) -> Result<OutputsOfKind, Problem> {
        self.give_up()?;
        self.finish_without_report();
        if self.runs.is_empty()
            && let Some(problem) = self.cut_reports.first()
        {
            return Err(problem.clone());
        }
        let mut not_read = Vec::new();
        for problem in &self.cut_reports {
            not_read
                .push(format!("1 output of pgbench: not read, because it ends early: {}", problem.primary_message()));
        }
        let version = self.runs.iter().find_map(|run| run.version.clone());
        let notes = [
            self.commas.then(|| "decimal commas were read as points".to_owned()),
            self.left_out.then(|| "first lines of reports are missing: script or scale is unknown".to_owned()),
            self.between
                .machine_key()
                .map(|key| format!("lines that begin with {key:?} were read as names of targets")),
        ];
        let notes = notes.into_iter().flatten().collect();
        let content = FileContent::Runs(self.runs);
        let document = ImportedDocument { file: self.file.clone(), tool: "pgbench", version, notes, content };
        Ok(OutputsOfKind { document, not_read })
    }
}

/// A report's figures.
fn of_report(report: &PgbenchReport, line: usize) -> FoundTrial {
    let (duration_s_stated, transactions_stated) = match report.extent {
        PgbenchExtent::Seconds(seconds) => (Some(f64::from(seconds)), None),
        PgbenchExtent::Transactions { total, .. } => (None, Some(total)),
    };
    let is_builtin = report.transaction_type.starts_with("<builtin: ");
    let reconnected = reconnect_time_ms(report);
    let tps = if reconnected.is_some() { report.tps_including.or(report.tps) } else { report.tps };
    let duration_s = tps.filter(|tps| *tps > 0.0).map(|tps| report.processed as f64 / tps);
    let script = script_name(&report.transaction_type);
    let common = StatedCommon {
        tool: Some("pgbench".to_owned()),
        script: Some(script.clone()),
        // Of a script of its own it prints the option, which is 1 where nobody gave it.
        scale: Some(report.scale).filter(|scale| is_builtin || *scale != 1),
        query_mode: Some(report.query_mode.clone()),
        threads: Some(report.threads),
        transactions_stated,
        // The rate itself is not printed; that there was one, the lag says.
        offered_per_s: report.lag.and_then(|_| {
            let skipped = report.skipped.map_or(0, |skipped| skipped.count);
            let failed = report.failed.map_or(0, |failed| failed.count);
            duration_s.map(|seconds| (report.processed + skipped + failed) as f64 / seconds)
        }),
        reconnects: reconnected.is_some(),
        skipped: report.skipped.map(|skipped| skipped.count),
        late: report.late.map(|late| late.late),
        retried: report.retries.map(|retries| retries.retried.count),
        retries: report.retries.map(|retries| retries.retries),
        lag: lag_of_report(report),
        connecting_ns: match report.connecting {
            Some(Connecting::Initially(initially)) => Some(initially * 1e6),
            Some(Connecting::EachTime(_)) | None => None,
        },
        // A latency that is measured, of which there is a deviation, begins when the client is connected.
        reconnecting_ns: reconnected.filter(|_| report.latency_stddev_ms.is_some()).map(|ms| ms * 1e6),
        ..StatedCommon::default()
    };
    let detail = StatedDetail {
        common: common.into(),
        duration_s_stated,
        duration_s,
        failed: report.failed.map(|failed| failed.count),
        figures: rates_beside_throughput(report, reconnected.is_some()).into(),
    };
    let told = StatedFigures {
        detail: detail.into(),
        throughput_per_s: tps,
        transactions: Some(report.processed),
        latency: ToldLatency::with_spread(
            // With failures it is no latency of completed transactions but the run time by their number.
            report.latency_ms.filter(|(_, with_failures)| !with_failures).map(|(mean, _)| mean * 1e6),
            LatencySpread {
                stddev_ns: report.latency_stddev_ms.filter(|deviation| deviation.is_finite()).map(|ms| ms * 1e6),
                ..LatencySpread::default()
            },
        ),
    };
    let common = FoundCommon {
        workload: Some(script),
        clients: Some(report.clients),
        version: report.versions.clone(),
        has_retries: report.retries.is_some(),
        ..FoundCommon::default()
    };
    FoundTrial { line, common: common.into(), told, ..FoundTrial::default() }
}

/// How late transactions began, where they were to begin at a rate.
fn lag_of_report(report: &PgbenchReport) -> ToldLatency {
    let Some(lag) = report.lag else { return ToldLatency::default() };
    let spread = LatencySpread { max_ns: Some(lag.max_ms * 1e6), ..LatencySpread::default() };
    ToldLatency::with_spread(Some(lag.mean_ms * 1e6), spread)
}

/// The rates of a report beside its throughput.
fn rates_beside_throughput(report: &PgbenchReport, reconnects: bool) -> BTreeMap<String, f64> {
    let excluding = report.tps.filter(|_| reconnects && report.tps_including.is_some());
    excluding.map(|tps| (TPS_WITHOUT_CONNECTING.to_owned(), tps)).into_iter().collect()
}

/// Before version 14 a run that connected once has next to all of its time left without that.
const CONNECTING_EACH_TIME: f64 = 0.2;

/// Milliseconds that connecting took for each transaction, where every one had a connection of its own: as version 14
/// and later say; before, where connecting took a share of the time that connecting once does not.
fn reconnect_time_ms(report: &PgbenchReport) -> Option<f64> {
    if let Some(Connecting::EachTime(each_ms)) = report.connecting {
        return Some(each_ms);
    }
    let (including, excluding) = report.tps_including.zip(report.tps)?;
    let share = 1.0 - including / excluding;
    let of_client = including / f64::from(report.clients);
    (share > CONNECTING_EACH_TIME && of_client > 0.0).then(|| share / of_client * 1e3)
}

/// `<builtin: TPC-B (sort of)>` is tpcb-like, a path its file's name.
fn script_name(description: &str) -> String {
    match description {
        "<builtin: TPC-B (sort of)>" => "tpcb-like".to_owned(),
        "<builtin: simple update>" => "simple-update".to_owned(),
        "<builtin: select only>" => "select-only".to_owned(),
        path => path.rsplit('/').next().unwrap_or(path).to_owned(),
    }
}

fn progress_time_s(progress: &ProgressLine) -> f64 {
    match progress.at {
        Instant::Elapsed(seconds) | Instant::Epoch(seconds) => seconds,
    }
}

/// When a run began whose progress this is. With timestamps that is not told, and taken to be as long before the first
/// line as the second is after it.
fn run_start_s(lines: &[(ProgressLine, usize)]) -> f64 {
    match lines.first().map(|(line, _)| line.at) {
        None | Some(Instant::Elapsed(_)) => 0.0,
        Some(Instant::Epoch(at)) => at - lines.get(1).map_or(1.0, |(second, _)| progress_time_s(second) - at),
    }
}

/// Progress as intervals. Each line is of the time since the one before.
fn progress_intervals(lines: &[(ProgressLine, usize)]) -> Vec<FoundInterval> {
    let begin = run_start_s(lines);
    let mut before = begin;
    let interval = |(line, _): &(ProgressLine, usize)| {
        let (start, end) = (before, progress_time_s(line));
        before = end;
        // Where nothing was processed pgbench prints zeros, which are no latency.
        let some = |ms: f64| (line.tps > 0.0 && ms.is_finite()).then_some(ms * 1e6);
        FoundInterval {
            start_us: ((start - begin) * 1e6).round() as u64,
            duration_us: ((end - start) * 1e6).round() as u64,
            transactions: (line.tps * (end - start)).round() as u64,
            failed: line.failed.unwrap_or(0),
            late: 0,
            retried: line.retried.map_or(0, |(retried, _)| retried),
            latency: ToldLatency::with_spread(
                some(line.latency_ms),
                LatencySpread { stddev_ns: some(line.stddev_ms), ..LatencySpread::default() },
            ),
        }
    };
    lines.iter().map(interval).collect()
}
