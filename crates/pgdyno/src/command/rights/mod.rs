//! `rights`: what the role of a connection, or of each server of a plan, may do, and what each right buys. Only reads.

mod rows;
mod services;

use std::fmt::Write as _;
use std::path::Path;

use measure::experiment::rights::{RightsAnswer, RightsOfServer, ask_plan, ask_server};
use measure::interrupt;
use results::facts::short_version;
use server::Environment;
use server::rights::RoleRights;

use super::json_outputs::{ManagedServiceOutput, RightsOutput, ServerRightsOutput};
use super::{Manner, documents, run};
use problem::{CommandStatus, Problem};
use rows::{RightRow, rows_of_rights};
use services::{ManagedService, service_of_rights};

/// Prints the rights; fails where no server could be asked.
pub(super) async fn run_rights_command(of: Option<&str>, manner: Manner) -> Result<CommandStatus, Problem> {
    let stop = interrupt::install_signal_handlers()?;
    let environment = Environment::of_this_process(run::own_executable());
    let servers = match of {
        Some(path) if !is_connection_string(path) => {
            let (plan, _) = run::read_plan(Some(Path::new(path))).map_err(|problem| say_both_forms(path, problem))?;
            ask_plan(&plan, &environment, &stop).await?
        }
        conninfo => vec![ask_server(conninfo.unwrap_or_default(), &environment, &stop).await?],
    };
    let printed = if manner.json { rights_as_json(&servers) } else { rights_as_text(&servers) };
    documents::print_bytes(printed.as_bytes())?;
    match first_failure(servers) {
        Some(problem) if manner.json => Ok(problem.exit_status()),
        Some(problem) => Err(problem),
        None => Ok(CommandStatus::Done),
    }
}

/// As libpq tells the name of a database from a connection string.
fn is_connection_string(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://") || text.contains('=')
}

/// What is no plan may have been meant for a server.
fn say_both_forms(path: &str, problem: Problem) -> Problem {
    if Path::new(path).is_file() {
        return problem;
    }
    problem.hint("name a plan file, or a server: `pgdyno rights \"postgresql://USER@HOST/DATABASE\"`")
}

fn first_failure(servers: Vec<RightsOfServer>) -> Option<Problem> {
    for server in servers {
        if let RightsAnswer::Failed(problem) = server.answer {
            return Some(problem);
        }
    }
    None
}

fn rights_as_json(servers: &[RightsOfServer]) -> String {
    let mut output = RightsOutput { servers: Vec::new() };
    for server in servers {
        let mut entry = ServerRightsOutput { targets: server.targets.clone(), ..ServerRightsOutput::default() };
        match &server.answer {
            RightsAnswer::MadeByRun => entry.made_by_run = true,
            RightsAnswer::Failed(problem) => entry.errors = problem.error_entries(),
            RightsAnswer::Known(rights) => {
                entry.version = Some(short_version(&rights.version));
                entry.role = Some(rights.role.clone());
                entry.database = Some(rights.database.clone());
                entry.service = service_of_rights(rights).map(|service| service_output(&service));
                for row in rows_of_rights(rights, &server.session_settings) {
                    entry.rights.push(row.into_output());
                }
            }
        }
        output.servers.push(entry);
    }
    documents::pretty_json(&output)
}

fn service_output(service: &ManagedService) -> ManagedServiceOutput {
    ManagedServiceOutput {
        name: service.name.to_owned(),
        administrators_role: service.role.to_owned(),
        is_member: service.is_member,
        limits: service.limits.iter().map(|&limit| limit.to_owned()).collect(),
    }
}

fn rights_as_text(servers: &[RightsOfServer]) -> String {
    let mut text = String::new();
    for server in servers {
        if !text.is_empty() {
            text.push('\n');
        }
        if !server.targets.is_empty() {
            let word = if server.targets.len() == 1 { "target" } else { "targets" };
            writeln!(text, "{word} {}", server.targets.join(", ")).expect("a String takes it");
        }
        match &server.answer {
            RightsAnswer::MadeByRun => {
                text.push_str("The run creates this server, and its role is a superuser. Nothing to grant.\n");
            }
            RightsAnswer::Failed(problem) => {
                writeln!(text, "not asked: {}", problem.in_one_line()).expect("a String takes it");
            }
            RightsAnswer::Known(rights) => {
                text.push_str(&head_of_server(rights));
                let rows = rows_of_rights(rights, &server.session_settings);
                text.push_str(&conclusion_of_rows(&rows));
                text.push_str(&table_of_rows(&rows));
            }
        }
    }
    text
}

/// Who is logged in where, and what a managed service does not give.
fn head_of_server(rights: &RoleRights) -> String {
    let version = short_version(&rights.version);
    let mut text = format!("{version}, role {:?}, database {:?}\n", rights.role, rights.database);
    if let Some(service) = service_of_rights(rights) {
        let member = if service.is_member { "is a member of it" } else { "is no member of it" };
        let (name, role) = (service.name, service.role);
        writeln!(text, "{name}: its administrators have the role {role}; {:?} {member}", rights.role)
            .expect("a String takes it");
        for limit in service.limits {
            writeln!(text, "  {limit}").expect("a String takes it");
        }
    }
    text
}

/// What the rows come to: how many rights are missing, and what follows.
fn conclusion_of_rows(rows: &[RightRow]) -> String {
    let asked = rows.iter().filter(|row| row.have.is_some()).count();
    let missing: Vec<&RightRow> = rows.iter().filter(|row| row.have == Some(false)).collect();
    let granted = missing.iter().filter(|row| row.grant.is_some()).count();
    if missing.is_empty() {
        return format!("All {asked} rights are there.\n");
    }
    format!(
        "{} of {asked} rights {} missing, {granted} of which can be granted. Without them pgdyno measures, and its \
         report lacks what the table names; a load that makes tables needs the first row.\n",
        missing.len(),
        if missing.len() == 1 { "is" } else { "are" },
    )
}

const HEAD: [&str; 4] = ["right", "have it", "what it buys in the report", "GRANT to run"];

fn table_of_rows(rows: &[RightRow]) -> String {
    let mut lines = vec![HEAD.map(str::to_owned)];
    for row in rows {
        lines.push([row.right.clone(), row.state_in_words(), row.buys.to_owned(), row.grant_in_words()]);
    }
    let mut widths = [0; 4];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = "\n".to_owned();
    for (number, [right, state, buys, grant]) in lines.iter().enumerate() {
        let [first, second, third, _] = widths;
        let line = format!("{right:first$}  {state:second$}  {buys:third$}  {grant}");
        text.push_str(line.trim_end());
        text.push('\n');
        if number == 0 {
            let rule = widths.map(|width| "-".repeat(width)).join("  ");
            text.push_str(&rule);
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connection_strings_are_told_from_plan_files() {
        for text in ["postgresql://h/d", "postgres://", "host=a dbname=b", "dbname=x"] {
            assert!(is_connection_string(text), "{text}");
        }
        for text in ["plan.yaml", "plans/a-a.yaml", "shop"] {
            assert!(!is_connection_string(text), "{text}");
        }
    }

    fn row(have: Option<bool>, grant: Option<&str>) -> RightRow {
        let grant = grant.map(str::to_owned);
        RightRow { right: "x".to_owned(), have, detail: None, buys: "nothing", grant }
    }

    #[test]
    fn the_rows_come_to_a_sentence() {
        let present = row(Some(true), None);
        let unknown_here = row(None, None);
        let grantable = row(Some(false), Some("GRANT x TO y"));
        let beyond_reach = row(Some(false), None);
        assert_eq!(conclusion_of_rows(&[present.clone(), unknown_here.clone()]), "All 1 rights are there.\n");
        let said = conclusion_of_rows(&[present, unknown_here, grantable, beyond_reach]);
        assert!(said.starts_with("2 of 3 rights are missing, 1 of which can be granted. "), "{said}");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = RightRow {
            right: "x".to_owned(),
            have: Some(false),
            detail: Some("2 of 3 tables".to_owned()),
            buys: "nothing",
            grant: Some("GRANT x TO \"y\"".to_owned()),
        };
        let expected = "\n\
            right  have it            what it buys in the report  GRANT to run\n\
            -----  -----------------  --------------------------  --------------\n\
            x      no: 2 of 3 tables  nothing                     GRANT x TO \"y\"\n";
        assert_eq!(table_of_rows(&[row]), expected);
    }
}
