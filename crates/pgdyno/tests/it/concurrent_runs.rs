//! Two runs on one server at the same time: each says that the other is there, when it begins and in its trials.

use std::time::Duration;

use results::trial::{Incident, Trial};
use rustix::process::Signal;
use testbed::Setup;

use crate::lab::Lab;
use crate::run_view::RunView;

fn sees_another(trial: &Trial) -> bool {
    trial.incidents.iter().any(|found| matches!(found, Incident::ConcurrentRun { runs: 1, .. }))
}

#[test]
fn two_runs_on_one_server_say_so_of_each_other_and_one_alone_does_not() {
    let server = Setup::default().start_server();
    let start = || {
        let lab = Lab::new();
        let url = format!("host=127.0.0.1 port={} user=postgres dbname=postgres sslmode=disable", server.tcp_port());
        lab.write(
            "plan.yaml",
            format!(
                "name: x\ntargets: {{ it: {{ url: \"{url}\" }} }}\nbaseline: it\nprobes: false\n\
                 workloads: {{ own: {{ script: [own.sql], think: 20ms, reads: true }} }}\nclients: [1]\n\
                 trial: {{ warm_up: 0s, measure: 60s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
            ),
        );
        lab.write("own.sql", "SELECT 1;\n");
        let mut running = lab.start("run plan.yaml");
        running.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
        (lab, running)
    };
    let (first_lab, mut first) = start();
    assert!(!first.said().contains("of pgdyno is connected"), "{}", first.said());
    let (second_lab, mut second) = start();
    let said = "1 other run of pgdyno is connected to the server of target \"it\" (database postgres)";
    assert!(second.said().contains(said), "{}", second.said());
    first.signal(Signal::INT);
    first.end_within(Duration::from_secs(30)).says(&[said]);
    second.signal(Signal::INT);
    second.end_within(Duration::from_secs(30));
    for lab in [&first_lab, &second_lab] {
        assert!(sees_another(&lab.run().trials()[0]), "{:?}", lab.run().trials()[0].incidents);
    }
    let (lab, mut alone) = start();
    alone.signal(Signal::INT);
    alone.end_within(Duration::from_secs(30));
    assert!(!sees_another(&lab.run().trials()[0]), "the others have left nothing");
    let left = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'pgdyno%'";
    server.await_that(&left.replace("count(*)", "count(*) = 0"));
}
