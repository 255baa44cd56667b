//! Where the programs are with which an installation upgrades, and is upgraded. Binaries that are downloaded do not
//! have them, packages do.

use std::path::{Path, PathBuf};

use super::installed::places_of_version;

/// What pg_upgrade needs of the installation that is upgraded.
const OF_OLD: [&str; 5] = ["postgres", "initdb", "pg_ctl", "pg_controldata", "pg_resetwal"];
/// What it needs of the one to upgrade to, beyond that.
const OF_NEW: [&str; 6] = ["pg_upgrade", "pg_dump", "pg_dumpall", "pg_restore", "psql", "vacuumdb"];

/// The directory with the programs of a major version that can be upgraded: the one that is given, if it has them, or
/// that of an installed package.
#[must_use]
pub fn upgradable_programs(major: u32, given: Option<&Path>) -> Option<PathBuf> {
    programs_below(Path::new("/"), major, given, &OF_OLD)
}

/// The same of a version to upgrade to.
#[must_use]
pub fn upgrading_programs(major: u32, given: Option<&Path>) -> Option<PathBuf> {
    programs_below(Path::new("/"), major, given, &[&OF_OLD[..], &OF_NEW].concat())
}

fn programs_below(root: &Path, major: u32, given: Option<&Path>, programs: &[&str]) -> Option<PathBuf> {
    let installed = places_of_version(u64::from(major)).into_iter().map(|place| root.join(place));
    let mut directories = given.map(Path::to_owned).into_iter().chain(installed);
    directories.find(|directory| programs.iter().all(|program| directory.join(program).exists()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installation_upgrades_if_it_has_all_programs() {
        let root = tempfile::tempdir().expect("a directory");
        let debian = root.path().join("usr/lib/postgresql/18/bin");
        let given = root.path().join("given");
        for (directory, programs) in [(&debian, &[&OF_OLD[..], &OF_NEW].concat()), (&given, &OF_OLD.to_vec())] {
            std::fs::create_dir_all(directory).expect("it is created");
            for program in programs {
                std::fs::write(directory.join(program), "").expect("it is written");
            }
        }
        let all = [&OF_OLD[..], &OF_NEW].concat();
        assert_eq!(programs_below(root.path(), 18, Some(&given), &all), Some(debian.clone()));
        assert_eq!(programs_below(root.path(), 18, Some(&given), &OF_OLD), Some(given));
        assert_eq!(programs_below(root.path(), 17, None, &all), None);
        std::fs::remove_file(debian.join("pg_upgrade")).expect("it is removed");
        assert_eq!(programs_below(root.path(), 18, None, &all), None);
    }
}
