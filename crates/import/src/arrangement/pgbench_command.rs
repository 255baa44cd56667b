//! A command of pgbench in a field, and the conditions that its options are.

use super::records::NamedFields;

/// Options whose value may be the word behind them.
const HAVE_VALUES: [&str; 25] = [
    "-c",
    "--client",
    "-j",
    "--jobs",
    "-T",
    "--time",
    "-b",
    "--builtin",
    "-f",
    "--file",
    "-M",
    "--protocol",
    "-R",
    "--rate",
    "-t",
    "--transactions",
    "-L",
    "--latency-limit",
    "-h",
    "-p",
    "-U",
    "-P",
    "-s",
    "-D",
    "-F",
];

/// The conditions that a command of pgbench is, if a field is one: its clients, threads, duration and script, and in
/// the workload every other option.
pub(super) fn conditions_of_command(field: &str) -> Option<NamedFields> {
    let mut words = field.trim().trim_start_matches(['$', '#', ' ']).split_whitespace().peekable();
    let program = words.next()?;
    if program.rsplit('/').next() != Some("pgbench") || words.peek().is_none() {
        return None;
    }
    let (mut clients, mut script) = ("1".to_owned(), "tpcb-like".to_owned());
    let mut conditions = NamedFields::new();
    let mut others: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        let (option, own) = option_and_value(word);
        let value = match own {
            None if HAVE_VALUES.contains(&option) => words.next()?.to_owned(),
            own => own.unwrap_or_default(),
        };
        match option {
            "-c" | "--client" => clients = value,
            "-j" | "--jobs" => conditions.push(("threads".to_owned(), value)),
            "-T" | "--time" => conditions.push(("duration_s".to_owned(), value)),
            "-S" | "--select-only" => script = "select-only".to_owned(),
            "-N" | "--skip-some-updates" => script = "simple-update".to_owned(),
            "-b" | "--builtin" | "-f" | "--file" => script = value,
            "-M" | "--protocol" | "-R" | "--rate" | "-t" | "--transactions" | "-L" | "--latency-limit" => {
                others.push(format!("{option} {value}"));
            }
            "-C" | "--connect" | "-i" | "--initialize" => others.push(option.to_owned()),
            // The connection, the database, and options that change what is printed.
            _ => {}
        }
    }
    conditions.insert(0, ("clients".to_owned(), clients));
    others.insert(0, script);
    conditions.insert(0, ("workload".to_owned(), others.join(" ")));
    Some(conditions)
}

/// `-c`, `-c8` and `--client=8` as an option and its value, if that is in the same word.
fn option_and_value(word: &str) -> (&str, Option<String>) {
    if word.starts_with("--") {
        return word.split_once('=').map_or((word, None), |(option, value)| (option, Some(value.to_owned())));
    }
    match word.char_indices().nth(2) {
        Some((at, _))
            if word.starts_with('-') && matches!(word.as_bytes()[1], b'c' | b'j' | b'T' | b't' | b'M' | b'R') =>
        {
            (&word[..at], Some(word[at..].to_owned()))
        }
        Some(_) | None => (word, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_command_are_conditions() {
        for (field, expected) in [
            (
                "pgbench -h 127.0.0.1 -p 5432 -U postgres -T 30 -j 2 -S -c 4 benchmark",
                "workload=select-only clients=4 duration_s=30 threads=2",
            ),
            ("$ /usr/bin/pgbench -c16 -j2 -T60 bench", "workload=tpcb-like clients=16 threads=2 duration_s=60"),
            ("pgbench --client=8 -M prepared -f a.sql x", "workload=a.sql -M prepared clients=8"),
        ] {
            let conditions = conditions_of_command(field).expect(field);
            let words: Vec<String> = conditions.iter().map(|(name, value)| format!("{name}={value}")).collect();
            assert_eq!(words.join(" "), expected, "{field}");
        }
        for field in ["pgbench", "the output of pgbench", "", "pgbench -c"] {
            assert_eq!(conditions_of_command(field), None, "{field}");
        }
    }
}
