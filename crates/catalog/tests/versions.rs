//! The data beside the servers. Of each installed version that pgdyno knows, the files say what its server says. With
//! `UPDATE=1` and servers of all versions in `PGDYNO_TEST_PG_BINS` (`make catalog`) the files are written anew.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use catalog::{NEWEST_MAJOR, VERSIONS, all_settings, first_version_with_column, wait_event_meaning};
use testbed::{Postgres, Setup, assert_generated_file, installed_versions};

/// Name, context, type, unit, least, most, words, default, group. What cannot be set has no range and no default: it
/// says something of one server. Two defaults are directories of the build.
const SETTINGS: &str = "SELECT concat_ws(E'\\t', name, context, vartype, coalesce(unit, ''), \
    CASE WHEN context = 'internal' THEN '' ELSE coalesce(min_val, '') END, \
    CASE WHEN context = 'internal' THEN '' ELSE coalesce(max_val, '') END, \
    coalesce(array_to_string(enumvals, ','), ''), \
    CASE WHEN context = 'internal' OR name IN ('krb_server_keyfile', 'unix_socket_directories') THEN '' \
    ELSE coalesce(boot_val, '') END, category) \
    FROM pg_settings WHERE name NOT LIKE '%.%'";

/// Class, event, description.
const WAIT_EVENTS: &str = "SELECT concat_ws(E'\\t', type, name, description) FROM pg_wait_events \
    WHERE type NOT IN ('Activity', 'Extension', 'InjectionPoint') OR name = 'Extension'";

/// View, column; of views that come in several forms that of all tables.
const COLUMNS: &str = "SELECT concat_ws(E'\\t', table_name, column_name) FROM information_schema.columns \
    WHERE table_schema = 'pg_catalog' AND table_name LIKE 'pg\\_stat%' AND table_name !~ '_(sys|user)_|_xact_'";

/// The version from which on a server describes its wait events.
const DESCRIBES_WAITS: u32 = 17;

/// By the columns that name a thing, what else is said of it, in one major version after the other.
type Said = BTreeMap<Vec<String>, Vec<(u32, Vec<String>)>>;

fn server_of_version(bin: PathBuf) -> Postgres {
    Setup { bin, ..Setup::default() }.start_server()
}

/// The lines that a server answers, as columns.
fn lines_of(server: &Postgres, query: &str) -> Vec<Vec<String>> {
    let answer = server.query_postgres(query);
    answer.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn add_answers(said: &mut Said, server: &Postgres, query: &str, naming_columns: usize) {
    for mut columns in lines_of(server, query) {
        let rest = columns.split_off(naming_columns);
        said.entry(columns).or_default().push((server.major_version(), rest));
    }
}

/// Lines of a data file: the versions first, those in which the same is said in one line.
fn lines_with_versions(said: &Said) -> String {
    let mut lines = String::new();
    for (names, by_version) in said {
        let mut ranges: Vec<(u32, u32, &Vec<String>)> = Vec::new();
        for (version, rest) in by_version {
            match ranges.last_mut() {
                Some((_, last, same)) if *last + 1 == *version && *same == rest => *last = *version,
                _ => ranges.push((*version, *version, rest)),
            }
        }
        for (first, last, rest) in ranges {
            let last = if last == NEWEST_MAJOR { String::new() } else { last.to_string() };
            let columns = [vec![format!("{first}-{last}")], names.clone(), rest.clone()].concat();
            lines.push_str(&columns.join("\t"));
            lines.push('\n');
        }
    }
    lines
}

fn data_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}

/// The words that a server, or another build of it, takes besides those that it lists.
fn add_hidden_words(said: &mut Said) {
    for line in std::fs::read_to_string(data_file("hidden-words.tsv")).expect("a file").lines() {
        let Some((name, words)) = line.split_once('\t') else { continue };
        for (_, rest) in said.get_mut(&vec![name.to_owned()]).into_iter().flatten() {
            // Context, type, unit, least, most, words.
            let mut all: Vec<&str> = rest[5].split(',').collect();
            all.extend(words.split(',').filter(|word| !rest[5].split(',').any(|known| known == *word)));
            all.sort_unstable();
            if rest[1] == "enum" {
                rest[5] = all.join(",");
            }
        }
    }
}

const HOW: &str = "`make catalog` writes it anew";

#[test]
fn files_say_what_servers_of_all_versions_say() {
    let mut servers: Vec<Postgres> = Vec::new();
    for bin in installed_versions() {
        servers.push(server_of_version(bin));
    }
    servers.sort_by_key(Postgres::major_version);
    let majors: Vec<u32> = servers.iter().map(Postgres::major_version).collect();
    if majors != VERSIONS.map(|version| version.number) {
        assert!(std::env::var_os("UPDATE").is_none() || majors.len() == 1, "servers of all versions, not {majors:?}");
        eprintln!("skipped: PGDYNO_TEST_PG_BINS does not name one server of each version");
        return;
    }
    let (mut settings, mut waits, mut columns) = (Said::new(), Said::new(), Said::new());
    for server in &servers {
        add_answers(&mut settings, server, SETTINGS, 1);
        add_answers(&mut columns, server, COLUMNS, 2);
        if server.major_version() >= DESCRIBES_WAITS {
            add_answers(&mut waits, server, WAIT_EVENTS, 2);
        }
    }
    add_hidden_words(&mut settings);
    let comment = "# versions, name, context, type, unit, least, most, words, default, group: pg_settings\n";
    assert_generated_file(data_file("settings.tsv"), &format!("{comment}{}", lines_with_versions(&settings)), HOW);
    let comment = "# versions, class, event, description: pg_wait_events\n";
    assert_generated_file(data_file("wait-events.tsv"), &format!("{comment}{}", lines_with_versions(&waits)), HOW);
    let comment = "# versions, view, column: the statistics views\n";
    assert_generated_file(data_file("columns.tsv"), &format!("{comment}{}", lines_with_versions(&columns)), HOW);
}

#[test]
fn each_installed_version_has_the_settings_waits_and_columns_of_the_files() {
    for bin in installed_versions() {
        let server = server_of_version(bin);
        let major = server.major_version();
        // Of a later one only the server knows.
        if VERSIONS.iter().all(|version| version.number != major) {
            continue;
        }
        for columns in lines_of(&server, SETTINGS) {
            let (name, context, vartype, unit) = (&columns[0], &columns[1], &columns[2], &columns[3]);
            let known = all_settings().iter().find(|setting| {
                setting.name == name && (setting.first_version..=setting.last_version).contains(&major)
            });
            // A distribution may have settings of its own.
            let Some(known) = known else {
                assert_eq!(name, "extension_destdir", "it is in no file");
                continue;
            };
            assert_eq!([known.context, known.vartype, known.unit], [context, vartype, unit], "{name} of {major}");
        }
        for columns in lines_of(&server, COLUMNS) {
            let first = first_version_with_column(&columns[0], &columns[1]);
            assert!(first.is_some_and(|first| first <= major), "{columns:?} of {major}");
        }
        if major >= DESCRIBES_WAITS {
            for columns in lines_of(&server, WAIT_EVENTS) {
                assert!(wait_event_meaning(&columns[0], &columns[1]).is_some(), "{columns:?} of {major}");
            }
        }
    }
}
