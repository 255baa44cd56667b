//! What the provider of a managed server says of it, by the command of the plan's `facts`: its facts when the target is
//! acquired, its balances and events around each trial. A trial goes on without them, with the reason.

mod answer;
mod command;

use jiff::Timestamp;
use plan::Target;
use results::facts::OfPlatform;
use results::trial::ProviderTotals;

use answer::ProviderAnswer;
use problem::Problem;

/// What a person can do about a command that does not work.
const HINT: &str = "run the command of `facts` in a shell: it must print one JSON object and exit with status 0; log in again \
                    with the program of the provider if its token has expired";

/// The balances before a trial, which those after it are compared with.
pub(super) struct ProviderWatch {
    began_at: Timestamp,
    totals: ProviderTotals,
}

/// The facts of a target whose provider is asked; none of others.
///
/// # Errors
/// The command fails, hangs, or prints something else.
pub(super) async fn facts_from_provider(planned: &Target) -> Result<Option<OfPlatform>, Problem> {
    let Some(answer) = ask_provider(planned).await else { return Ok(None) };
    let answer = answer.map_err(|why| {
        let name = &planned.name;
        Problem::could_not_measure(format!("target {name:?}: the command of `facts` failed: {why}")).hint(HINT)
    })?;
    Ok(Some(answer.platform_facts("command of `facts`")))
}

/// What the provider says before a trial; none where it is not asked.
pub(super) async fn watch_provider(planned: &Target) -> Option<ProviderWatch> {
    let began_at = Timestamp::now();
    let answer = ask_provider(planned).await?;
    let mut totals = ProviderTotals::default();
    match answer {
        Ok(answer) => totals.before = answer.balance_list(),
        Err(why) => totals.gap = Some(format!("before the trial: {why}")),
    }
    Some(ProviderWatch { began_at, totals })
}

impl ProviderWatch {
    /// The same with what it says after the trial.
    pub(super) async fn end_watch(self, planned: &Target) -> ProviderTotals {
        let Self { began_at, mut totals } = self;
        match ask_provider(planned).await {
            Some(Ok(answer)) => {
                totals.after = answer.balance_list();
                totals.events = answer.events_between(began_at, Timestamp::now());
            }
            Some(Err(why)) => {
                totals.gap.get_or_insert(format!("after the trial: {why}"));
            }
            None => {}
        }
        totals
    }
}

async fn ask_provider(planned: &Target) -> Option<Result<ProviderAnswer, String>> {
    let facts = planned.facts.as_ref()?;
    let printed = command::run_command(facts, &planned.name).await;
    Some(printed.and_then(|printed| ProviderAnswer::parse_answer(&printed)))
}
