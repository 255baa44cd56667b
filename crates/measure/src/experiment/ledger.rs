//! The ledger of a trial, checked on the server before anything takes its rows away.

use dataset::ledger::LedgerColumn;
use load::Summary;
use load::ledger::{Auditor, LedgerAudit};
use results::trial::{Incident, LedgerTotals};

use super::member::Member;

/// How many findings are named.
const EXAMPLES: usize = 5;

/// What the server still has of the commits that it acknowledged; none without a ledger. That it could not be checked
/// is noted.
pub(super) async fn check_ledger(member: &Member, summary: &Summary) -> Option<Result<LedgerTotals, Incident>> {
    let ledger = summary.ledger.as_ref()?;
    let checked = async {
        let mut client = member.connect_control().await.map_err(|problem| problem.primary_message().to_owned())?;
        let mut auditor = Auditor::new(ledger);
        let (column, prefix) = (LedgerColumn::of_builtins(), ledger.tag().to_string());
        let read = dataset::ledger::read_entries(&mut client, &column, &prefix, |text| auditor.check_row(text)).await;
        read.map_err(|error| format!("{error}: {}", error.detail()))?;
        Ok(auditor.finish())
    };
    Some(checked.await.map(|audit| ledger_totals(&audit)).map_err(|why| Incident::LedgerUnchecked { why }))
}

fn ledger_totals(audit: &LedgerAudit) -> LedgerTotals {
    let named = |what: &'static str, of: &load::ledger::LedgerFindings| -> Vec<String> {
        of.named.iter().take(EXAMPLES).map(|entry| format!("{what}: {entry}")).collect()
    };
    LedgerTotals {
        acknowledged: audit.acknowledged,
        unknown: audit.unknown,
        lost: audit.lost.count,
        unexpected: audit.unexpected.count + audit.duplicated.count + audit.foreign,
        unknown_committed: audit.unknown_committed,
        examples: [
            named("lost", &audit.lost),
            named("unexpected", &audit.unexpected),
            named("twice", &audit.duplicated),
        ]
        .concat(),
    }
}
