//! What a plan says about a server to be started on this machine.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::route::{LoadRoute, RouteLayers};

/// A server that is started for the experiment.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalSpec {
    /// The server's programs.
    pub source: ProgramSource,
    /// How its cluster is created.
    pub initdb: InitdbOptions,
    /// Its configuration; a setting of the same name wins.
    pub settings: BTreeMap<String, String>,
    /// Where its data lies: a directory that is absent, empty, or was kept by pgdyno. None: a fresh temporary one.
    pub data_directory: Option<PathBuf>,
    /// The directory in which one for its WAL is made; none: it lies with the data.
    pub wal_directory: Option<PathBuf>,
    /// Whether the data directory stays when the server is stopped. The server itself never stays.
    pub keep: bool,
    /// How the load reaches it.
    pub route: LoadRoute,
    /// How many CPUs its processes may use together while this target is measured; none: all.
    pub cpus: Option<f64>,
    /// Whether it has a standby, which can be promoted; none: no.
    pub standby: Option<StandbyMode>,
    /// What is built beside it: for its own route and for those of the targets that share it.
    pub layers: RouteLayers,
    /// Directories of control groups that its processes are put into; there they are already.
    pub control_groups: Vec<PathBuf>,
}

/// How the standby beside a server follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandbyMode {
    /// Behind it: what is committed is there soon after.
    Streaming,
    /// Commits wait for it.
    Synchronous,
}

/// Where the programs of a server come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgramSource {
    /// Downloaded once: a major version (`17`, the newest of it) or an exact one (`17.11`).
    Version(String),
    /// A directory with `postgres` and `initdb`.
    Bin(PathBuf),
}

/// Properties of a cluster that only `initdb` can set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InitdbOptions {
    /// Size of a WAL segment in MB (a power of two from 1 to 1024); none: the server's default, 16.
    pub wal_segment_size_mb: Option<u32>,
    /// Whether pages carry checksums; none: the version's default (off before 18, on from 18).
    pub data_checksums: Option<bool>,
    /// Locale; none: `C`, which every server has and which compares the same everywhere.
    pub locale: Option<String>,
    /// Encoding; none: `UTF8`.
    pub encoding: Option<String>,
}

impl InitdbOptions {
    /// The arguments of `initdb` of one major version, without the data directory.
    #[must_use]
    pub fn initdb_arguments(&self, major: u32, keep: bool) -> Vec<String> {
        let mut arguments = vec![
            "--username=postgres".to_owned(),
            "--auth=trust".to_owned(),
            format!("--encoding={}", self.encoding.as_deref().unwrap_or("UTF8")),
            format!("--locale={}", self.locale.as_deref().unwrap_or("C")),
            // The log is read by programs and by people who search for its messages.
            "--lc-messages=C".to_owned(),
        ];
        arguments.extend(self.wal_segment_size_mb.map(|mb| format!("--wal-segsize={mb}")));
        match self.data_checksums {
            Some(true) => arguments.push("--data-checksums".to_owned()),
            // The option exists only where checksums are the default.
            Some(false) if has_checksums_by_default(major) => arguments.push("--no-data-checksums".to_owned()),
            Some(false) | None => {}
        }
        if !keep {
            // A cluster that is thrown away need not survive a power failure.
            arguments.push("--no-sync".to_owned());
        }
        arguments
    }
}

impl InitdbOptions {
    /// The same properties, whatever the defaults of another version are.
    #[must_use]
    pub fn with_defaults_of_version(&self, major: u32) -> Self {
        let data_checksums = self.data_checksums.or_else(|| Some(has_checksums_by_default(major)));
        Self { data_checksums, ..self.clone() }
    }
}

fn has_checksums_by_default(major: u32) -> bool {
    catalog::version_with_number(major).is_some_and(|version| version.has_checksums_by_default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initdb_is_told_what_the_plan_says_in_the_words_of_its_version() {
        let all = InitdbOptions {
            wal_segment_size_mb: Some(64),
            data_checksums: Some(true),
            locale: Some("en_US.UTF-8".to_owned()),
            encoding: Some("LATIN1".to_owned()),
        };
        let off = InitdbOptions { data_checksums: Some(false), ..InitdbOptions::default() };
        let common = "--username=postgres --auth=trust";
        let cases = [
            (
                &InitdbOptions::default(),
                17,
                false,
                format!("{common} --encoding=UTF8 --locale=C --lc-messages=C --no-sync"),
            ),
            (
                &all,
                17,
                true,
                format!(
                    "{common} --encoding=LATIN1 --locale=en_US.UTF-8 --lc-messages=C --wal-segsize=64 --data-checksums"
                ),
            ),
            (&off, 17, true, format!("{common} --encoding=UTF8 --locale=C --lc-messages=C")),
            (&off, 18, true, format!("{common} --encoding=UTF8 --locale=C --lc-messages=C --no-data-checksums")),
        ];
        for (initdb, major, keep, expected) in cases {
            assert_eq!(initdb.initdb_arguments(major, keep).join(" "), expected);
        }
    }
}
