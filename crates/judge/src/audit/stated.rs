//! What an author states in words of his own: read where plain words decide it, and unknown otherwise.

use std::collections::BTreeMap;

use results::imported::{Imported, StatedTarget};
use results::told::StatedFigures;

use super::material::{Residency, lowercase_words};

/// Keys of memory and CPUs.
pub(super) const MEMORY: &[&str] = &["memory", "ram"];
pub(super) const CPUS: &[&str] = &["cpus", "cpu", "vcpus", "cores"];

pub(super) const HOST: &[&str] = &["host", "hostname", "node"];

/// What a key of the servers may stand below, where it is of all of them.
const OF_SERVERS: [&str; 12] = [
    "hardware",
    "server",
    "servers",
    "machine",
    "machines",
    "host",
    "database",
    "db",
    "instance",
    "node",
    "vm",
    "environment",
];

/// What is stated of a target's machine under one of these names: of itself, or of all servers.
pub(super) fn of_machine<'a>(target: &'a StatedTarget, imported: &'a Imported, names: &[&str]) -> Option<&'a str> {
    let in_these = |all: &'a BTreeMap<String, String>| {
        all.iter().find(|(key, _)| is_key_of_machine(key, names)).map(|(_, value)| value.as_str())
    };
    in_these(&target.conditions).or_else(|| in_these(&imported.stated))
}

fn is_key_of_machine(key: &str, names: &[&str]) -> bool {
    let (above, name) = key.rsplit_once('.').map_or((None, key), |(above, name)| (Some(above), name));
    names.contains(&name) && above.is_none_or(|above| OF_SERVERS.contains(&above))
}

/// What is told of a trial in percent under the name of a change, and of nothing that was not measured:
/// `TPS change (%)`, `Δ % vs. VM`, and not `CPU overhead (%)`.
pub(super) fn stated_percent_changes(told: &StatedFigures, imported: &Imported) -> Vec<(String, f64)> {
    let told = told.figures.iter().filter(|(name, _)| is_name_of_change(name, imported));
    told.map(|(name, percent)| (name.clone(), *percent)).collect()
}

/// Whether a figure's name says that it is a change in percent.
fn is_name_of_change(name: &str, imported: &Imported) -> bool {
    const CHANGE: [&str; 14] = [
        "change",
        "delta",
        "diff",
        "difference",
        "loss",
        "overhead",
        "degradation",
        "improvement",
        "gain",
        "slowdown",
        "slower",
        "faster",
        "vs",
        "versus",
    ];
    const BESIDE: [&str; 24] = [
        "in",
        "of",
        "to",
        "the",
        "from",
        "against",
        "over",
        "baseline",
        "base",
        "reference",
        "percent",
        "pct",
        "tps",
        "throughput",
        "latency",
        "avg",
        "mean",
        "average",
        "median",
        "p50",
        "p95",
        "p99",
        "relative",
        "performance",
    ];
    let lower = name.to_lowercase();
    let words = lowercase_words(&lower);
    (lower.contains('%') || words.iter().any(|word| matches!(word.as_str(), "percent" | "pct")))
        && (lower.contains('δ') || words.iter().any(|word| CHANGE.contains(&word.as_str())))
        && words.iter().all(|word| {
            CHANGE.contains(&word.as_str())
                || BESIDE.contains(&word.as_str())
                || imported.targets.iter().any(|side| lowercase_words(&side.name).contains(word))
        })
}

/// What is told beside the throughput under the name of goodput: of a figure per minute, a sixtieth.
pub(super) fn goodput_per_s(told: &StatedFigures) -> Option<f64> {
    const PER_MINUTE: [&str; 4] = ["minute", "min", "tpm", "rpm"];
    let (name, figure) =
        told.figures.iter().find(|(name, _)| lowercase_words(name).iter().any(|word| word == "goodput"))?;
    let is_per_minute = has_any_word(&lowercase_words(name), &PER_MINUTE);
    Some(if is_per_minute { figure / 60.0 } else { *figure })
}

fn has_any_word(words: &[String], wanted: &[&str]) -> bool {
    words.iter().any(|word| wanted.contains(&word.as_str()))
}

/// Words for the highest of several figures.
const HIGHEST: &[&str] = &["highest", "peak", "peaks", "max", "maximum", "best", "fastest"];
/// Words of which the figure is none of these, whatever else is said.
const MIDDLE: &[&str] = &["mean", "means", "median", "medians", "average", "averages", "avg"];
/// Words with which a highest one is an end of what is said.
const LOWEST: &[&str] = &["lowest", "min", "minimum", "worst", "slowest"];

/// Whether the highest figure over the numbers of clients is what is compared.
pub(super) fn compares_peaks(statistic: &str) -> bool {
    let words = lowercase_words(statistic);
    has_any_word(&words, HIGHEST) && !has_any_word(&words, MIDDLE) && !has_any_word(&words, LOWEST)
}

/// Words of what a highest figure is of, where it is a throughput.
const OF_THROUGHPUT: [&str; 8] =
    ["throughput", "throughputs", "tps", "qps", "tpm", "nopm", "performance", "transactions"];
/// Words between the two.
const BEFORE_THROUGHPUT: [&str; 9] =
    ["read", "write", "mixed", "sustained", "sustainable", "oltp", "postgresql", "postgres", "transaction"];

/// Whether a title says that the highest throughput is what is compared: `Peak throughput of two servers`, `max. read
/// TPS`, and not `max_connections and throughput` or `throughput at peak hours`.
pub(super) fn title_compares_peaks(title: &str) -> bool {
    let words = lowercase_words(title);
    if !compares_peaks(title) {
        return false;
    }
    for (at, word) in words.iter().enumerate() {
        let mut behind = words[at + 1..].iter().skip_while(|word| BEFORE_THROUGHPUT.contains(&word.as_str()));
        let is_of_throughput = behind.next().is_some_and(|word| OF_THROUGHPUT.contains(&word.as_str()));
        if HIGHEST.contains(&word.as_str()) && is_of_throughput {
            return true;
        }
    }
    false
}

/// Whether of the repetitions only the best is left: `best of 3` says so, and so does `the fastest of five runs`. The
/// highest of something else may be meant where a peak or a maximum is stated; where each repetition is there, or
/// nothing of the kind is said, it is not.
pub(super) fn keeps_best_of(statistic: Option<&str>, each_is_there: bool) -> Option<bool> {
    let text = statistic?;
    let all = lowercase_words(text);
    let words: Vec<&str> = all.iter().map(String::as_str).filter(|word| *word != "the").collect();
    let is_of_several = |at: usize| {
        let [highest, of, several] = words[at..at + 3] else { return false };
        let is_of_clients = words.get(at + 3).is_some_and(|word| word.starts_with("client") || *word == "concurrency");
        HIGHEST.contains(&highest) && of == "of" && is_several(several) && !is_of_clients
    };
    // `the fastest run`
    if (0..words.len().saturating_sub(2)).any(is_of_several)
        || words.windows(2).any(|pair| HIGHEST.contains(&pair[0]) && matches!(pair[1], "run" | "trial" | "repetition"))
    {
        return Some(true);
    }
    (each_is_there || !compares_peaks(text)).then_some(false)
}

fn is_several(word: &str) -> bool {
    let named = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "several", "n"];
    named.contains(&word) || word.parse::<u32>().is_ok_and(|of| of > 1)
}

/// Lists of numbers of clients, each maybe of data in one place: `8, 16, 32 in memory; 8, 16 disk-bound`. What stands
/// in brackets, and a list that has other words than those of data, says nothing of them.
pub(super) fn parse_client_lists(text: &str) -> Vec<(Option<Residency>, Vec<u32>)> {
    const WORDS: [&str; 12] =
        ["and", "clients", "client", "in", "memory", "disk", "io", "bound", "cached", "data", "connections", "of"];
    let list = |part: &str| {
        let part = outside_brackets(part);
        let numbers: Vec<Option<u32>> = lowercase_words(&part)
            .iter()
            .filter(|word| !WORDS.contains(&word.as_str()))
            .map(|word| word.parse().ok())
            .collect();
        // One word that is none of these makes a number something else: `8 to 128`.
        Some((Residency::from_claimed_name(&part), numbers.into_iter().collect::<Option<Vec<u32>>>()?))
    };
    text.split(';').filter_map(list).filter(|(_, numbers)| !numbers.is_empty()).collect()
}

fn outside_brackets(text: &str) -> String {
    let mut depth = 0_u32;
    let outside = text.chars().filter(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                return false;
            }
            _ => {}
        }
        depth == 0
    });
    outside.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imported(stated: &[(&str, &str)]) -> Imported {
        let stated: BTreeMap<&str, &str> = stated.iter().copied().collect();
        let json =
            serde_json::json!({"sources": [], "baseline": "a", "targets": [], "declared": stated, "missing": []});
        serde_json::from_value(json).expect("an import")
    }

    #[test]
    fn a_best_of_several_repetitions_is_one_where_it_is_called_so_and_not_known_where_a_highest_may_be_one() {
        for (statistic, each_is_there, expected) in [
            (Some("best of 3 runs"), true, Some(true)),
            (Some("Best-of-5 per cell"), false, Some(true)),
            (Some("the fastest of five runs"), false, Some(true)),
            (Some("highest of the three"), false, Some(true)),
            (Some("the fastest run"), false, Some(true)),
            (Some("best of 1"), false, None),
            (Some("the highest of 5 client counts"), false, None),
            (Some("the highest throughput over the clients"), false, None),
            (Some("the highest throughput over the clients"), true, Some(false)),
            (Some("mean"), false, Some(false)),
            (Some("mean; error bars from minimum to maximum"), false, Some(false)),
            (None, false, None),
        ] {
            assert_eq!(keeps_best_of(statistic, each_is_there), expected, "{statistic:?}, {each_is_there}");
        }
    }

    #[test]
    fn a_highest_figure_is_a_peak_unless_it_is_the_end_of_a_range() {
        for (text, expected) in [
            ("the highest throughput over the client counts", true),
            ("peak TPS", true),
            ("mean of five; error bars from minimum to maximum", false),
            ("median, with the maximum beside it", false),
            ("lowest and highest of ten", false),
            ("throughput at 64 clients", false),
            ("best-effort pods", true),
        ] {
            assert_eq!(compares_peaks(text), expected, "{text}");
        }
    }

    #[test]
    fn a_title_is_of_peaks_where_it_says_the_highest_of_a_throughput() {
        for (title, expected) in [
            ("Peak throughput of PostgreSQL 16 on two distributions", true),
            ("Max. read TPS: Graviton 3 against 4", true),
            ("What is the maximum sustained PostgreSQL throughput of gp3?", true),
            ("Highest NOPM of three instance sizes", true),
            ("max_connections and throughput", false),
            ("Throughput at peak hours", false),
            ("Maximum latency at a given throughput", false),
            ("Mean and maximum TPS of ten runs", false),
            ("VM against Kubernetes", false),
        ] {
            assert_eq!(title_compares_peaks(title), expected, "{title}");
        }
    }

    #[test]
    fn a_list_of_clients_is_one_of_numbers_and_nothing_else() {
        use Residency::{Disk, Memory};
        for (text, expected) in [
            ("8, 16, 32 in memory; 8, 16 disk-bound", vec![(Some(Memory), vec![8, 16, 32]), (Some(Disk), vec![8, 16])]),
            ("64 (2 hosts with 32 each)", vec![(None, vec![64])]),
            ("1, 8 and 64 clients", vec![(None, vec![1, 8, 64])]),
            ("8 to 128", vec![]),
            ("1-64, doubling", vec![]),
            ("as many as CPUs", vec![]),
        ] {
            assert_eq!(parse_client_lists(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_stated_of_all_servers_is_of_each_and_what_is_of_the_generator_is_not() {
        let target = StatedTarget::default();
        for (key, expected) in [
            ("hardware.cpus", Some("8")),
            ("cpus", Some("8")),
            ("server.vcpus", Some("8")),
            ("generator.cpus", None),
            ("targets.a.cpus", None),
        ] {
            assert_eq!(of_machine(&target, &imported(&[(key, "8")]), CPUS), expected, "{key}");
        }
        let conditions = [("hardware.cpus", "4"), ("generator.cpus", "2")];
        let conditions = conditions.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
        let target = StatedTarget { conditions, ..target };
        assert_eq!(of_machine(&target, &imported(&[("cpus", "8")]), CPUS), Some("4"));
    }
}
