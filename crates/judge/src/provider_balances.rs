//! The balances of credits of managed servers over the trials of a run, as their providers reported them.

use std::collections::BTreeMap;

use results::trial::ProviderBalance;

use crate::observed::Observed;

/// One balance of one target.
#[derive(Debug, Clone, PartialEq)]
pub struct BalanceOfTarget {
    /// The target.
    pub target: String,
    /// What the provider calls it.
    pub name: String,
    /// Its unit; empty if the provider does not say.
    pub unit: String,
    /// Before the first trial in which it was known.
    pub first: f64,
    /// After the last one.
    pub last: f64,
    /// The lowest value before or after a trial.
    pub lowest: f64,
    /// Trials after which it was known.
    pub trials: u64,
}

/// Every balance of every target, in the order of targets and names.
pub fn balances_of_run(observed: &Observed) -> Vec<BalanceOfTarget> {
    let mut balances: BTreeMap<(&str, &str), BalanceOfTarget> = BTreeMap::new();
    for trial in &observed.trials {
        let Some(provider) = &trial.provider else { continue };
        let target = trial.cell.target.as_str();
        for ProviderBalance { name, unit, value, .. } in provider.before.iter().chain(&provider.after) {
            let known = balances.entry((target, name)).or_insert_with(|| BalanceOfTarget {
                target: target.to_owned(),
                name: name.clone(),
                unit: unit.clone(),
                first: *value,
                last: *value,
                lowest: *value,
                trials: 0,
            });
            known.last = *value;
            known.lowest = known.lowest.min(*value);
        }
        for balance in &provider.after {
            if let Some(known) = balances.get_mut(&(target, balance.name.as_str())) {
                known.trials += 1;
            }
        }
    }
    balances.into_values().collect()
}
