//! The names of a run that say whose it is: hosts, addresses, databases, roles, and places in a cluster.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

use conninfo::ConninfoSurroundings;
use results::store::RunDir;
use serde_json::Value;

use problem::Problem;

/// Names that tell nothing: they are the same everywhere.
const EVERYWHERE: [&str; 8] = ["postgres", "pgdyno", "localhost", "public", "template1", "127.0.0.1", "::1", "0.0.0.0"];

/// Facts of a platform that are names.
const PLACES: [&str; 7] = ["cluster", "namespace", "node", "pod", "zone", "context", "service"];

/// Names with the words that stand for them.
#[derive(Debug, Default)]
pub(super) struct Names {
    words: BTreeMap<String, String>,
    /// How many there are of each kind.
    counts: BTreeMap<&'static str, usize>,
}

impl Names {
    /// Takes a name of a kind, unless it tells nothing.
    pub(super) fn add_name(&mut self, kind: &'static str, name: &str) {
        let name = name.trim().to_ascii_lowercase();
        let is_telling = name.chars().any(char::is_alphanumeric) && !name.starts_with('/');
        if !is_telling || EVERYWHERE.contains(&name.as_str()) || self.words.contains_key(&name) {
            return;
        }
        let count = self.counts.entry(kind).or_default();
        *count += 1;
        self.words.insert(name, format!("{kind}-{count}"));
    }

    /// The path of a file or directory on the machine of whoever measured.
    fn add_path(&mut self, path: &str) {
        let path = path.to_ascii_lowercase();
        if path.starts_with('/') && !self.words.contains_key(&path) {
            let count = self.counts.entry("path").or_default();
            *count += 1;
            self.words.insert(path, format!("path-{count}"));
        }
    }

    /// Takes a text of any kind as a whole, such as a file or a remark.
    pub(super) fn add_text(&mut self, kind: &'static str, text: &str) {
        let text = text.trim().to_ascii_lowercase();
        if text.chars().any(char::is_alphabetic) && !self.words.contains_key(&text) {
            let count = self.counts.entry(kind).or_default();
            *count += 1;
            self.words.insert(text, format!("{kind}-{count}"));
        }
    }

    /// Takes the hosts, roles and databases that a connection string has.
    pub(super) fn add_hosts_of_text(&mut self, text: &str) {
        add_hosts_of_text(self, text);
    }

    /// A host, and the domain that it is in.
    pub(super) fn add_host(&mut self, name: &str) {
        if name.parse::<IpAddr>().is_ok() {
            self.add_name("address", name);
            return;
        }
        let name = name.trim_start_matches("*.");
        self.add_name("host", name);
        if let Some((_, domain)) = name.split_once('.')
            && domain.contains('.')
        {
            self.add_name("domain", domain);
        }
    }

    /// The word that stands for a name, where the text is one.
    pub(super) fn replacement_of(&self, text: &str) -> Option<String> {
        self.words.get(&text.to_ascii_lowercase()).cloned()
    }

    /// A text with every name in it replaced, where it stands as a word.
    pub(super) fn replaced_in(&self, text: &str) -> String {
        let mut longest_first: Vec<(&String, &String)> = self.words.iter().collect();
        longest_first.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        let mut replaced = text.to_owned();
        for (name, word) in longest_first {
            replaced = replace_word(&replaced, name, word);
        }
        replaced
    }
}

fn replace_word(text: &str, name: &str, word: &str) -> String {
    // Only ASCII changes its length by case, and then nothing is found at the place.
    let lower = text.to_ascii_lowercase();
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(found) = lower[at..].find(name) {
        let (start, end) = (at + found, at + found + name.len());
        let before = text[..start].chars().next_back();
        let after = text[end..].chars().next();
        out.push_str(&text[at..start]);
        if is_part_of_word(before) || is_part_of_word(after) {
            out.push_str(&text[start..end]);
        } else {
            out.push_str(word);
        }
        at = end;
    }
    out.push_str(&text[at..]);
    out
}

fn is_part_of_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_')
}

/// The names that the plan and the facts of a run have.
pub(super) fn names_of_run(dir: &RunDir) -> Result<Names, Problem> {
    let mut names = Names::default();
    if dir.has_plan() {
        let text = dir.plan_yaml()?;
        add_names_of_places(&mut names, &text);
    }
    for (_, facts) in dir.target_facts()? {
        let facts = serde_json::to_value(&facts).expect("plain data always serialises");
        add_names_of_facts(&mut names, &facts);
    }
    for trial in dir.finished_trials()? {
        let trial = serde_json::to_value(&trial).expect("plain data always serialises");
        add_names_of_fields(&mut names, &trial);
    }
    Ok(names)
}

/// Hosts, role and database of a connection string, as libpq reads it.
fn add_names_of_url(names: &mut Names, url: &str) {
    let variables = BTreeMap::new();
    let surroundings = ConninfoSurroundings {
        variables: &variables,
        os_user: None,
        read: &read_no_file,
        socket_directory: Path::new("/var/run/postgresql"),
    };
    if let Ok(resolved) = conninfo::resolve_connection_string(url, &surroundings) {
        names.add_name("role", &resolved.conninfo.user);
        names.add_name("database", &resolved.conninfo.dbname);
    }
    add_hosts_of_text(names, url);
}

/// A report does not depend on the files of whoever makes it.
fn read_no_file(_: &Path) -> std::io::Result<conninfo::File> {
    Err(std::io::ErrorKind::NotFound.into())
}

/// The hosts that a connection string names, which may be several.
fn add_hosts_of_text(names: &mut Names, url: &str) {
    if let Some((_, rest)) = url.split_once("://") {
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        if let Some((login, _)) = authority.rsplit_once('@') {
            names.add_name("role", login.split(':').next().unwrap_or_default());
        }
        let hosts = authority.rsplit_once('@').map_or(authority, |(_, hosts)| hosts);
        for host in hosts.split(',') {
            names.add_host(host_without_port(host));
        }
    }
    for (key, kind) in [("host=", "host"), ("hostaddr=", "host"), ("user=", "role"), ("dbname=", "database")] {
        for part in url.split([' ', '&', '?']) {
            let Some(value) = part.strip_prefix(key) else { continue };
            for value in value.trim_matches('\'').split(',') {
                if kind == "host" { names.add_host(value) } else { names.add_name(kind, value) }
            }
        }
    }
}

fn host_without_port(host: &str) -> &str {
    if let Some(bracketed) = host.strip_prefix('[') {
        return bracketed.split(']').next().unwrap_or_default();
    }
    host.split(':').next().unwrap_or_default()
}

/// Names in a plan that are no URLs: where load is sent from, whom an agent asks, where in a cluster a server is.
fn add_names_of_places(names: &mut Names, plan_yaml: &str) {
    for line in plan_yaml.lines() {
        let Some((key, value)) = line.trim().trim_start_matches("- ").split_once(": ") else { continue };
        let value = value.trim();
        match key {
            "cluster" | "namespace" | "context" | "node" | "pods" | "secret" => {
                names.add_name("place", &unquoted_text(value));
            }
            "url" => add_names_of_url(names, &unquoted_text(value)),
            "restore" | "captured" | "data_directory" | "bin" | "script" | "job_files" => {
                names.add_path(&unquoted_text(value));
            }
            "ssh" => names.add_host(unquoted_text(value).rsplit('@').next().unwrap_or_default()),
            _ => {}
        }
    }
}

/// A value as the writer of plans quotes it: its escapes are those of JSON.
fn unquoted_text(value: &str) -> String {
    serde_json::from_str(value).unwrap_or_else(|_| value.trim_matches('"').to_owned())
}

fn add_names_of_facts(names: &mut Names, facts: &Value) {
    if let Some(address) = facts["path"]["address"].as_str() {
        names.add_host(address);
    }
    for end in [&facts["path"]["server_end"]["address"], &facts["server"]["address"]] {
        names.add_host(end.as_str().unwrap_or_default());
    }
    names.add_name("database", facts["server"]["database"].as_str().unwrap_or_default());
    for database in facts["server"]["databases"].as_object().into_iter().flat_map(serde_json::Map::keys) {
        names.add_name("database", database);
    }
    for standby in facts["standbys"].as_array().into_iter().flatten() {
        names.add_name("standby", standby["name"].as_str().unwrap_or_default());
    }
    let certificate = &facts["path"]["encryption"]["tls"]["certificate"];
    for end in ["subject", "issuer"] {
        for part in certificate[end].as_str().unwrap_or_default().split([',', '/']) {
            if let Some((_, value)) = part.split_once('=') {
                names.add_host(value.trim());
            }
        }
    }
    for setting in ["cluster_name", "synchronous_standby_names"] {
        let value = facts["settings"][setting]["value"].as_str().unwrap_or_default();
        for word in value.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))) {
            if !["any", "first", ""].contains(&word.to_lowercase().as_str()) && word.parse::<u32>().is_err() {
                names.add_name("standby", word);
            }
        }
    }
    for (key, fact) in facts["of_platform"]["facts"].as_object().into_iter().flatten() {
        if PLACES.iter().any(|place| key.contains(place)) {
            names.add_name("place", fact["value"].as_str().unwrap_or_default());
        }
    }
    add_names_of_fields(names, facts);
}

/// Names in fields of any depth that say what they are.
fn add_names_of_fields(names: &mut Names, value: &Value) {
    match value {
        Value::Object(entries) => {
            for (key, item) in entries {
                if let Some(text) = item.as_str() {
                    match key.as_str() {
                        // The role of a trial in its schedule is one of two words.
                        "role" if !["main", "noise-floor"].contains(&text) => names.add_name("role", text),
                        "user" | "usename" => names.add_name("role", text),
                        "database" | "datname" | "dbname" => names.add_name("database", text),
                        "hostname" | "host" | "node_name" => names.add_host(text),
                        "pod" | "node" | "namespace" => names.add_name("place", text),
                        "application" if !text.starts_with("pgdyno") => names.add_name("application", text),
                        _ => {}
                    }
                    add_owners_of_homes(names, text);
                }
                add_names_of_fields(names, item);
            }
        }
        Value::Array(items) => {
            for item in items {
                add_names_of_fields(names, item);
            }
        }
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// `/home/alice/data` names a person.
fn add_owners_of_homes(names: &mut Names, text: &str) {
    for part in text.split("/home/").skip(1) {
        let owner = part.split(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))).next().unwrap_or_default();
        names.add_name("person", owner);
    }
}

/// A text without addresses of IPv4 and IPv6, also of those that no fact has.
pub(super) fn without_addresses(text: &str, names: &mut Names) -> String {
    let mut found = Vec::new();
    for part in text.split(|c: char| !(c.is_ascii_hexdigit() || c == '.' || c == ':')) {
        let part = part.trim_matches([':', '.']);
        let without_port = part.rsplit_once(':').map_or(part, |(address, _)| address);
        for candidate in [part, without_port] {
            let is_four = candidate.parse::<Ipv4Addr>().is_ok();
            let is_six = candidate.contains("::") && candidate.len() > 3 && candidate.parse::<IpAddr>().is_ok();
            if is_four || is_six {
                found.push(candidate.to_owned());
            }
        }
    }
    if found.is_empty() {
        return text.to_owned();
    }
    for address in &found {
        names.add_name("address", address);
    }
    names.replaced_in(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_replaced_as_words_whatever_their_case_and_the_longest_first() {
        let mut names = Names::default();
        add_names_of_url(&mut names, "postgresql://bench:x@db.shop.example:6432,10.1.2.3/shop?sslmode=require");
        let text = "bench at DB.shop.example:6432 (10.1.2.3), database \"shop\", shopping, bench_2, shop.example";
        let expected = "role-1 at host-1:6432 (address-1), database \"database-1\", shopping, bench_2, domain-1";
        assert_eq!(names.replaced_in(text), expected);
        assert_eq!(names.replacement_of("shop").as_deref(), Some("database-1"));
    }

    #[test]
    fn key_value_strings_are_read_too() {
        let mut names = Names::default();
        add_names_of_url(&mut names, "host=a.example hostaddr=192.168.7.9 user=app dbname='crm'");
        assert_eq!(names.replaced_in("app@a.example/crm 192.168.7.9"), "role-1@host-1/database-1 address-1");
    }

    #[test]
    fn addresses_are_found_without_being_known() {
        let mut names = Names::default();
        let text = "from 10.0.0.7:5432 and fe80::1:2, at 12:48:28, version 17.2, 127.0.0.1";
        let expected = "from address-1:5432 and address-2, at 12:48:28, version 17.2, 127.0.0.1";
        assert_eq!(without_addresses(text, &mut names), expected);
    }

    #[test]
    fn paths_of_a_plan_are_names() {
        let mut names = Names::default();
        add_names_of_places(&mut names, "    data:\n      restore: \"/home/jane/acme/shop.dump\"\n");
        assert_eq!(names.replaced_in("restored /home/jane/acme/shop.dump"), "restored path-1");
    }

    #[test]
    fn what_is_the_same_everywhere_stays() {
        let mut names = Names::default();
        add_names_of_url(&mut names, "postgresql://postgres@localhost/postgres");
        assert_eq!(names.replaced_in("postgres@localhost"), "postgres@localhost");
    }
}
