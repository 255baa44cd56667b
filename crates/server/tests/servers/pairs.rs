//! A server with a standby: what commits of it survive its loss, and that it has one again.

use std::time::Duration;

use libtest_mimic::Trial;
use server::{Disturbance, LocalSpec, StandbyMode, Target};

use crate::lab::{Lab, ask, debian, print, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_standby_that_was_promoted_is_found_by_the_same_connection_and_gets_a_standby_in_turn", promoted),
        trial("what_is_committed_while_the_standby_is_cut_off_is_lost_by_its_promotion", lost),
        trial("a_synchronous_standby_is_waited_for_and_loses_nothing", waited_for),
        trial("a_pair_that_is_dropped_leaves_nothing_before_and_after_a_promotion", dropped),
        trial("a_server_without_a_standby_cannot_be_replaced", alone),
    ]
}

fn pair(kind: StandbyMode) -> LocalSpec {
    LocalSpec { standby: Some(kind), ..debian() }
}

async fn disturb(target: &mut Target, how: Disturbance) {
    target.disturb_server(how).await.unwrap_or_else(|error| panic!("{how:?}: {}", print(&error)));
}

/// Who follows, as the facts have it.
async fn followers(target: &Target) -> Vec<(String, String)> {
    let facts = target.collect_facts().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let standbys = facts.standbys.expect("a superuser sees them");
    standbys.into_iter().map(|standby| (standby.state, standby.sync_state)).collect()
}

/// Waits until a standby that is not waited for has all that is committed.
async fn caught_up(target: &Target) {
    let sql = "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn >= pg_current_wal_lsn()";
    while ask(target, sql).await == "0" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn promoted(lab: Lab) {
    let mut target = lab.start(pair(StandbyMode::Streaming), &[("work_mem", "8MB")]).await;
    assert_eq!(followers(&target).await, [("streaming".to_owned(), "async".to_owned())]);
    ask(&target, "CREATE TABLE kept AS SELECT 42 AS x").await;
    for round in 0..2 {
        let (before, load) =
            (target.local_server().expect("local").data_directory().to_owned(), target.load_conninfo().clone());
        assert!(!target.must_restart());
        caught_up(&target).await;
        disturb(&mut target, Disturbance::Promote).await;
        assert!(target.must_restart());
        assert_ne!(target.local_server().expect("local").data_directory(), before, "another server");
        // As the load has been told before.
        let (client, driver) =
            control::Config::from(&load).open_connection().await.expect("one of them accepts writes");
        tokio::spawn(driver);
        client.batch_execute(&format!("INSERT INTO kept VALUES ({round})")).await.expect("written");
        assert_eq!(ask(&target, "SHOW work_mem").await, "8MB");
        target.restart_as_it_is().await.unwrap_or_else(|error| panic!("{}", print(&error)));
        assert_eq!(followers(&target).await, [("streaming".to_owned(), "async".to_owned())]);
    }
    assert_eq!(ask(&target, "SELECT string_agg(x::text, ' ') FROM kept").await, "42 0 1");
    target.release_target().await.expect("released");
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn lost(lab: Lab) {
    let mut target = lab.start(pair(StandbyMode::Streaming), &[]).await;
    ask(&target, "CREATE TABLE t AS SELECT 1 AS x").await;
    caught_up(&target).await;
    disturb(&mut target, Disturbance::DetachStandby).await;
    assert!(target.must_restart());
    assert_eq!(followers(&target).await, []);
    ask(&target, "INSERT INTO t VALUES (2)").await;
    disturb(&mut target, Disturbance::Promote).await;
    assert_eq!(ask(&target, "SELECT string_agg(x::text, ' ') FROM t").await, "1");
    target.restart_as_it_is().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_eq!(followers(&target).await.len(), 1, "the new primary's configuration does not cut its standby off");
    target.release_target().await.expect("released");
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn waited_for(lab: Lab) {
    let mut target = lab.start(pair(StandbyMode::Synchronous), &[]).await;
    assert_eq!(followers(&target).await, [("streaming".to_owned(), "sync".to_owned())]);
    ask(&target, "CREATE TABLE t AS SELECT 1 AS x").await;
    disturb(&mut target, Disturbance::DetachStandby).await;
    let client = target.connect_control().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let waiting = tokio::spawn(async move { client.batch_execute("INSERT INTO t VALUES (2)").await });
    let in_vain = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    while ask(&target, in_vain).await == "0" {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    disturb(&mut target, Disturbance::Promote).await;
    assert!(waiting.await.expect("no panic").is_err(), "it was never acknowledged");
    assert_eq!(ask(&target, "SELECT string_agg(x::text, ' ') FROM t").await, "1");
    assert_eq!(ask(&target, "INSERT INTO t VALUES (3) RETURNING x").await, "3", "nobody is waited for any more");
    target.restart_as_it_is().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    assert_eq!(followers(&target).await, [("streaming".to_owned(), "sync".to_owned())]);
}

async fn dropped(lab: Lab) {
    for promotes in [false, true] {
        let mut target = lab.start(pair(StandbyMode::Streaming), &[]).await;
        assert!(lab.content().len() >= 2, "two data directories: {:?}", lab.content());
        if promotes {
            disturb(&mut target, Disturbance::Promote).await;
        }
        let traces = lab.traces(&target);
        drop(target);
        traces.assert_gone();
        assert_eq!(lab.content(), Vec::<String>::new());
    }
}

async fn alone(lab: Lab) {
    let mut target = lab.start(debian(), &[]).await;
    let error = target.disturb_server(Disturbance::Promote).await.expect_err("nobody is there");
    assert!(print(&error).contains("without a standby"), "{}", print(&error));
    assert!(!target.must_restart());
}
