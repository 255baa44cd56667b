//! What stands between the outputs of a file: headings, names of machines, the server's version, commands and
//! settings. Outputs below unlike ones are not repetitions of each other.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use super::generators;
use super::label_words::without_dates;
use super::labels::{LabelLines, without_elements};
use super::other_output::OtherOutput;
use super::repetition_words::{is_count, without_counts};

/// What a line between outputs begins with that names the machine of those below it.
const OF_MACHINE: [&str; 5] = ["Instance:", "Instance type:", "Machine:", "Host:", "Server:"];

/// Settings of PostgreSQL whose names are one word, as people show them beside benchmarks.
const SETTINGS_OF_ONE_WORD: [&str; 4] = ["fsync", "jit", "ssl", "autovacuum"];

/// Options of commands that each repetition has another value of.
const OF_REPETITION: [&str; 2] = ["--random-seed", "--rand-seed"];

/// What was said of an output by lines above it, each as parts of which others may have unlike ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OutputSurroundings {
    /// The server's version, of a line that its `version()` printed.
    pub version: Option<String>,
    /// Headings, the outermost first.
    pub headings: Vec<String>,
    /// Settings, as `synchronous_commit=off`.
    pub settings: Vec<String>,
    /// The words of the command.
    pub command: Vec<String>,
    /// Parts of the name of its file, where that ends with the number of a repetition: `vm` and `c8` of `vm-c8-run1`.
    pub file_name: Vec<String>,
    /// Words of labels, such as items of lists and sentences before a colon.
    pub labels: Vec<String>,
    /// Words of the last paragraph.
    pub remark: Vec<String>,
    /// The load generator, where it is one of several.
    pub generator: Option<String>,
}

/// What was said of a trial by lines above it: nothing of a row of a table, which then takes no room for it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct KeptSurroundings(Option<Box<OutputSurroundings>>);

/// Nothing was said.
static NOTHING_ABOVE: OutputSurroundings = OutputSurroundings {
    version: None,
    headings: Vec::new(),
    settings: Vec::new(),
    command: Vec::new(),
    file_name: Vec::new(),
    labels: Vec::new(),
    remark: Vec::new(),
    generator: None,
};

impl From<OutputSurroundings> for KeptSurroundings {
    fn from(surroundings: OutputSurroundings) -> Self {
        Self((surroundings != NOTHING_ABOVE).then(|| Box::new(surroundings)))
    }
}

impl Deref for KeptSurroundings {
    type Target = OutputSurroundings;

    fn deref(&self) -> &OutputSurroundings {
        self.0.as_deref().unwrap_or(&NOTHING_ABOVE)
    }
}

impl DerefMut for KeptSurroundings {
    fn deref_mut(&mut self) -> &mut OutputSurroundings {
        self.0.get_or_insert_default()
    }
}

/// The lines between outputs, read from the top.
#[derive(Debug, Default)]
pub(crate) struct InterveningLines {
    /// Whether the line is between the fences of Markdown, where `#` begins no heading.
    is_fenced: bool,
    machine: Option<(&'static str, String)>,
    version: Option<String>,
    /// Headings with their levels.
    headings: Vec<(usize, String)>,
    /// The last heading as it is written.
    title: Option<String>,
    settings: BTreeMap<String, String>,
    command: Vec<String>,
    labels: LabelLines,
    generator: Option<String>,
    /// The output of another tool.
    other: OtherOutput,
}

impl InterveningLines {
    /// Reads a line that is of no output of the tool whose outputs are read.
    pub(crate) fn read_surrounding_line(&mut self, whole_line: &str) {
        if self.other.takes_line(whole_line) {
            return;
        }
        let line = whole_line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            self.is_fenced = !self.is_fenced;
            self.labels.finish_paragraph(self.heading_level());
        } else if let Some(generator) = generators::generator_of_line(line) {
            self.generator = Some(generator);
        } else if let Some(level) = self.level_of_rule(whole_line) {
            // A rule below one line of text makes it a heading.
            if let Some(text) = self.labels.take_single_line() {
                self.begin_section(level, &text);
            }
        } else if let Some(machine) = parse_machine_line(line) {
            self.machine = Some(machine);
        } else if let Some(version) = parse_version_line(line) {
            self.version = Some(version.to_owned());
        } else if let Some(command) = parse_benchmark_command(line) {
            self.command = command;
        } else if let Some((name, value)) = parse_setting_line(line) {
            self.settings.insert(name.to_owned(), value.to_owned());
        } else if let Some((level, text)) = parse_heading(line, self.is_fenced) {
            self.begin_section(level, text);
        } else if let Some((level, text)) = parse_heading_element(line) {
            self.begin_section(level, &text);
        } else {
            self.labels.read_line(whole_line, self.is_fenced, self.heading_level());
        }
        if line.contains("</details>") {
            self.headings.retain(|(level, _)| *level < LEVEL_OF_SUMMARY);
        }
    }

    fn begin_section(&mut self, level: usize, text: &str) {
        self.labels.begin_section(level, self.heading_level());
        self.headings.retain(|(other, _)| *other < level);
        self.generator = None;
        self.title = Some(text.to_owned());
        let text = without_counts(&without_dates(text));
        if !is_count(&text) {
            self.headings.push((level, text));
        }
    }

    /// The last heading as it is written, counts included.
    pub(crate) fn last_title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    fn heading_level(&self) -> usize {
        self.headings.last().map_or(0, |(level, _)| *level)
    }

    /// The level of the heading that a rule of Markdown (`===`, `---`) makes of the line above it. psql begins both
    /// lines with a blank.
    fn level_of_rule(&self, line: &str) -> Option<usize> {
        let line = line.trim_end();
        match (self.is_fenced, is_line_of(line, '='), is_line_of(line, '-')) {
            (false, true, _) => Some(1),
            (false, _, true) => Some(2),
            _ => None,
        }
    }

    /// The machine that is named above.
    pub(crate) fn machine_name(&self) -> Option<&str> {
        self.machine.as_ref().map(|(_, name)| name.as_str())
    }

    /// What the line begins with that names it.
    pub(crate) fn machine_key(&self) -> Option<&'static str> {
        self.machine.as_ref().map(|(key, _)| *key)
    }

    /// What is said of the output that comes next. A command is of the outputs up to the next one, as where it was
    /// repeated.
    pub(crate) fn next(&mut self) -> OutputSurroundings {
        let (labels, remark) = self.labels.next_output(self.heading_level());
        OutputSurroundings {
            version: self.version.clone(),
            headings: self.headings.iter().map(|(_, text)| text.clone()).collect(),
            settings: self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect(),
            command: self.command.clone(),
            file_name: Vec::new(),
            labels,
            remark,
            generator: self.generator.clone(),
        }
    }
}

fn parse_machine_line(line: &str) -> Option<(&'static str, String)> {
    let (key, name) = OF_MACHINE.iter().find_map(|key| Some((*key, line.strip_prefix(key)?.trim())))?;
    (!name.is_empty()).then(|| (key, name.to_owned()))
}

/// `PostgreSQL 12.22 (Ubuntu 12.22-3) on x86_64-pc-linux-gnu, compiled by gcc …`
fn parse_version_line(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("PostgreSQL ").filter(|rest| rest.contains(" on ") && rest.contains("-bit"))?;
    let version = rest.split(' ').next()?;
    version.starts_with(|c: char| c.is_ascii_digit()).then_some(version)
}

/// The words of a command that runs a benchmark, behind a prompt and maybe variables: `$ PGHOST=x pgbench -c 8 bench`.
fn parse_benchmark_command(line: &str) -> Option<Vec<String>> {
    let line = match line.split_once(['$', '#', '>']) {
        Some((prompt, rest)) if prompt.is_empty() || prompt.contains(['@', '~', ':']) => rest.trim_start(),
        _ => line,
    };
    let end = line.find(['|', '>']).unwrap_or(line.len());
    // Behind a sign of a comment nothing is of the command: `sysbench … run   # 2`.
    let end = line.find(" #").map_or(end, |comment| comment.min(end));
    let words: Vec<&str> = line[..end].split_whitespace().collect();
    let program = words.iter().position(|word| !word.contains('='))?;
    let name = words[program].rsplit('/').next()?;
    let has_options = words.get(program + 1).is_some_and(|word| {
        word.starts_with('-') || name == "sysbench" && (word.starts_with("oltp_") || word.ends_with(".lua"))
    });
    (matches!(name, "pgbench" | "sysbench") && has_options).then(|| {
        words
            .iter()
            .filter(|word| !OF_REPETITION.iter().any(|option| word.starts_with(option)))
            .map(|word| (*word).to_owned())
            .collect()
    })
}

/// The route that a command of pgbench takes: a directory is that of a socket. Without a host nobody knows it, as the
/// environment may name one.
pub(crate) fn route_of_command(command: &[String]) -> Option<&'static str> {
    let mut host = None;
    for (at, word) in command.iter().enumerate() {
        let value = if word == "-h" || word == "--host" {
            command.get(at + 1).map(String::as_str)
        } else {
            word.strip_prefix("--host=").or_else(|| word.strip_prefix("PGHOST="))
        };
        host = value.or(host);
    }
    let host = host?.trim_matches(['"', '\'']);
    match host {
        "" => None,
        // What a variable has is not known.
        host if host.starts_with('$') => None,
        host if host.starts_with('/') => Some("Unix socket"),
        "localhost" | "127.0.0.1" | "::1" => Some("loopback"),
        _ => Some("network"),
    }
}

/// `ALTER SYSTEM SET synchronous_commit = off;`, `SET x TO y`, `synchronous_commit = off`
fn parse_setting_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end_matches(';');
    let line = line.split_once("=# ").map_or(line, |(_, statement)| statement);
    let said = ["alter system set ", "set "]
        .into_iter()
        .find(|prefix| line.get(..prefix.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(prefix)));
    let rest = said.map_or(line, |prefix| &line[prefix.len()..]);
    let (name, value) = rest.split_once('=').or_else(|| said.and_then(|_| rest.split_once(" to ")))?;
    let (name, value) = (name.trim(), value.trim().trim_matches('\''));
    let is_known = SETTINGS_OF_ONE_WORD.contains(&name);
    let is_name =
        (name.contains('_') || is_known) && name.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '_' | '.'));
    (is_name && !value.is_empty() && !value.contains(char::is_whitespace)).then_some((name, value))
}

/// `## direct`, `=== direct ===`, `--- direct ---`, with its level.
fn parse_heading(line: &str, is_fenced: bool) -> Option<(usize, &str)> {
    // The name of a file, as `head` and `tail` print it.
    if line.starts_with("==> ") {
        return None;
    }
    let hashes = line.len() - line.trim_start_matches('#').len();
    if hashes > 0 {
        let text = line[hashes..].strip_prefix(' ')?.trim();
        return (!is_fenced && hashes <= 6 && !text.is_empty()).then_some((hashes, text));
    }
    let rule =
        ['=', '-', '*'].into_iter().find(|rule| line.starts_with([*rule; 2].iter().collect::<String>().as_str()))?;
    let text = line.trim_matches(rule);
    // Below any heading of Markdown.
    (line.ends_with(rule) && text.chars().any(char::is_alphanumeric)).then(|| (7, text.trim()))
}

/// The level of a `<summary>`, below all headings of Markdown.
const LEVEL_OF_SUMMARY: usize = 7;

/// Whether a line has two signs or more, and no other.
fn is_line_of(line: &str, sign: char) -> bool {
    line.len() >= 2 && line.chars().all(|c| c == sign)
}

/// `<h2>VM</h2>`, `<details><summary>VM</summary>`
fn parse_heading_element(line: &str) -> Option<(usize, String)> {
    let begin = line.strip_prefix("<details>").or_else(|| line.strip_prefix("<details open>")).unwrap_or(line);
    let level = match begin.trim_start().strip_prefix('<')? {
        rest if rest.starts_with("summary") => LEVEL_OF_SUMMARY,
        rest => {
            let level = rest.strip_prefix(['h', 'H'])?.chars().next()?.to_digit(10)? as usize;
            (1..=6).contains(&level).then_some(level)?
        }
    };
    let text = without_elements(begin);
    (!text.is_empty()).then_some((level, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repetition_words::parts_before_repetition;

    fn after(lines: &[&str]) -> OutputSurroundings {
        let mut between = InterveningLines::default();
        lines.iter().for_each(|line| between.read_surrounding_line(line));
        between.next()
    }

    #[test]
    fn headings_nest_and_those_that_count_say_nothing() {
        let headings = |lines: &[&str]| after(lines).headings;
        assert_eq!(headings(&["# A", "## direct", "### Run 2", "```", "# a comment", "```"]), ["A", "direct"]);
        assert_eq!(headings(&["# A", "## direct", "## by way of a pooler"]), ["A", "by way of a pooler"]);
        assert_eq!(headings(&["=== direct ===", "--- run 1 of 3 ---"]), Vec::<String>::new());
        assert_eq!(headings(&["=== direct ===", "-------------", "#hash", "=="]), ["direct"]);
        assert_eq!(headings(&["===== ext4 clients=8 ====="]), ["ext4"]);
        assert_eq!(headings(&["### run 1, 4 clients"]), Vec::<String>::new());
        assert_eq!(headings(&["## pooler, run 2"]), ["pooler"]);
        assert_eq!(headings(&["## scale 100"]), ["scale 100"]);
        assert_eq!(headings(&["# default_pool_size=20 clients=50 run 1"]), ["default_pool_size 20"]);
        assert_eq!(headings(&["==== 9.6.24 ===="]), ["9.6.24"]);
        assert_eq!(headings(&["### checkpoint_timeout = 5min, hour 1"]), ["checkpoint_timeout 5min"]);
    }

    #[test]
    fn names_of_files_tell_sides_where_they_count_repetitions() {
        for (name, parts) in [
            ("vm-c8-run1", &["vm", "c8"][..]),
            ("direct_2", &["direct"]),
            ("pod-run-3", &["pod"]),
            ("pod-t16", &[]),
            ("output", &[]),
            ("4", &[]),
        ] {
            assert_eq!(parts_before_repetition(name), parts, "{name}");
        }
    }

    #[test]
    fn commands_are_told_by_their_program_and_options() {
        let words = |line: &str| after(&[line]).command.join(" ");
        assert_eq!(words("postgres@vm:~$ pgbench -c 8 bench > out.txt"), "pgbench -c 8 bench");
        assert_eq!(words("# sysbench --threads=24 --rand-seed=3 x.lua run | tee a"), "sysbench --threads=24 x.lua run");
        assert_eq!(words("PGHOST=x /usr/bin/pgbench -c 8"), "PGHOST=x /usr/bin/pgbench -c 8");
        assert_eq!(words("$ pgbench -c 8 bench   # 2"), "pgbench -c 8 bench");
        assert_eq!(words("$ sysbench oltp_read_write --tables=10 run"), "sysbench oltp_read_write --tables=10 run");
        for line in ["pgbench (18.1)", "pgbench was run with -c 8", "psql -c 'select 1'", "sysbench 1.1.0 (x)"] {
            assert_eq!(words(line), "", "{line}");
        }
    }

    #[test]
    fn settings_and_versions_are_read_as_psql_and_the_configuration_have_them() {
        for line in [
            "postgres=# ALTER SYSTEM SET synchronous_commit = off;",
            "alter system set synchronous_commit to 'off'",
            "synchronous_commit = off",
        ] {
            assert_eq!(after(&[line]).settings, ["synchronous_commit=off"], "{line}");
        }
        for line in ["a = b", "number_of = two words", "tps = 5", "initial connection time = 3 ms"] {
            assert_eq!(after(&[line]).settings, Vec::<String>::new(), "{line}");
        }
        let line = " PostgreSQL 12.22 (Ubuntu 12.22-3) on x86_64-pc-linux-gnu, 64-bit";
        assert_eq!(after(&[line]).version.as_deref(), Some("12.22"));
        assert_eq!(after(&["PostgreSQL 12 depends on much"]).version, None);
        assert_eq!(after(&["PostgreSQL 12 Results"]).version, None);
    }
}
