//! The journal in a directory of the test's own: what outlives its owner is undone, once, and what a person changed since stays.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::*;

/// A value in a file, as the kernel has them.
fn value(directory: &Path, content: &str) -> PathBuf {
    let path = directory.join("value");
    fs::write(&path, content).unwrap();
    path
}

/// The owner dies: its lock goes, and nothing is undone.
fn die(journal: Journal) {
    drop(journal.file.try_clone().unwrap());
    let Journal { file, .. } = &journal;
    rustix::fs::flock(file, FlockOperation::Unlock).unwrap();
    std::mem::forget(journal);
}

#[test]
fn root_keeps_its_journals_where_every_root_finds_them_and_others_in_their_state() {
    let cases = [
        (0, None, Some("/root"), Some("/var/lib/pgdyno/journal")),
        (0, Some("/state"), Some("/root"), Some("/state/pgdyno/journal")),
        (1000, Some("/state"), Some("/home/ann"), Some("/state/pgdyno/journal")),
        (1000, None, Some("/home/ann"), Some("/home/ann/.local/state/pgdyno/journal")),
        (1000, None, None, None),
    ];
    for (uid, state, home, expected) in cases {
        let given = [("XDG_STATE_HOME", state), ("HOME", home)];
        let variables: BTreeMap<_, _> =
            given.iter().filter_map(|(name, value)| Some(((*name).to_owned(), (*value)?.to_owned()))).collect();
        let environment = Environment { variables, executable: "/x".into(), uid, passwd: String::new() };
        assert_eq!(journal_directory(&environment).ok().as_deref(), expected.map(Path::new), "uid {uid}, {given:?}");
    }
}

#[test]
fn a_change_is_on_disk_with_the_value_of_before_when_it_begins_and_off_it_when_it_is_undone() {
    let place = tempfile::tempdir().unwrap();
    let path = value(place.path(), "10\n");
    let mut journal = Journal::begin_journal(&place.path().join("state")).unwrap();
    let file = journal.path.clone();
    let made = journal.make_change(&MachineChange::kernel_value(&path, "7").unwrap()).unwrap();
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.contains(r#""before":"10","set":"7""#), "{written}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "7");
    assert_eq!(journal.undo_change(made), Ok(Reversal::Restored));
    assert_eq!(journal.undo_change(made), Ok(Reversal::NothingLeft), "twice is once");
    assert_eq!(fs::read_to_string(&path).unwrap(), "10");
    assert_eq!(journal.close_and_undo(), vec![]);
    assert!(!file.exists(), "an empty journal goes");
}

#[test]
fn what_a_living_owner_has_made_is_nobody_else_s_to_undo_and_what_a_dead_one_has_left_is_undone() {
    let place = tempfile::tempdir().unwrap();
    let (path, state) = (value(place.path(), "10"), place.path().join("state"));
    assert!(find_leftovers(&state).unwrap().left.is_empty(), "no directory yet");
    let mut journal = Journal::begin_journal(&state).unwrap();
    journal.make_change(&MachineChange::kernel_value(&path, "7").unwrap()).unwrap();
    let directory = place.path().join("made");
    journal.make_change(&MachineChange::Directory { path: directory.clone() }).unwrap();
    journal.make_change(&MachineChange::File { path: directory.join("image"), size_bytes: 4096 }).unwrap();
    assert!(find_leftovers(&state).unwrap().left.is_empty(), "the owner lives");
    die(journal);
    let left = find_leftovers(&state).unwrap().left;
    assert!(find_leftovers(&state).unwrap().left.is_empty(), "one at a time restores");
    let changes: Vec<String> = left[0].changes_to_undo().map(ToString::to_string).collect();
    assert_eq!((changes.len(), left[0].pid), (3, std::process::id()));
    assert_eq!(changes[2], format!("{} = 7 (before: 10)", path.display()));
    let settled: Vec<_> = left.into_iter().flat_map(Leftovers::undo_changes).map(|settled| settled.outcome).collect();
    assert_eq!(settled, vec![Ok(Reversal::Restored), Ok(Reversal::Restored), Ok(Reversal::Restored)]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "10");
    assert!(!directory.exists());
    assert!(find_leftovers(&state).unwrap().left.is_empty(), "once");
}

#[test]
fn a_torn_last_line_is_a_change_that_was_not_begun() {
    let place = tempfile::tempdir().unwrap();
    let (path, state) = (value(place.path(), "10"), place.path().join("state"));
    let mut journal = Journal::begin_journal(&state).unwrap();
    journal.make_change(&MachineChange::kernel_value(&path, "7").unwrap()).unwrap();
    journal.file.write_all(br#"{"made":{"number":1,"chan"#).unwrap();
    die(journal);
    let left = find_leftovers(&state).unwrap().left;
    assert_eq!(left[0].changes_to_undo().count(), 1);
    let settled: Vec<_> = left.into_iter().flat_map(Leftovers::undo_changes).map(|settled| settled.outcome).collect();
    assert_eq!(settled, vec![Ok(Reversal::Restored)]);
}

#[test]
fn a_journal_that_cannot_be_read_is_told_and_holds_up_no_other() {
    let place = tempfile::tempdir().unwrap();
    let (path, state) = (value(place.path(), "10"), place.path().join("state"));
    let mut journal = Journal::begin_journal(&state).unwrap();
    journal.make_change(&MachineChange::kernel_value(&path, "7").unwrap()).unwrap();
    die(journal);
    let header = JournalLine::Header(JournalHeader::of_this_process()).to_text();
    fs::write(state.join("x.jsonl"), header + "{\"made\n{}\n").unwrap();
    let FoundJournals { left, unreadable } = find_leftovers(&state).unwrap();
    assert!(matches!(unreadable[..], [JournalError::Unreadable { line: 2, .. }]), "{unreadable:?}");
    let settled: Vec<_> = left.into_iter().flat_map(Leftovers::undo_changes).map(|settled| settled.outcome).collect();
    assert_eq!(settled, vec![Ok(Reversal::Restored)]);
    assert!(state.join("x.jsonl").exists(), "nothing is undone of what cannot be read");
}

#[test]
fn what_somebody_else_has_changed_meanwhile_is_left_alone() {
    let place = tempfile::tempdir().unwrap();
    let path = value(place.path(), "10");
    let mut journal = Journal::begin_journal(&place.path().join("state")).unwrap();
    let number = journal.make_change(&MachineChange::kernel_value(&path, "7").unwrap()).unwrap();
    fs::write(&path, "8").unwrap();
    assert_eq!(journal.undo_change(number), Ok(Reversal::LeftAlone { found: "its current value is 8".to_owned() }));
    assert_eq!(fs::read_to_string(&path).unwrap(), "8");

    let directory = place.path().join("made");
    let made = journal.make_change(&MachineChange::Directory { path: directory.clone() }).unwrap();
    fs::write(directory.join("theirs"), "").unwrap();
    assert!(matches!(journal.undo_change(made), Ok(Reversal::LeftAlone { .. })));
    assert!(directory.join("theirs").exists());
}

#[test]
fn what_a_change_that_cannot_be_undone_rests_on_stays_until_it_can() {
    let place = tempfile::tempdir().unwrap();
    let (path, state) = (value(place.path(), "10"), place.path().join("state"));
    let mut journal = Journal::begin_journal(&state).unwrap();
    let directory = place.path().join("made");
    journal.make_change(&MachineChange::kernel_value(&path, "7").unwrap()).unwrap();
    journal.make_change(&MachineChange::Directory { path: directory.clone() }).unwrap();
    let file = directory.join("image");
    journal.make_change(&MachineChange::File { path: file.clone(), size_bytes: 4096 }).unwrap();
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    let settled: Vec<_> = journal.close_and_undo().into_iter().map(|settled| settled.outcome).collect();
    assert!(matches!(settled[..], [Err(_), Err(JournalError::Bears { .. }), Ok(Reversal::Restored)]), "{settled:?}");
    fs::remove_dir(&file).unwrap();
    let settled: Vec<_> = find_leftovers(&state).unwrap().left.into_iter().flat_map(Leftovers::undo_changes).collect();
    assert!(settled.iter().all(|settled| settled.outcome.is_ok()) && settled.len() == 2, "{settled:?}");
    assert!(!directory.exists());
}

#[test]
fn a_change_that_cannot_be_made_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let state = place.path().join("state");
    let taken = value(place.path(), "10");
    let mut journal = Journal::begin_journal(&state).unwrap();
    let error = journal.make_change(&MachineChange::Directory { path: place.path().join("absent/below") }).unwrap_err();
    assert!(error.to_string().starts_with("could not create "), "{error}");
    assert!(journal.open.is_empty());
    assert!(MachineChange::sysctl_by_name("vm.no_such_value", "1").unwrap_err().hint().unwrap().contains("sysctl -a"));
    assert!(journal.make_change(&MachineChange::File { path: taken.clone(), size_bytes: 0 }).is_err());
    assert!(taken.exists(), "what was there before is not removed");
}

#[test]
fn of_a_choice_the_chosen_word_is_the_value() {
    let place = tempfile::tempdir().unwrap();
    let path = value(place.path(), "always [madvise] never\n");
    assert_eq!(kernel_value::read_value(&path).unwrap(), "madvise");
    assert_eq!(
        kernel_value::path_of("net.ipv4.conf.eth0/1.forwarding"),
        Path::new("/proc/sys/net/ipv4/conf/eth0.1/forwarding")
    );
    assert_eq!(
        kernel_value::name_of_value(Path::new("/proc/sys/net/ipv4/conf/eth0.1/forwarding")),
        "net.ipv4.conf.eth0/1.forwarding"
    );
}
