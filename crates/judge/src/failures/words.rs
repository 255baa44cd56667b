//! What failures say, in words: always with the SQLSTATE, what the server said first, and the statement it said it of.

use results::trial::FirstError;
use stats::failures::EndedTransactions;

use super::account::TransactionAccount;
use super::difference::{FailureComparison, FailureVerdict};
use crate::units;

/// Characters of a statement that stand in a sentence.
const STATEMENT_MAX: usize = 160;

/// What the server said, and the script, line and text of the statement: `division by zero; job.sql:4: SELECT 1 / $1`.
pub fn first_error_in_words(error: &FirstError) -> String {
    let Some(statement) = &error.statement else { return error.message.clone() };
    let mut text = statement.text.clone();
    if let Some((end, _)) = text.char_indices().nth(STATEMENT_MAX) {
        text.truncate(end);
        text.push('…');
    }
    format!("{}; {}:{}: {text}", error.message, statement.script, statement.line)
}

/// How many transactions failed, and why: `3 of 100 transactions failed (40001: could not serialize access ...)`.
pub fn failed_of(account: &TransactionAccount) -> String {
    let EndedTransactions { failed, all } = account.ended_transactions();
    format!("{failed} of {all} transactions failed{}", reason_in_brackets(account))
}

/// Why transactions failed, in brackets with a space before them; empty where nothing tells.
pub fn reason_in_brackets(account: &TransactionAccount) -> String {
    let reason = reason_for_failures(account);
    reason.map_or_else(String::new, |reason| format!(" ({reason})"))
}

/// Why transactions failed; absent where nothing tells.
pub fn reason_for_failures(account: &TransactionAccount) -> Option<String> {
    let Some((sqlstate, count)) = account.most_frequent() else {
        return account.first_loss.as_ref().map(|cause| format!("connection lost: {cause}"));
    };
    if account.lost > count
        && let Some(cause) = &account.first_loss
    {
        return Some(format!("most often the connection was lost: {cause}"));
    }
    let often = if account.errors.len() > 1 { "most often " } else { "" };
    let first =
        account.first_of_most_frequent().map_or_else(String::new, |error| format!(": {}", first_error_in_words(error)));
    let others = account.first_errors.iter().filter(|error| error.sqlstate == sqlstate).count().saturating_sub(1);
    let also = match others {
        0 => String::new(),
        1 => "; first there, also in 1 other statement".to_owned(),
        others => format!("; first there, also in {others} other statements"),
    };
    Some(format!("{often}SQLSTATE {sqlstate}{first}{also}"))
}

/// That a side completes practically nothing: `all 20387 transactions of pr fail (SQLSTATE 23514: ...)`.
pub fn describe_failing_side(side: &str, account: &TransactionAccount) -> String {
    let EndedTransactions { failed, all } = account.ended_transactions();
    let seconds = units::format_time_span(account.measured_us as f64 / 1e6);
    match (failed, all) {
        (_, 0) => format!("no transaction of {side} ended in {seconds}"),
        (failed, all) if failed == all => {
            format!("all {all} transactions of {side} fail{}{}", reason_in_brackets(account), way_out(account))
        }
        (failed, all) => {
            format!("{failed} of {all} transactions of {side} fail{}{}", reason_in_brackets(account), way_out(account))
        }
    }
}

/// What to do about failures that pgdyno itself brings about: it has servers that are said to be only read refuse
/// writes.
fn way_out(account: &TransactionAccount) -> &'static str {
    match account.most_frequent() {
        Some(("25006", _)) => {
            "; pgdyno makes the transactions of a workload that only reads read-only: if this one writes, for instance \
             in a function, set `reads: false` and measure no standby"
        }
        _ => "",
    }
}

/// What a pair's failures say of the workload whose name stands before it; absent where no difference is sure.
pub fn failures_clause(pair: &FailureComparison) -> Option<String> {
    let FailureComparison { names: [baseline, candidate], baseline: one, candidate: other, difference, verdict } = pair;
    let shares = || {
        let interval = difference.as_ref().map_or_else(String::new, |found| {
            let (point, interval) = (format_percentage_points(found.difference.point), found.difference.interval);
            // Counts of many transactions may settle a direction that the spread of few blocks leaves open.
            if interval.contains(0.0) {
                return format!(", a difference of {point}");
            }
            format!(", a difference of {point} {}", points_interval(interval.low, interval.high))
        });
        format!(
            "{} of its transactions, {baseline} {}{interval}",
            format_failed_share(other.ended_transactions()),
            format_failed_share(one.ended_transactions())
        )
    };
    match verdict {
        FailureVerdict::Broken => Some(format!("is broken: {}", describe_failing_side(candidate, other))),
        FailureVerdict::BaselineBroken => {
            Some(format!("works, but the baseline does not: {}", describe_failing_side(baseline, one)))
        }
        FailureVerdict::NeitherWorks => Some(format!(
            "does not work: {}; {}",
            describe_failing_side(baseline, one),
            describe_failing_side(candidate, other)
        )),
        FailureVerdict::More => Some(format!("fails {}{}", shares(), reason_in_brackets(other))),
        FailureVerdict::Fewer => Some(format!("fails less often: {}{}", shares(), reason_in_brackets(one))),
        FailureVerdict::NoSureDifference => None,
    }
}

/// What a pair's failures say beside its verdict: the shares of both sides with their difference, also where it is not
/// sure; absent where nothing failed.
pub fn in_words(pair: &FailureComparison) -> Option<String> {
    let FailureComparison { names: [_, broken], candidate: its, .. } = pair;
    if matches!(pair.verdict, FailureVerdict::Broken) {
        // The verdict says already that it is.
        return Some(describe_failing_side(broken, its));
    }
    if let Some(clause) = failures_clause(pair) {
        return Some(clause);
    }
    let FailureComparison { names: [one, other], baseline, candidate, .. } = pair;
    pair.has_failures().then(|| {
        format!(
            "{one}: {}; {other}: {}; the difference is not significant, or too small to act on",
            failed_of(baseline),
            failed_of(candidate)
        )
    })
}

/// A share of failed transactions: `0 %`, `0.012 %`, `20.1 %`.
pub fn format_failed_share(ended: EndedTransactions) -> String {
    ended.failed_share().map_or_else(|| "none ended".to_owned(), format_small_percent)
}

/// A share as a percentage with two significant digits where it is small: of a share of failures also a thousandth of
/// a percent is not nothing.
pub fn format_small_percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 || percent >= 9.95 {
        return units::format_percent(share);
    }
    let digits = (1 - percent.log10().floor() as i32).clamp(1, 9);
    let text = format!("{percent:.*}", usize::try_from(digits).unwrap_or(1));
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A difference of two shares, in percentage points with its sign.
pub fn format_percentage_points(difference: f64) -> String {
    let sign = if difference > 0.0 {
        "+"
    } else if difference < 0.0 {
        "−"
    } else {
        ""
    };
    let size = format_small_percent(difference.abs());
    format!("{sign}{} points", size.trim_end_matches(" %"))
}

fn points_interval(low: f64, high: f64) -> String {
    let [low, high] = [low, high].map(format_percentage_points);
    units::format_interval(low.trim_end_matches(" points"), high.trim_end_matches(" points"))
}

#[cfg(test)]
mod tests {
    use results::trial::FailedStatement;

    use super::*;

    fn account() -> TransactionAccount {
        let statement = FailedStatement::new("job.sql", 1, "INSERT INTO job VALUES ($1)");
        let message = "new row for relation \"job\" violates check constraint \"c\"".to_owned();
        TransactionAccount {
            failed: 20_387,
            errors: [("23514".to_owned(), 20_387)].into(),
            first_errors: vec![FirstError { sqlstate: "23514".to_owned(), message, statement: Some(statement) }],
            measured_us: 12_000_000,
            ..TransactionAccount::default()
        }
    }

    #[test]
    fn a_side_that_completes_nothing_is_said_with_code_message_and_statement() {
        let said = r#"all 20387 transactions of pr fail (SQLSTATE 23514: new row for relation "job" violates check constraint "c"; job.sql:1: INSERT INTO job VALUES ($1))"#;
        assert_eq!(describe_failing_side("pr", &account()), said);
        let nearly = TransactionAccount { completed: 12, ..account() };
        assert!(
            describe_failing_side("pr", &nearly).starts_with("20387 of 20399 transactions of pr fail (SQLSTATE 23514")
        );
        let nothing = TransactionAccount { measured_us: 12_000_000, ..TransactionAccount::default() };
        assert_eq!(describe_failing_side("pr", &nothing), "no transaction of pr ended in 12 s");
    }

    #[test]
    fn a_transaction_that_pgdyno_made_read_only_has_the_key_that_ends_it() {
        let read_only =
            TransactionAccount { errors: [("25006".to_owned(), 20_387)].into(), first_errors: Vec::new(), ..account() };
        let said = describe_failing_side("pr", &read_only);
        assert!(
            said.starts_with("all 20387 transactions of pr fail (SQLSTATE 25006); ") && said.contains("`reads: false`")
        );
    }

    #[test]
    fn a_lost_connection_is_a_reason_where_the_server_gives_none() {
        let lost = TransactionAccount {
            lost: 3,
            completed: 97,
            first_loss: Some("reset".to_owned()),
            ..TransactionAccount::default()
        };
        assert_eq!(failed_of(&lost), "3 of 100 transactions failed (connection lost: reset)");
    }

    #[test]
    fn small_shares_keep_two_digits() {
        let shares = [0.0, 0.000_012_3, 0.000_5, 0.012, 0.201, 1.0].map(format_small_percent);
        assert_eq!(shares, ["0 %", "0.0012 %", "0.05 %", "1.2 %", "20.1 %", "100 %"]);
        assert_eq!(
            [format_percentage_points(0.201), format_percentage_points(-0.000_5), format_percentage_points(0.0)],
            ["+20.1 points", "−0.05 points", "0 points"]
        );
    }
}
