//! HammerDB's log, what it prints, and the JSON of `jobs ID result`: runs of its workload TPROC-C on PostgreSQL.
//!
//! HammerDB divides what two counters gained in the test by its minutes. TPM counts transactions that were committed or
//! rolled back in any database of the server, NOPM new orders alone. Throughput is TPM, as of a table with that column.

use std::collections::BTreeMap;

use results::told::StatedFigures;

use crate::output_format::{OutputFigures, OutputFormat, RunFigures, UnreadableLine};

/// What HammerDB writes of runs.
pub(super) struct HammerdbOutput;

/// What the line of a result says before its figures.
const RESULT: &str = "TEST RESULT : System achieved ";

/// What a log of virtual users begins with, and what HammerDB prints at its start.
const LOG_BEGIN: &str = "Hammerdb Log @ ";
const VERSION: &str = "HammerDB CLI v";

/// New orders per minute, as it is kept beside the throughput.
const NEW_ORDERS: &str = "nopm";

impl OutputFormat for HammerdbOutput {
    fn program_name(&self) -> &'static str {
        "HammerDB"
    }

    fn is_format_of(&self, head: &str) -> bool {
        head.lines().any(|line| {
            line.contains(RESULT)
                || line.starts_with(LOG_BEGIN)
                || line.starts_with(VERSION)
                || message_of_monitor(line).is_some_and(is_timing)
        })
    }

    fn read_figures(&self, text: &str) -> Result<OutputFigures, UnreadableLine> {
        let mut figures = OutputFigures::default();
        let mut under_way: Option<TimedTest> = None;
        let mut clients = None;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            if let Some(version) = line.strip_prefix(VERSION) {
                figures.program_version = Some(version.trim().to_owned());
            }
            if is_failure_of_user(line) {
                if let Some(run) = figures.runs.last_mut().filter(|_| under_way.is_none()) {
                    run.aborted = Some(FAILED.to_owned());
                } else if let Some(test) = &mut under_way {
                    test.has_failed = true;
                }
            }
            let message = message_of_monitor(line).unwrap_or_else(|| without_quotes(line));
            if message.starts_with("Beginning rampup time of ") {
                figures.runs.extend(under_way.replace(TimedTest::begin_at_line(number)).map(TimedTest::without_result));
                clients = None;
            } else if let Some(minutes) = minutes_of_test(message) {
                under_way.get_or_insert_with(|| TimedTest::begin_at_line(number)).minutes = Some(minutes);
            } else if let Some(count) = message.strip_suffix(" Active Virtual Users configured") {
                clients = count.parse().ok();
            } else if let Some(result) = message.strip_prefix(RESULT) {
                let result =
                    TestResult::parse_result(result).map_err(|problem| UnreadableLine { line: number, problem })?;
                let test = under_way.take().unwrap_or_else(|| TimedTest::begin_at_line(number));
                figures.runs.push(test.with_result(&result, clients.take()));
            }
        }
        figures.runs.extend(under_way.map(TimedTest::without_result));
        if figures.runs.is_empty() {
            let problem = "the output of HammerDB ends here without a timed test of TPROC-C".to_owned();
            return Err(UnreadableLine { line: text.lines().count().max(1), problem });
        }
        figures.notes.push(
            "throughput is TPM / 60: transactions that were committed or rolled back in any database of the server"
                .to_owned(),
        );
        Ok(figures)
    }
}

const FAILED: &str = "a virtual user of HammerDB failed";

/// A test under way.
struct TimedTest {
    line: usize,
    minutes: Option<u32>,
    has_failed: bool,
}

impl TimedTest {
    fn begin_at_line(line: usize) -> Self {
        Self { line, minutes: None, has_failed: false }
    }

    fn with_result(self, result: &TestResult, clients: Option<u32>) -> RunFigures {
        let mut run = self.run_figures();
        run.clients = clients;
        run.told.throughput_per_s = Some(result.transactions_per_minute / 60.0);
        run.told.figures = BTreeMap::from([(NEW_ORDERS.to_owned(), result.new_orders_per_minute)]);
        run
    }

    fn without_result(self) -> RunFigures {
        let mut run = self.run_figures();
        run.aborted.get_or_insert_with(|| "HammerDB ended without a result".to_owned());
        run
    }

    fn run_figures(self) -> RunFigures {
        let told = StatedFigures {
            tool: Some("HammerDB".to_owned()),
            duration_s_stated: self.minutes.map(|minutes| f64::from(minutes) * 60.0),
            ..StatedFigures::default()
        };
        let aborted = if self.has_failed { Some(FAILED.to_owned()) } else { None };
        RunFigures { line: self.line, workload: Some("TPROC-C".to_owned()), aborted, told, ..RunFigures::default() }
    }
}

/// The figures of a result, each per minute.
struct TestResult {
    transactions_per_minute: f64,
    new_orders_per_minute: f64,
}

impl TestResult {
    /// `64353 NOPM from 148271 PostgreSQL TPM`, and before version 4 `148271 PostgreSQL TPM at 64353 NOPM`.
    fn parse_result(text: &str) -> Result<Self, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (orders, transactions, database) = match words.as_slice() {
            [orders, "NOPM", "from", transactions, database @ .., "TPM"] => (orders, transactions, database),
            [transactions, database @ .., "TPM", "at", orders, "NOPM"] => (orders, transactions, database),
            _ => return Err(format!("expected NOPM and TPM, found {text:?}")),
        };
        if database != ["PostgreSQL"] {
            return Err(format!("the result is of {}, and not of PostgreSQL", database.join(" ")));
        }
        let count_of = |word: &str| match word.parse::<u64>() {
            Ok(count) => Ok(count as f64),
            Err(_) => Err(format!("expected a whole number, found {word:?}")),
        };
        Ok(Self { transactions_per_minute: count_of(transactions)?, new_orders_per_minute: count_of(orders)? })
    }
}

/// What the first virtual user says, which watches the others: `Vuser 1:Rampup complete`, maybe behind the prompt.
fn message_of_monitor(line: &str) -> Option<&str> {
    let line = line.strip_prefix("hammerdb>").unwrap_or(line);
    line.trim().strip_prefix("Vuser 1:").map(str::trim)
}

fn is_timing(message: &str) -> bool {
    message.starts_with("Beginning rampup time of ") || minutes_of_test(message).is_some()
}

/// `Timing test period of 5 in minutes`
fn minutes_of_test(message: &str) -> Option<u32> {
    message.strip_prefix("Timing test period of ")?.strip_suffix(" in minutes")?.trim().parse().ok()
}

fn is_failure_of_user(line: &str) -> bool {
    line.starts_with("Vuser ") && line.trim_end().ends_with(":FINISHED FAILED")
}

/// A line of the JSON of a job, which is a list of messages.
fn without_quotes(line: &str) -> &str {
    line.trim().trim_end_matches(',').trim_matches('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = include_str!("../../tests/fixtures/hammerdb-tprocc.log");

    fn only_run(text: &str) -> RunFigures {
        let figures = HammerdbOutput.read_figures(text).expect(text);
        assert_eq!(figures.runs.len(), 1, "{figures:?}");
        figures.runs[0].clone()
    }

    #[test]
    fn throughput_is_tpm_by_sixty_and_nopm_stands_beside_it() {
        let figures = HammerdbOutput.read_figures(LOG).expect("a log");
        assert_eq!(figures.program_version.as_deref(), Some("4.8"));
        let run = only_run(LOG);
        assert_eq!((run.line, run.clients, run.workload.as_deref()), (3, Some(64), Some("TPROC-C")));
        // 3515684 / 60 = 58594.7333…, and 5 minutes are 300 s.
        let throughput = run.told.throughput_per_s.expect("told");
        assert!((throughput - 58_594.733_333).abs() < 1e-5, "{throughput}");
        assert_eq!(run.told.figures["nopm"], 1_483_849.0);
        assert_eq!((run.told.duration_s_stated, run.told.duration_s, run.told.transactions), (Some(300.0), None, None));
        assert!(run.told.latency.is_empty());
        assert_eq!(run.aborted, None);
    }

    #[test]
    fn the_json_of_a_job_and_the_words_of_older_versions_are_read() {
        let json = "HAMMERDB RESULT\n[\n  \"6A7E2CDBC7F603E293439383\",\n  \"2026-08-13 20:45:15\",\n  \
                    \"1 Active Virtual Users configured\",\n  \
                    \"TEST RESULT : System achieved 17099 NOPM from 39188 PostgreSQL TPM\"\n]\n";
        assert!(HammerdbOutput.is_format_of(json));
        let run = only_run(json);
        assert_eq!((run.clients, run.told.figures["nopm"]), (Some(1), 17_099.0));
        let old = only_run("Vuser 1:TEST RESULT : System achieved 14999 PostgreSQL TPM at 6461 NOPM\n");
        // 14999 / 60 = 249.98333…
        assert!((old.told.throughput_per_s.expect("told") - 249.983_333).abs() < 1e-5);
        assert_eq!((old.told.figures["nopm"], old.clients, old.told.duration_s_stated), (6461.0, None, None));
    }

    #[test]
    fn a_run_without_result_or_with_a_failed_user_is_told_as_such() {
        let cut = &LOG[..LOG.find("Vuser 1:Test complete").expect("there")];
        assert_eq!(only_run(cut).aborted.as_deref(), Some("HammerDB ended without a result"));
        let failed = LOG.replace("Vuser 2:FINISHED SUCCESS", "Vuser 2:FINISHED FAILED");
        assert_eq!(only_run(&failed).aborted.as_deref(), Some(FAILED));
        let early = LOG.replace("Vuser 1:1 ...,", "Vuser 2:FINISHED FAILED");
        assert_eq!(only_run(&early).aborted.as_deref(), Some(FAILED));
        let twice = HammerdbOutput.read_figures(&format!("{LOG}{LOG}")).expect("two runs");
        assert_eq!(twice.runs.len(), 2);
    }

    #[test]
    fn a_result_of_another_database_or_with_other_words_is_an_error_with_its_line() {
        for (result, expected) in [
            ("System achieved 26018 NOPM from 60408 SQL Server TPM", "SQL Server"),
            ("System achieved x NOPM from 60408 PostgreSQL TPM", "\"x\""),
            ("System achieved 5 NOPM", "expected NOPM and TPM"),
        ] {
            let error = HammerdbOutput.read_figures(&format!("\nVuser 1:TEST RESULT : {result}\n")).expect_err(result);
            assert!(error.line == 2 && error.problem.contains(expected), "{error}");
        }
        let error = HammerdbOutput.read_figures("HammerDB CLI v4.8\nVuser 1:POSTGRES SCHEMA COMPLETE\n");
        assert_eq!(error.expect_err("a build").line, 2);
    }
}
