//! The reference part of `docs/command-line.md`: every command with its arguments and options, from their declaration.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory as _};

use super::Cli;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command-line.md");
const BEGIN: &str = "<!-- generated from the command line: begin -->\n";
const END: &str = "<!-- generated from the command line: end -->";

/// The whole generated part: a table of the commands, the options that all have, then a section for each command.
fn command_reference() -> String {
    let mut program = Cli::command();
    program.build();
    let mut commands = Vec::new();
    collect_commands(&program, "", &mut commands);
    let mut text = "| command | does |\n|---|---|\n".to_owned();
    for (name, command) in &commands {
        let anchor = format!("pgdyno {name}").replace(' ', "-");
        writeln!(text, "| [`{name}`](#{anchor}) | {} |", escape_cell(&about_sentence(command))).unwrap();
    }
    text.push_str("\nOptions of every command:\n\n| option | meaning |\n|---|---|\n");
    for argument in program.get_arguments().filter(|argument| is_for_every_command(argument)) {
        text.push_str(&argument_row(argument));
    }
    for (name, command) in &commands {
        write_section(name, command, &mut text);
    }
    text
}

/// The commands that do something by themselves, each with its name as it is typed.
fn collect_commands<'c>(parent: &'c Command, path: &str, to: &mut Vec<(String, &'c Command)>) {
    for command in parent.get_subcommands() {
        if command.is_hide_set() || command.get_name() == "help" {
            continue;
        }
        let name = format!("{path}{}", command.get_name());
        if !command.is_subcommand_required_set() {
            to.push((name.clone(), command));
        }
        collect_commands(command, &format!("{name} "), to);
    }
}

fn is_for_every_command(argument: &Arg) -> bool {
    argument.is_global_set() || matches!(argument.get_id().as_str(), "help" | "version")
}

fn about_sentence(command: &Command) -> String {
    let text = command.get_long_about().or_else(|| command.get_about()).expect("every command says what it does");
    as_sentence(&text.to_string())
}

fn write_section(name: &str, command: &Command, to: &mut String) {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").split_whitespace().collect::<Vec<_>>().join(" ");
    writeln!(to, "\n### pgdyno {name}\n\n{}\n\n```\n{usage}\n```", about_sentence(command)).unwrap();
    let mut headings: Vec<Option<&str>> = Vec::new();
    let own: Vec<&Arg> =
        command.get_arguments().filter(|argument| !is_for_every_command(argument) && !argument.is_hide_set()).collect();
    for argument in &own {
        if !headings.contains(&argument.get_help_heading()) {
            headings.push(argument.get_help_heading());
        }
    }
    for heading in headings {
        if let Some(heading) = heading {
            writeln!(to, "\n{heading}:").unwrap();
        }
        to.push_str("\n| argument | meaning |\n|---|---|\n");
        for argument in &own {
            if argument.get_help_heading() == heading {
                to.push_str(&argument_row(argument));
            }
        }
    }
}

/// A row of a table: how an argument is written, what it means, its values and its default.
fn argument_row(argument: &Arg) -> String {
    let mut meaning = as_sentence(&argument.get_help().expect("every argument has a help").to_string());
    if argument.get_action().takes_values() {
        for value in argument.get_possible_values().iter().filter(|value| !value.is_hide_set()) {
            match value.get_help() {
                Some(help) => {
                    write!(meaning, "<br>`{}`: {}", value.get_name(), as_sentence(&help.to_string())).unwrap();
                }
                None => write!(meaning, "<br>`{}`.", value.get_name()).unwrap(),
            }
        }
        if let Some(default) = argument.get_default_values().first() {
            write!(meaning, "<br>Default: `{}`.", default.to_string_lossy()).unwrap();
        }
    }
    format!("| `{}` | {} |\n", argument_spelling(argument).replace('|', "\\|"), escape_cell(&meaning))
}

/// `-c, --client <NUM>`, or `[PLAN]`.
fn argument_spelling(argument: &Arg) -> String {
    let shown = argument.to_string();
    match (argument.get_short(), argument.get_long()) {
        (Some(short), Some(_)) => format!("-{short}, {shown}"),
        _ => shown,
    }
}

/// Text as a sentence: clap takes the last full stop away.
fn as_sentence(text: &str) -> String {
    if text.ends_with(['.', ']']) { text.to_owned() } else { format!("{text}.") }
}

fn escape_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[test]
fn the_page_of_the_command_line_has_every_command_and_option() {
    let generated = format!("\n{}\n", command_reference());
    assert!(generated.contains("### pgdyno run\n") && generated.contains("`--threshold <PERCENT>`"));
    let how = "UPDATE=1 cargo test --workspace --bin pgdyno manual writes docs/command-line.md anew";
    testbed::assert_generated_part(PAGE, [BEGIN, END], &generated, how);
}
