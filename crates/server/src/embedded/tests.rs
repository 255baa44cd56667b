//! The cache against a source of archives that counts its calls and can fail.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use semver::Version;

use super::archives::Archive;
use super::*;

/// A source with three releases; unpacking can be made to leave half a tree.
#[derive(Default)]
struct Fake {
    fetched: Cell<u32>,
    half: bool,
    offline: bool,
}

impl Archives for Fake {
    fn display_url(&self) -> String {
        "https://example.test/archives".to_owned()
    }

    async fn fetch_newest(&self, wanted: &WantedVersion) -> Result<Archive, EmbeddedError> {
        self.fetched.set(self.fetched.get() + 1);
        // The other of two at once gets its turn here.
        tokio::task::yield_now().await;
        if self.offline {
            let why = "no route to host".to_owned();
            return Err(EmbeddedError::Download { version: wanted.to_string(), url: self.display_url(), why });
        }
        let releases = [Version::new(17, 2, 0), Version::new(17, 11, 0), Version::new(18, 1, 0)];
        let newest = releases.into_iter().filter(|version| wanted.matches_release(version)).max();
        let missing = EmbeddedError::NoSuchVersion { version: wanted.to_string(), url: self.display_url() };
        newest.map(|version| Archive { version, bytes: Vec::new() }).ok_or(missing)
    }

    async fn unpack_archive(&self, _: &Archive, into: &Path) -> Result<(), String> {
        fs::create_dir_all(into.join("bin")).unwrap();
        fs::write(into.join("bin/initdb"), "").unwrap();
        fs::set_permissions(into.join("bin"), fs::Permissions::from_mode(0o700)).unwrap();
        if self.half {
            return Err("the archive ends early".to_owned());
        }
        fs::write(into.join("bin/postgres"), "").unwrap();
        Ok(())
    }
}

async fn provide(root: &Path, archives: &Fake, version: &str) -> Result<String, EmbeddedError> {
    let cache = BinaryCache::in_directory(root.join("cache"));
    let wanted = WantedVersion::parse_version(version).expect(version);
    let programs = provide_from(&cache, archives, &root.join("machine"), &wanted, &mut |_| ()).await?;
    let in_cache = programs.strip_prefix(root.join("cache"));
    Ok(in_cache.unwrap_or_else(|_| programs.strip_prefix(root).expect("below it")).display().to_string())
}

fn content(root: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(root.join("cache"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn versions_are_a_major_a_release_or_a_build() {
    for text in ["14", "17", "17.11", "17.11.0", " 18 "] {
        assert_eq!(WantedVersion::parse_version(text).expect(text).to_string(), text.trim());
    }
    for text in ["", "13", "9.6", "latest", "17.x", "17.", "17.1.2.3", "-17", "+17", "17 beta"] {
        assert_eq!(WantedVersion::parse_version(text), None, "{text}");
    }
}

#[tokio::test]
async fn a_version_is_downloaded_once_and_a_second_start_asks_nobody() {
    let root = tempfile::tempdir().unwrap();
    let archives = Fake::default();
    for version in ["17", "17", "17.11", "17.11.0"] {
        assert_eq!(provide(root.path(), &archives, version).await.unwrap(), "17.11.0/bin");
    }
    assert_eq!(archives.fetched.get(), 1);
    assert_eq!(provide(root.path(), &archives, "17.2").await.unwrap(), "17.2.0/bin");
    assert_eq!(archives.fetched.get(), 2);
    assert_eq!(provide(root.path(), &archives, "17").await.unwrap(), "17.11.0/bin");
    assert_eq!(content(root.path()), ["17.11.0", "17.2.0", "lock"]);
}

#[tokio::test]
async fn a_major_version_is_satisfied_by_an_older_cached_release() {
    let root = tempfile::tempdir().unwrap();
    let archives = Fake::default();
    provide(root.path(), &archives, "17.2").await.unwrap();
    assert_eq!(provide(root.path(), &archives, "17").await.unwrap(), "17.2.0/bin");
    assert_eq!(archives.fetched.get(), 1);
}

#[tokio::test]
async fn two_at_once_download_once() {
    let root = tempfile::tempdir().unwrap();
    let archives = Fake::default();
    let (one, two) = tokio::join!(provide(root.path(), &archives, "18"), provide(root.path(), &archives, "18"));
    assert_eq!((one.unwrap().as_str(), two.unwrap().as_str()), ("18.1.0/bin", "18.1.0/bin"));
    assert_eq!(archives.fetched.get(), 1);
}

#[tokio::test]
async fn an_archive_that_cannot_be_unpacked_leaves_nothing_behind() {
    let root = tempfile::tempdir().unwrap();
    let broken = Fake { half: true, ..Fake::default() };
    let error = provide(root.path(), &broken, "17").await.expect_err("damaged");
    assert_eq!(error.to_string(), "the download of PostgreSQL 17.11.0 is damaged");
    assert_eq!(content(root.path()), ["lock"]);
    assert_eq!(provide(root.path(), &Fake::default(), "17").await.unwrap(), "17.11.0/bin");
}

#[tokio::test]
async fn what_a_killed_installation_left_is_neither_used_nor_kept() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("cache/unpacking-x/tree/bin")).unwrap();
    assert_eq!(provide(root.path(), &Fake::default(), "17").await.unwrap(), "17.11.0/bin");
    assert_eq!(content(root.path()), ["17.11.0", "lock"]);
}

#[tokio::test]
async fn what_is_cached_is_readable_by_every_user() {
    let root = tempfile::tempdir().unwrap();
    provide(root.path(), &Fake::default(), "17").await.unwrap();
    for path in ["cache", "cache/17.11.0", "cache/17.11.0/bin"] {
        let mode = fs::metadata(root.path().join(path)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o755, "{path}");
    }
}

#[tokio::test]
async fn without_a_network_the_error_names_version_address_and_way_out() {
    let root = tempfile::tempdir().unwrap();
    let offline = Fake { offline: true, ..Fake::default() };
    let error = provide(root.path(), &offline, "16").await.expect_err("offline");
    assert_eq!(error.to_string(), "PostgreSQL 16 is not cached and cannot be downloaded");
    assert_eq!(error.detail().as_deref(), Some("https://example.test/archives: no route to host"));
    assert!(error.hint().unwrap().contains("bin: /usr/lib/postgresql"));
    let error = provide(root.path(), &Fake::default(), "16").await.expect_err("no such version");
    assert_eq!(error.to_string(), "PostgreSQL 16 is not available for download");
}

/// A `postgres` that says it is of this release, where Debian's package of the major version has it.
fn install(root: &Path, major: u64, release: &str) {
    let bin = root.join("machine/usr/lib/postgresql").join(major.to_string()).join("bin");
    fs::create_dir_all(&bin).unwrap();
    let program = format!("#!/bin/sh\necho 'postgres (PostgreSQL) {release} (Debian {release}-1)'\n");
    fs::write(bin.join("postgres"), program).unwrap();
    fs::set_permissions(bin.join("postgres"), fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test]
async fn a_version_that_nobody_has_published_is_that_of_the_installed_package() {
    let root = tempfile::tempdir().unwrap();
    let archives = Fake::default();
    install(root.path(), 99, "99rc1");
    assert_eq!(provide(root.path(), &archives, "99").await.unwrap(), "machine/usr/lib/postgresql/99/bin");
    assert_eq!(archives.fetched.get(), 0);
    // Another release than the installed one cannot be had, and a published version is never the installed one.
    assert!(provide(root.path(), &archives, "99.2").await.is_err());
    install(root.path(), 17, "17.9");
    assert_eq!(provide(root.path(), &archives, "17").await.unwrap(), "17.11.0/bin");
}

#[tokio::test]
async fn a_version_that_is_neither_published_nor_installed_is_answered_with_what_to_do() {
    let root = tempfile::tempdir().unwrap();
    let error = provide(root.path(), &Fake::default(), "99").await.expect_err("nobody has it");
    assert_eq!(
        error.to_string(),
        "PostgreSQL 99 cannot be downloaded: Maven Central has no embedded binaries of it yet"
    );
    let looked_in = |place: &str| root.path().join("machine").join(place).display().to_string();
    let detail = error.detail().expect("where it was looked for");
    assert!(detail.contains(&looked_in("usr/lib/postgresql/99/bin")), "{detail}");
    assert!(detail.contains(&looked_in("usr/pgsql-99/bin")), "{detail}");
    assert_eq!(
        error.hint().as_deref(),
        Some(
            "install its package, such as Debian's postgresql-99, or specify the directory of its binaries: { bin: \
             /path/to/bin }"
        )
    );
}

#[test]
fn the_cache_follows_xdg_and_is_readable_by_an_unprivileged_server() {
    let cases = [
        (1000, Some("/home/a"), None, Some("/home/a/.cache/pgdyno/postgresql")),
        (1000, Some("/home/a"), Some("/c"), Some("/c/pgdyno/postgresql")),
        (0, Some("/root"), None, Some("/var/cache/pgdyno/postgresql")),
        (0, Some("/root"), Some("/c"), Some("/c/pgdyno/postgresql")),
        (1000, None, None, None),
    ];
    for (uid, home, cache, expected) in cases {
        let variables = [("HOME", home), ("XDG_CACHE_HOME", cache)];
        let variables: BTreeMap<_, _> =
            variables.iter().filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?.to_owned()))).collect();
        let environment = Environment { variables, executable: "/x".into(), uid, passwd: String::new() };
        assert_eq!(cache_directory(&environment), expected.map(PathBuf::from));
    }
}
