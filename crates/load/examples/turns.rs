//! What turns do for the precision of an A/A comparison: the same time spent in turns of several lengths and in whole
//! trials, on one machine, one after the other.
//!
//! `turns HOST|SOCKET-DIRECTORY PORT[,PORT] USER DATABASE CLIENTS THREADS SECONDS [LENGTH_MS,...]`: select-only,
//! prepared, on two servers or on one twice. For each length prints the change of the second side against the first
//! with the half-width of the 95 % interval over rounds (within the connections of one run: it says nothing of how
//! unlike they were placed), the idle time between turns, and how late they were taken up. At the end the same in whole
//! trials of 6 s, each with new connections.

use conninfo::{ConnInfo, ServerHost};
use load::{EngineJob, LoadError, ParsedScript, StopRequest, Summary, TurnTakingJobs, TurnsSummary};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const TRIAL: Duration = Duration::from_secs(6);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((sides, time, lengths)) = asked(&arguments) else {
        eprintln!(
            "usage: turns HOST|SOCKET-DIRECTORY PORT[,PORT] USER DATABASE CLIENTS THREADS SECONDS [LENGTH_MS,...]"
        );
        return ExitCode::from(2);
    };
    match measure(&sides, time, &lengths) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}\ndetail: {}", error.detail().unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

fn asked(arguments: &[String]) -> Option<(Vec<EngineJob>, Duration, Vec<Duration>)> {
    let [host, ports, user, database, clients, threads, seconds, rest @ ..] = arguments else { return None };
    let ports: Vec<u16> = ports.split(',').map(|port| port.parse().ok()).collect::<Option<_>>()?;
    let side = |port: u16| -> Option<EngineJob> {
        let at = if host.starts_with('/') { ServerHost::Unix(host.into()) } else { ServerHost::tcp_from_name(host) };
        let script = ParsedScript::builtin("select-only")?;
        let job = EngineJob::new(ConnInfo::new((at, port), user, database), script);
        Some(EngineJob { clients: clients.parse().ok()?, threads: threads.parse().ok()?, seed: 1, ..job })
    };
    let sides = [ports[0], *ports.last()?].into_iter().map(side).collect::<Option<_>>()?;
    let lengths = rest.first().map_or("50,100,250,500,1000", String::as_str).split(',');
    let lengths = lengths.map(|ms| ms.parse().ok().map(Duration::from_millis)).collect::<Option<_>>()?;
    Some((sides, Duration::from_secs(seconds.parse().ok()?), lengths))
}

fn measure(sides: &[EngineJob], time: Duration, lengths: &[Duration]) -> Result<(), LoadError> {
    println!(
        "length  rounds     tps A     tps B   change  ± 95 %   gap p50/p99/max us   taken up after p50/p99/max us"
    );
    for &length in lengths {
        let sides = sides.iter().map(|side| EngineJob {
            warm_up: Duration::from_secs(1),
            measure: time.into(),
            ..side.clone()
        });
        let turns = TurnTakingJobs { sides: sides.collect(), length, transactions_at_least: 0, seed: 1, between: None };
        print(length, &load::run_turns(&turns, &StopRequest::new(), &mut |_| ())?);
    }
    let (begun, mut pairs, mut order) = (Instant::now(), Vec::new(), [0, 1]);
    while begun.elapsed() + 2 * TRIAL <= time + TRIAL {
        let mut tps = [0.0; 2];
        for side in order {
            let trial = EngineJob { measure: TRIAL.into(), ..sides[side].clone() };
            tps[side] = per_s(&load::run_job(&trial, &StopRequest::new(), &mut |_| ())?);
        }
        order.reverse();
        pairs.push(tps);
    }
    let logs: Vec<f64> = pairs.iter().map(|[a, b]| (b / a).ln()).collect();
    let mean = |side: usize| pairs.iter().map(|tps| tps[side]).sum::<f64>() / pairs.len() as f64;
    println!("{:>5.2} s {:>6} {:>9.0} {:>9.0} {}   whole trials", 6.0, pairs.len(), mean(0), mean(1), change(&logs));
    Ok(())
}

fn per_s(summary: &Summary) -> f64 {
    summary.successful_transactions() as f64 * 1e9 / summary.measure_ns as f64
}

fn print(length: Duration, done: &TurnsSummary) {
    let logs: Vec<f64> = done.log_ratios([0, 1]).collect();
    let gaps = spread(done.measured_turns().map(|turn| turn.gap_ns).collect());
    let taken_up = spread(done.measured_turns().map(|turn| turn.taken_up_after_ns).collect());
    let (a, b) = (per_s(&done.sides[0]), per_s(&done.sides[1]));
    let seconds = length.as_secs_f64();
    println!("{seconds:>5.2} s {:>6} {a:>9.0} {b:>9.0} {}   {gaps:>18}   {taken_up:>18}", logs.len(), change(&logs));
}

/// The mean of the logarithms as a change, with the half-width of its interval; 2 for Student's t.
fn change(logs: &[f64]) -> String {
    let n = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / n;
    let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / (n - 1.0);
    format!("{:>+7.2}% {:>6.2}%", 100.0 * (mean.exp() - 1.0), 100.0 * 2.0 * (variance / n).sqrt())
}

fn spread(mut ns: Vec<u64>) -> String {
    ns.sort_unstable();
    let us = |share: f64| ns.get(((ns.len() as f64 * share) as usize).min(ns.len() - 1)).map_or(0, |ns| ns / 1000);
    format!("{}/{}/{}", us(0.5), us(0.99), us(1.0))
}
