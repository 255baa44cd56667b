//! What a plan lets its own scripts do, in the words of the load engine.

use load::ShellCommands;
use plan::PlanScripts;

/// Whether scripts may run commands on this machine.
pub(crate) fn shell_commands(scripts: &PlanScripts) -> ShellCommands {
    if scripts.allow_shell { ShellCommands::Permitted } else { ShellCommands::Refused }
}

/// The variables that scripts have from the start.
pub(crate) fn variable_definitions(scripts: &PlanScripts) -> Vec<(String, String)> {
    scripts.define.clone().into_iter().collect()
}
