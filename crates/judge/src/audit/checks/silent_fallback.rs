//! Every setting is in force as it was asked for.

use super::{About, Check};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, Figure, Weight};

pub(super) const CHECK: Check = Check {
    id: "silent-fallback",
    about: About::Transactions,
    rule: "settings are in force as asked for: huge pages are huge, io_method is what was asked, nothing waits for a restart",
    judge,
};

fn judge(material: &Material) -> CheckResult {
    let mut figures = Vec::new();
    let mut unread = Vec::new();
    for side in &material.sides {
        match &side.not_in_force {
            Some(settings) => {
                figures.extend(settings.iter().map(|text| Figure::against(side.name.clone(), text.clone())));
            }
            None => unread.push(Figure::fine(side.name.clone(), "nothing was read back from the server")),
        }
    }
    if !figures.is_empty() {
        let consequence = "what was measured is not what was asked for: put it in force (a restart, huge pages reserved) and measure again";
        CheckResult::broken(Weight::Comparison, figures, consequence)
    } else if !unread.is_empty() || material.sides.is_empty() {
        CheckResult::cannot_tell("the settings in force (pg_settings) of every side", unread)
    } else {
        CheckResult::holds(vec![Figure::fine("all sides", "settings were read back as asked for")])
    }
}
