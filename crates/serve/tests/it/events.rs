//! What a page is told while a run is measured: everything once it is there, from where it was, to an explicit end.

use std::fs::{self, File};
use std::io::Write as _;

use jiff::Timestamp;
use results::viewers::Whence;

use crate::client::Told;
use crate::place::{Place, Serving, append};

/// Trial and number of each second of an event.
fn seconds(told: &Told) -> Vec<(u64, u64)> {
    let number = |second: &serde_json::Value, key: &str| second[key].as_u64().expect("a number");
    let seconds = told.data.as_array().expect("seconds").iter();
    seconds.map(|second| (number(second, "trial"), number(second, "index"))).collect()
}

#[test]
fn a_page_is_told_where_the_run_is_and_its_seconds_until_its_end() {
    let place = Place::new();
    place.measure(1, 3);
    let lock = place.dir().lock_directory().expect("the run's lock");
    let server = place.serve();
    let mut events = server.address.listen(None);
    let now = events.await_event("now").data;
    assert_eq!((&now["trials_done"], &now["targets"]), (&1.into(), &serde_json::json!(["old", "new"])));
    assert_eq!(now["under_way"], serde_json::json!([]));
    let before = events.await_event("seconds");
    assert_eq!(seconds(&before), [(1, 0), (1, 1), (1, 2)], "what was before it was opened");

    let mut writer = place.begin(2);
    append(&mut writer, 0, 500);
    append(&mut writer, 1, 600);
    let now = events.await_event("now").data;
    assert_eq!((&now["under_way"][0]["trial"], &now["under_way"][0]["block"]), (&2.into(), &1.into()));
    // The last one waits for what its sessions did until the next is there.
    let told = events.await_event("seconds");
    assert_eq!((seconds(&told), &told.data[0]["throughput_per_s"]), (vec![(2, 0)], &500.0.into()));
    append(&mut writer, 2, 700);
    assert_eq!(seconds(&events.await_event("seconds")), [(2, 1)]);
    place.commit(writer, 2);
    let rest: Vec<Told> = std::iter::from_fn(|| events.next()).take_while(|told| told.name != "now").collect();
    drop(lock);
    let last: Vec<Told> = rest.into_iter().chain(events).collect();
    let told: Vec<_> = last.iter().filter(|told| told.name == "seconds").flat_map(seconds).collect();
    assert_eq!(told, [(2, 2)], "{last:?}");
    assert_eq!(last.last().map(|told| told.name.as_str()), Some("end"));
}

#[test]
fn a_page_that_connects_again_to_the_next_server_is_told_what_it_has_not_seen() {
    let place = Place::new();
    let _lock = place.dir().lock_directory().expect("the run's lock");
    let mut writer = place.begin(1);
    (0..6).for_each(|index| append(&mut writer, index, 500));
    let server = place.serve();
    let port = server.address.port();
    let mut events = server.address.listen(None);
    let first = events.await_event("seconds");
    assert_eq!(seconds(&first).len(), 5);
    drop(events);
    drop(server);

    (6..9).for_each(|index| append(&mut writer, index, 500));
    let next = Serving::start(&place.path(), &place.token(), port);
    let again = seconds(&next.address.listen(first.id.as_deref()).await_event("seconds"));
    // From a little before what was seen last, since sides that take turns are written one after the other.
    let whole: Vec<(u64, u64)> = (3..8).map(|index| (1, index)).collect();
    assert_eq!(again, whole);
    let by_address =
        next.address.ask("GET", &format!("{}runs", next.address.path), &[("Host", &next.address.authority)]);
    by_address.has_status(404);
}

#[test]
fn a_second_that_is_torn_is_told_when_it_is_whole() {
    let place = Place::new();
    let _lock = place.dir().lock_directory().expect("the run's lock");
    let mut writer = place.begin(1);
    append(&mut writer, 0, 500);
    append(&mut writer, 1, 500);
    let path = place.path().join("trials/1.partial/intervals.jsonl");
    let line =
        fs::read_to_string(&path).expect("seconds").lines().next().expect("one").replace("\"index\":0", "\"index\":2");
    let (begin, rest) = line.split_at(line.len() / 2);
    let mut file = File::options().append(true).open(&path).expect("the file");
    file.write_all(begin.as_bytes()).expect("torn");
    let server = place.serve();
    let mut events = server.address.listen(None);
    assert_eq!(seconds(&events.await_event("seconds")), [(1, 0)]);
    file.write_all(format!("{rest}\n").as_bytes()).expect("whole");
    assert_eq!(seconds(&events.await_event("seconds")), [(1, 1)]);
    file.write_all(b"no second\n").expect("broken");
    let trouble = events.await_event("trouble").data;
    assert!(trouble["error"].as_str().is_some_and(|error| error.contains("line 1")), "{trouble}");
    server.address.get("report.json").has_status(200);
}

#[test]
fn a_directory_that_is_deleted_is_told_and_the_server_goes_on() {
    let place = Place::new();
    let lock = place.dir().lock_directory().expect("the run's lock");
    let server = Serving::start(&place.runs(), &place.token(), 0);
    let mut address = server.address.clone();
    address.path.push_str(&format!("runs/{}/", place.run.id));
    let mut events = address.listen(None);
    events.await_event("now");
    fs::remove_dir_all(place.path()).expect("deleted");
    drop(lock);
    let last: Vec<String> = events.map(|told| told.name).collect();
    assert_eq!(last.last().map(String::as_str), Some("gone"));
    address.get("report.json").has_status(404);
}

#[test]
fn of_a_run_at_rest_the_end_is_told_at_once() {
    let place = Place::new();
    place.measure(1, 2);
    let names: Vec<String> = place.serve().address.listen(None).map(|told| told.name).collect();
    assert_eq!(names, ["now", "seconds", "end"]);
}

#[test]
fn a_page_that_is_open_while_a_run_is_measured_is_written_into_the_run() {
    let place = Place::new();
    let server = place.serve();
    server.address.listen(None).for_each(drop);
    assert_eq!(place.dir().read_viewers().expect("none"), [], "a run at rest is not disturbed");
    let lock = place.dir().lock_directory().expect("the run's lock");
    let before = Timestamp::now();
    let mut open = server.address.listen(None);
    open.await_event("now");
    let mut closed = server.address.listen(None);
    closed.await_event("now");
    drop(closed);
    let viewers = || place.dir().read_viewers().expect("whole lines");
    while viewers().is_empty() {
        // The server knows that a page has gone when it tells it something.
        fs::write(place.path().join("tuning.json"), format!("{}", Timestamp::now())).expect("news");
        open.await_event("now");
    }
    drop(lock);
    open.for_each(drop);
    while viewers().len() < 2 {
        std::thread::yield_now();
    }
    for viewed in viewers() {
        assert_eq!(viewed.whence, Whence::Here);
        assert!(before <= viewed.from && viewed.from < viewed.to && viewed.to <= Timestamp::now(), "{viewed:?}");
    }
}

#[test]
fn what_was_before_a_page_is_opened_is_told_in_portions_that_it_can_take_between_two_frames() {
    let place = Place::new();
    place.measure(1, 900);
    let told: Vec<Told> = place.serve().address.listen(None).filter(|told| told.name == "seconds").collect();
    assert_eq!(told.iter().map(|told| seconds(told).len()).collect::<Vec<_>>(), [400, 400, 100]);
    let all: Vec<(u64, u64)> = told.iter().flat_map(seconds).collect();
    assert_eq!(all, (0..900).map(|index| (1, index)).collect::<Vec<_>>());
    assert!(told.is_sorted_by_key(|told| told.id.clone()), "a page that connects again goes on after the last");
}
