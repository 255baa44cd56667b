//! What a Prometheus finds when it scrapes: read by the parser of Prometheus' own client, where that can be had.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::client::{Address, Answer};
use crate::place::{Place, append};

/// The answer to somebody who sends this token.
fn scraped(address: &Address, token: &str) -> Answer {
    let bearer = format!("Bearer {token}");
    address.ask("GET", "/metrics", &[("Host", &address.authority), ("Authorization", &bearer)])
}

fn token(address: &Address) -> &str {
    address.path.split('/').nth(1).expect("a token")
}

#[test]
fn the_latest_second_of_each_trial_under_way_is_scraped_with_its_instant() {
    let place = Place::new();
    place.measure(1, 3);
    let _lock = place.dir().lock_directory().expect("the run's lock");
    let server = place.serve();
    let of = |address: &Address| scraped(address, token(address)).has_status(200).body.clone();
    let mut writer = place.begin(2);
    // The last one waits for what its sessions did until the next is there.
    (0..3).for_each(|index| append(&mut writer, index, 500 + u64::from(index)));
    let text = of(&server.address);
    let samples: Vec<&str> = text.lines().filter(|line| line.contains("trial=\"2\"")).collect();
    let target = &place.run.schedule.trials[1].cell.target;
    let throughput = samples.iter().find(|line| line.starts_with("pgdyno_throughput_transactions_per_second{"));
    let throughput = throughput.unwrap_or_else(|| panic!("{text}"));
    for part in [&format!("target=\"{target}\""), "workload=\"write\"", "clients=\"8\"", "block=\"1\"", "} 501 "] {
        assert!(throughput.contains(part), "{part}: {throughput}");
    }
    assert_eq!(samples.len(), 5, "one second, three percentiles, no CPU that nobody read: {text}");
    assert!(text.contains("pgdyno_trials_done{run=\"2026-11-20T09-12-00-served\"} 1\n"), "{text}");
    append(&mut writer, 3, 600);
    let next = of(&server.address);
    assert!(next.contains("} 502 ") && !next.contains("} 501 "), "{next}");
    assert!(next.ends_with("# EOF\n"));
    understood(&next);
}

#[test]
fn a_run_at_rest_has_nothing_to_scrape_and_whoever_has_no_token_neither() {
    let place = Place::new();
    place.measure(1, 3);
    let server = place.serve();
    let own = &server.address;
    let answer = scraped(own, token(own));
    assert!(answer.has_status(200).head.contains("content-type: application/openmetrics-text; version=1.0.0"));
    assert!(answer.body.lines().all(|line| line.starts_with('#')), "{answer:?}");
    understood(&answer.body);
    scraped(own, "").has_status(403);
    scraped(own, &"0".repeat(32)).has_status(403);
    own.ask("GET", "/metrics", &[("Host", &own.authority)]).has_status(403);
    own.ask("GET", "/metrics", &[("Host", "evil.example"), ("Authorization", &format!("Bearer {}", token(own)))])
        .has_status(403);
}

/// Parsed by `prometheus_client` which refuses what is not OpenMetrics; `scripts/setup test` installs it.
fn understood(text: &str) {
    const SYSTEM: &str = "/usr/bin/python3";
    const PARSE: &str = "import sys\ntry:\n    from prometheus_client.openmetrics.parser import text_string_to_metric_families as f\n\
                         except ImportError:\n    sys.exit(77)\nlist(f(sys.stdin.read()))";
    // The system's own, for which the package is.
    let python = if Path::new(SYSTEM).exists() { SYSTEM } else { "python3" };
    let mut python = Command::new(python)
        .args(["-c", PARSE])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 starts");
    python.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("python reads");
    let output = python.wait_with_output().expect("python ends");
    if output.status.code() == Some(77) {
        eprintln!("skipped: Prometheus' client for Python is not installed");
        return;
    }
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
}
