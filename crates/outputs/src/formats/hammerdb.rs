//! HammerDB's log, what it prints, and the JSON of `jobs ID result`: runs of its workload TPROC-C on PostgreSQL.
//!
//! HammerDB divides what two counters gained in the test by its minutes. TPM counts transactions that were committed or
//! rolled back in any database of the server, NOPM new orders alone. Throughput is TPM, as of a table with that column.
//!
//! A virtual user ends at its first error where `raiseerror` is set; without it, it prints a line for each transaction
//! that failed. Those are counted from the end of the rampup to the end of the test, as TPM is. Without any such line
//! failures are unknown: the procedures of its schema roll back after deadlocks and print nothing.

use std::collections::{BTreeMap, BTreeSet};

use results::told::{StatedCommon, StatedDetail, StatedFigures};

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
                || message_of_monitor(without_prompt(line)).is_some_and(is_timing)
        })
    }

    fn read_figures(&self, text: &str) -> Result<OutputFigures, UnreadableLine> {
        let mut reader = OutputReader::default();
        for (index, line) in text.lines().enumerate() {
            reader.read_line(index + 1, line)?;
        }
        let mut figures = reader.figures;
        figures.runs.extend(reader.under_way.map(TimedTest::without_result));
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

/// What was read up to a line.
#[derive(Default)]
struct OutputReader {
    figures: OutputFigures,
    under_way: Option<TimedTest>,
    /// Whether a test has begun or ended in the job that is under way.
    is_in_job: bool,
    /// Users that failed in a job before a test of it began.
    failed_before: FailedUsers,
    clients: Option<u32>,
}

impl OutputReader {
    fn read_line(&mut self, number: usize, line: &str) -> Result<(), UnreadableLine> {
        if let Some(version) = line.strip_prefix(VERSION) {
            self.figures.program_version = Some(version.trim().to_owned());
        }
        let message = without_quotes(without_prompt(line));
        if let Some(failure) = UserFailure::parse_message(message) {
            self.add_user_failure(failure);
        } else if message == JOB_END {
            self.is_in_job = false;
        } else if message.ends_with(FAILED_TRANSACTION) {
            if let Some(test) = &mut self.under_way {
                test.failed_transactions += 1;
            }
        } else {
            let message = message_of_monitor(message).unwrap_or(message);
            self.read_message(number, message).map_err(|problem| UnreadableLine { line: number, problem })?;
        }
        Ok(())
    }

    fn add_user_failure(&mut self, failure: UserFailure<'_>) {
        match (&mut self.under_way, self.figures.runs.last_mut()) {
            (Some(test), _) => test.failed_users.add_failure(failure),
            (None, Some(run)) if self.is_in_job => {
                run.aborted.get_or_insert_with(|| FailedUsers::of_failure(failure).in_words());
            }
            (None, _) => self.failed_before.add_failure(failure),
        }
    }

    /// Reads what the first virtual user says.
    fn read_message(&mut self, number: usize, message: &str) -> Result<(), String> {
        if message.starts_with("Beginning rampup time of ") {
            let begun = self.begin_test(number);
            self.figures.runs.extend(self.under_way.replace(begun).map(TimedTest::without_result));
            self.clients = None;
        } else if let Some(minutes) = minutes_of_test(message) {
            let mut test = self.under_way.take().unwrap_or_else(|| self.begin_test(number));
            // What failed before is of the rampup.
            (test.minutes, test.failed_transactions) = (Some(minutes), 0);
            self.under_way = Some(test);
        } else if message.starts_with("Test complete") {
            if let Some(test) = &mut self.under_way {
                test.failed_in_test = Some(test.failed_transactions);
            }
        } else if let Some(count) = message.strip_suffix(" Active Virtual Users configured") {
            self.clients = count.parse().ok();
        } else if let Some(result) = message.strip_prefix(RESULT) {
            let result = TestResult::parse_result(result)?;
            let test = self.under_way.take().unwrap_or_else(|| self.begin_test(number));
            self.figures.runs.push(test.with_result(&result, self.clients.take()));
        }
        Ok(())
    }

    fn begin_test(&mut self, line: usize) -> TimedTest {
        self.is_in_job = true;
        TimedTest { line, failed_users: std::mem::take(&mut self.failed_before), ..TimedTest::default() }
    }
}

/// What a virtual user says for each transaction that failed, behind its kind.
const FAILED_TRANSACTION: &str = " Procedure Error set RAISEERROR for Details";

/// What stands below the last line of a job.
const JOB_END: &str = "ALL VIRTUAL USERS COMPLETE";

/// A line that says of a virtual user that it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct UserFailure<'a> {
    user: u32,
    /// Why, where the line says it: another line says that it ended.
    reason: Option<&'a str>,
}

impl<'a> UserFailure<'a> {
    /// `Error in Virtual User 3: ERROR:  deadlock detected`, and later `Vuser 3:FINISHED FAILED`.
    fn parse_message(message: &'a str) -> Option<Self> {
        if let Some(user) = message.strip_prefix("Vuser ").and_then(|rest| rest.strip_suffix(":FINISHED FAILED")) {
            return Some(Self { user: user.trim().parse().ok()?, reason: None });
        }
        let (user, reason) = message.strip_prefix("Error in Virtual User ")?.split_once(':')?;
        // JSON has the lines of a message as one.
        let reason = reason.split("\\n").next().unwrap_or(reason).trim();
        Some(Self { user: user.trim().parse().ok()?, reason: Some(reason) })
    }
}

/// The virtual users that failed in a test.
#[derive(Default)]
struct FailedUsers {
    users: BTreeSet<u32>,
    /// Why the first of those failed of which that is told.
    reason: Option<String>,
}

impl FailedUsers {
    fn of_failure(failure: UserFailure<'_>) -> Self {
        let mut users = Self::default();
        users.add_failure(failure);
        users
    }

    fn add_failure(&mut self, failure: UserFailure<'_>) {
        self.users.insert(failure.user);
        if self.reason.is_none() {
            self.reason = failure.reason.map(str::to_owned);
        }
    }

    fn in_words(&self) -> String {
        let failed = match self.users.len() {
            1 => "a virtual user of HammerDB failed".to_owned(),
            several => format!("{several} virtual users of HammerDB failed"),
        };
        match &self.reason {
            Some(reason) => format!("{failed}: {reason}"),
            None => failed,
        }
    }
}

/// A test under way.
#[derive(Default)]
struct TimedTest {
    line: usize,
    minutes: Option<u32>,
    failed_users: FailedUsers,
    /// Lines about failed transactions since it began, or since its rampup ended.
    failed_transactions: u64,
    /// Those up to its end.
    failed_in_test: Option<u64>,
}

impl TimedTest {
    fn with_result(self, result: &TestResult, clients: Option<u32>) -> RunFigures {
        let minutes = self.minutes;
        let failed = self.failed_in_test.unwrap_or(self.failed_transactions);
        let mut run = self.run_figures();
        run.clients = clients;
        run.told.throughput_per_s = Some(result.transactions_per_minute / 60.0);
        run.told.figures = BTreeMap::from([(NEW_ORDERS.to_owned(), result.new_orders_per_minute)]).into();
        if failed > 0 {
            run.told.failed = Some(failed);
            // TPM counts those that were rolled back, too.
            let all = minutes.map(|minutes| (result.transactions_per_minute * f64::from(minutes)) as u64);
            run.told.transactions = all.map(|all| all.saturating_sub(failed));
        }
        run
    }

    fn without_result(self) -> RunFigures {
        let mut run = self.run_figures();
        run.aborted.get_or_insert_with(|| "HammerDB ended without a result".to_owned());
        run
    }

    fn run_figures(self) -> RunFigures {
        let detail = StatedDetail {
            common: StatedCommon { tool: Some("HammerDB".to_owned()), ..StatedCommon::default() }.into(),
            duration_s_stated: self.minutes.map(|minutes| f64::from(minutes) * 60.0),
            ..StatedDetail::default()
        };
        let told = StatedFigures::from(detail);
        let failed = self.failed_users;
        let aborted = if failed.users.is_empty() { None } else { Some(failed.in_words()) };
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
        Ok(Self { transactions_per_minute: parse_count(transactions)?, new_orders_per_minute: parse_count(orders)? })
    }
}

fn parse_count(word: &str) -> Result<f64, String> {
    match word.parse::<u64>() {
        Ok(count) => Ok(count as f64),
        Err(_) => Err(format!("expected a whole number, found {word:?}")),
    }
}

/// What the first virtual user says, which watches the others: `Vuser 1:Rampup complete`.
fn message_of_monitor(message: &str) -> Option<&str> {
    message.strip_prefix("Vuser 1:").map(str::trim)
}

/// A line without the prompt of HammerDB, behind which the first of what it prints may stand.
fn without_prompt(line: &str) -> &str {
    line.strip_prefix("hammerdb>").unwrap_or(line).trim()
}

fn is_timing(message: &str) -> bool {
    message.starts_with("Beginning rampup time of ") || minutes_of_test(message).is_some()
}

/// `Timing test period of 5 in minutes`
fn minutes_of_test(message: &str) -> Option<u32> {
    message.strip_prefix("Timing test period of ")?.strip_suffix(" in minutes")?.trim().parse().ok()
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
        assert_eq!(only_run(&failed).aborted.as_deref(), Some("a virtual user of HammerDB failed"));
        let early = "Error in Virtual User 2: ERROR:  deadlock detected\nDETAIL:  Process 7 waits\nVuser 2:FINISHED FAILED\n\
                     Vuser 3:FINISHED FAILED";
        let early = LOG.replace("Vuser 1:1 ...,", early);
        let expected = "2 virtual users of HammerDB failed: ERROR:  deadlock detected";
        assert_eq!(only_run(&early).aborted.as_deref(), Some(expected));
        let twice = HammerdbOutput.read_figures(&format!("{LOG}{LOG}")).expect("two runs");
        assert_eq!(twice.runs.len(), 2);
    }

    #[test]
    fn users_that_fail_before_a_rampup_begins_are_of_the_test_that_follows() {
        let failure = "Error in Virtual User 5: connection to server failed: FATAL:  sorry, too many clients already\n";
        let expected =
            "a virtual user of HammerDB failed: connection to server failed: FATAL:  sorry, too many clients already";
        assert_eq!(only_run(&format!("{failure}{LOG}")).aborted.as_deref(), Some(expected));
        let figures = HammerdbOutput.read_figures(&format!("{LOG}{failure}{LOG}")).expect("two runs");
        let aborted: Vec<Option<&str>> = figures.runs.iter().map(|run| run.aborted.as_deref()).collect();
        assert_eq!(aborted, [None, Some(expected)]);
    }

    #[test]
    fn transactions_that_failed_during_the_test_are_counted_and_those_of_the_rampup_are_not() {
        let error = "Vuser 2:New Order Procedure Error set RAISEERROR for Details";
        let rampup = format!("Vuser 1:Rampup 1 minutes complete ...\n{error}");
        let log = LOG.replace("Vuser 1:Rampup 1 minutes complete ...", &rampup);
        assert_eq!(only_run(&log).told.failed, None);
        let log = log.replace("Vuser 1:1 ...,", &format!("{error}\n{}", error.replace("New Order", "Payment")));
        let log = log.replace("Vuser 1:64 Active", &format!("{error}\nVuser 1:64 Active"));
        let told = only_run(&log).told;
        // 3515684 per minute, of 5 minutes, two of which failed.
        assert_eq!((told.failed, told.transactions), (Some(2), Some(17_578_418)));
    }

    #[test]
    fn the_json_of_a_job_tells_failures_behind_quotes() {
        let json = "[\n  \"0\",\n  \"Vuser 2:RUNNING\",\n  \"1\",\n  \"Timing test period of 2 in minutes\",\n  \"2\",\n  \
                    \"Delivery Procedure Error set RAISEERROR for Details\",\n  \"3\",\n  \
                    \"Error in Virtual User 3: ERROR:  deadlock detected\",\n  \"0\",\n  \"Vuser 3:FINISHED FAILED\",\n  \"1\",\n  \
                    \"TEST RESULT : System achieved 17099 NOPM from 39188 PostgreSQL TPM\"\n]\n";
        let run = only_run(json);
        assert_eq!(run.aborted.as_deref(), Some("a virtual user of HammerDB failed: ERROR:  deadlock detected"));
        assert_eq!((run.told.failed, run.told.transactions), (Some(1), Some(78_375)));
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
