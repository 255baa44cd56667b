//! Numbers as people read them: three significant digits, a unit, a real minus sign.

use results::trial::ClientCount;

/// Throughput, for example `11.9k tps`.
pub fn format_tps(per_s: f64) -> String {
    if per_s >= 1e6 {
        format!("{}M tps", format_significant_digits(per_s / 1e6))
    } else if per_s >= 1e4 {
        format!("{}k tps", format_significant_digits(per_s / 1e3))
    } else {
        format!("{} tps", format_significant_digits(per_s))
    }
}

/// Requests per second of a disk, for example `12.5k IOPS`.
pub fn format_iops(per_s: f64) -> String {
    if per_s >= 1e6 {
        format!("{}M IOPS", format_significant_digits(per_s / 1e6))
    } else if per_s >= 1e4 {
        format!("{}k IOPS", format_significant_digits(per_s / 1e3))
    } else {
        format!("{} IOPS", format_significant_digits(per_s))
    }
}

/// The interval between two figures in words, with their unit once if they share it, for example `[1.64, 1.82] ms`.
pub fn format_interval(low: &str, high: &str) -> String {
    match (low.rsplit_once(' '), high.rsplit_once(' ')) {
        (Some((low, unit)), Some((high, same))) if unit == same => format!("[{low}, {high}] {unit}"),
        _ => format!("[{low}, {high}]"),
    }
}

/// A bandwidth in decimal units, as providers state it, for example `125 MB/s`.
pub fn bytes_per_s(per_s: f64) -> String {
    let (value, unit) = match per_s {
        v if v >= 1e9 => (v / 1e9, "GB/s"),
        v if v >= 1e6 => (v / 1e6, "MB/s"),
        v => (v / 1e3, "kB/s"),
    };
    format!("{} {unit}", format_significant_digits(value))
}

/// A duration given in milliseconds, for example `0.67 ms` or `1.20 s`. None is `0 µs`: digits after its point would
/// say that a little was measured.
pub fn format_milliseconds(ms: f64) -> String {
    if ms == 0.0 {
        "0 µs".to_owned()
    } else if ms >= 1e3 {
        format!("{} s", format_significant_digits(ms / 1e3))
    } else if ms >= 0.1 {
        format!("{} ms", format_significant_digits(ms))
    } else {
        format!("{} µs", format_significant_digits(ms * 1e3))
    }
}

/// A change as a signed percentage, for example `−10.9 %`.
pub fn format_change(ratio_minus_1: f64) -> String {
    format!("{} %", signed_percent(ratio_minus_1))
}

/// An interval of changes, for example `[−12.8, −9.0] %`. Each end has as many digits as show on which side of no
/// change it lies.
pub fn change_interval(low: f64, high: f64) -> String {
    interval_beside(low, high, &[0.0])
}

/// The same beside a practical threshold (a share): each end also shows whether it lies within it, for example
/// `[−0.8, +3.04] %` where that is 3 %.
pub fn change_interval_beside(low: f64, high: f64, threshold: f64) -> String {
    interval_beside(low, high, &[-threshold, 0.0, threshold])
}

fn interval_beside(low: f64, high: f64, lines: &[f64]) -> String {
    let [low, high] = [low, high].map(|share| signed_percent_to(share, decimals_beside(share, lines, f64::round)));
    format!("[{low}, {high}] %")
}

/// The fewest decimals of a percentage, from the usual ones up, with which it lies on the same side of all `lines`
/// (shares) as before it was rounded; `DECIMALS_MAX` at most.
fn decimals_beside(share: f64, lines: &[f64], round: fn(f64) -> f64) -> usize {
    const DECIMALS_MAX: usize = 4;
    let usual = usual_decimals(share * 100.0);
    (usual..DECIMALS_MAX)
        .find(|decimals| {
            let unit = 10_f64.powi(*decimals as i32);
            let shown = round(share * 100.0 * unit) / unit;
            lines.iter().all(|line| shown.partial_cmp(&(line * 100.0)) == share.partial_cmp(line))
        })
        .unwrap_or(DECIMALS_MAX)
}

/// None from three digits before the point on.
fn usual_decimals(percent: f64) -> usize {
    if percent.abs() >= 99.95 { 0 } else { 1 }
}

/// A share as a percentage without a sign, for example `3 %` or `2.5 %`.
pub fn format_percent(share: f64) -> String {
    // Nothing has no sign.
    let percent = if share.abs() < 0.0005 { 0.0 } else { share * 100.0 };
    if percent >= 99.95 || (percent - percent.round()).abs() < 0.05 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// The changes that are left open, as a range beside a practical threshold (shares), for example
/// `between −19.1 and +22.5 %`. Each end shows on which side of no change and of the threshold it lies. An end that
/// excludes nothing that anybody expects is not told.
pub fn format_open_changes(low: f64, high: f64, threshold: f64) -> String {
    match (low <= EXCLUDES_NO_LOSS, high >= EXCLUDES_NO_GAIN) {
        (true, true) => return "not known: the trials vary too much to exclude any".to_owned(),
        (false, true) => {
            let low = signed_percent_to(low, decimals_beside(low, &[-threshold, 0.0, threshold], f64::round));
            return format!("above {low} %, without a useful upper bound");
        }
        (true | false, false) => {}
    }
    let lines = [-threshold, 0.0, threshold];
    let [low, high] = [low, high].map(|share| signed_percent_to(share, decimals_beside(share, &lines, f64::round)));
    format!("between {low} and {high} %")
}

/// To a tenth, and from ten times on: an interval that reaches so far tells nothing of that side.
const EXCLUDES_NO_LOSS: f64 = -0.9;
const EXCLUDES_NO_GAIN: f64 = 9.0;

/// How large a change is, without its sign, for example `10.9 %`. One that is not zero is not shown as zero.
pub fn format_size_of_change(ratio_minus_1: f64) -> String {
    let share = ratio_minus_1.abs();
    let decimals = decimals_beside(share, &[0.0], f64::round);
    let unit = 10_f64.powi(decimals as i32);
    let shown = (share * 100.0 * unit).round() / unit;
    if shown.fract() == 0.0 { format!("{shown:.0} %") } else { format!("{shown:.decimals$} %") }
}

/// A change that may have a verdict, for example `−10.9 %`: it is not shown as zero if its interval excludes that.
pub fn format_judged_change(ratio_minus_1: f64, low: f64, high: f64) -> String {
    if low <= 0.0 && high >= 0.0 {
        return format_change(ratio_minus_1);
    }
    let decimals = decimals_beside(ratio_minus_1, &[0.0], f64::round);
    format!("{} %", signed_percent_to(ratio_minus_1, decimals))
}

/// A change with its interval, for example `−10.9 % [−12.8, −9.0] %`.
pub fn change_with_interval(ratio_minus_1: f64, low: f64, high: f64) -> String {
    format!("{} {}", format_judged_change(ratio_minus_1, low, high), change_interval(low, high))
}

/// So many connections that were lost while measuring, and what the first of them said.
pub fn lost_connections(count: usize, first_cause: &str) -> String {
    let were_lost = if count == 1 { "connection was" } else { "connections were" };
    format!("{count} {were_lost} lost while measuring: {first_cause}")
}

/// A number of clients, for example `1 client`, `64 clients` or `an unknown number of clients`.
pub fn format_clients(clients: impl Into<ClientCount>) -> String {
    match clients.into().known_count() {
        Some(1) => "1 client".to_owned(),
        Some(clients) => format!("{clients} clients"),
        None => "an unknown number of clients".to_owned(),
    }
}

/// A number of things, for example `3`, `2.50` or `12.3k`.
pub fn format_count(count: f64) -> String {
    match count.abs() {
        c if c >= 1e6 => format!("{}M", format_significant_digits(count / 1e6)),
        c if c >= 1e4 => format!("{}k", format_significant_digits(count / 1e3)),
        _ if count.fract() == 0.0 => format!("{count:.0}"),
        _ => format_significant_digits(count),
    }
}

/// A number of bytes, for example `16 MiB`.
pub fn format_bytes(bytes: f64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut unit = 0;
    let mut amount = bytes;
    while amount.abs() >= 1024.0 && unit + 1 < UNITS.len() {
        amount /= 1024.0;
        unit += 1;
    }
    if amount.fract() == 0.0 {
        format!("{amount:.0} {}", UNITS[unit])
    } else {
        format!("{} {}", format_significant_digits(amount), UNITS[unit])
    }
}

/// A span in whole seconds as a person says it, for example `58 min` or `1 h 10 min`.
pub fn format_time_span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..90 => format!("{whole} s"),
        90..3600 => format!("{} min", (whole + 30) / 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// Whole seconds of whole seconds, both given in microseconds: `52 of 155`.
pub fn seconds_of(part_us: u64, whole_us: u64) -> String {
    let [part_s, whole_s] = [part_us, whole_us].map(|us| us.saturating_add(500_000) / 1_000_000);
    format!("{part_s} of {whole_s}")
}

fn signed_percent(ratio_minus_1: f64) -> String {
    signed_percent_to(ratio_minus_1, usual_decimals(ratio_minus_1 * 100.0))
}

fn signed_percent_to(ratio_minus_1: f64, decimals: usize) -> String {
    let percent = ratio_minus_1 * 100.0;
    let text = format!("{:.decimals$}", percent.abs());
    let sign = if text.chars().all(|c| matches!(c, '0' | '.')) {
        "±"
    } else if percent < 0.0 {
        "−"
    } else {
        "+"
    };
    format!("{sign}{text}")
}

fn format_significant_digits(value: f64) -> String {
    // 99.95 is where rounding to one decimal would show a fourth digit.
    match value.abs() {
        v if v >= 99.95 => format!("{value:.0}"),
        v if v >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throughput_has_three_digits_and_its_unit() {
        for (value, expected) in [
            (0.5, "0.50 tps"),
            (85.1233, "85.1 tps"),
            (999.4, "999 tps"),
            (4_210.4, "4210 tps"),
            (11_900.0, "11.9k tps"),
            (128_400.0, "128k tps"),
            (1_284_000.0, "1.28M tps"),
        ] {
            assert_eq!(format_tps(value), expected);
        }
    }

    #[test]
    fn disks_are_told_in_the_units_of_those_who_sell_them() {
        assert_eq!((format_iops(3000.0), format_iops(16_000.0)), ("3000 IOPS".to_owned(), "16.0k IOPS".to_owned()));
        assert_eq!((bytes_per_s(125e6), bytes_per_s(1.5e9)), ("125 MB/s".to_owned(), "1.50 GB/s".to_owned()));
    }

    #[test]
    fn latency_picks_the_unit_that_keeps_it_readable() {
        for (value, expected) in
            [(0.0421, "42.1 µs"), (0.67, "0.67 ms"), (15.2, "15.2 ms"), (228.7, "229 ms"), (1_200.0, "1.20 s")]
        {
            assert_eq!(format_milliseconds(value), expected);
        }
    }

    #[test]
    fn a_change_carries_a_real_minus_sign_and_zero_has_none() {
        assert_eq!(format_change(-0.109), "−10.9 %");
        assert_eq!(format_change(0.002), "+0.2 %");
        assert_eq!(format_change(-0.0001), "±0.0 %");
        assert_eq!(format_change(1.5), "+150 %");
        assert_eq!(change_interval(-0.128, -0.09), "[−12.8, −9.0] %");
    }

    #[test]
    fn an_interval_has_its_unit_once() {
        assert_eq!(format_interval("1.64 ms", "1.82 ms"), "[1.64, 1.82] ms");
        assert_eq!(format_interval("900 µs", "1.10 ms"), "[900 µs, 1.10 ms]");
        assert_eq!(format_interval("0.5", "2"), "[0.5, 2]");
    }

    #[test]
    fn ends_of_an_interval_have_digits_that_support_the_verdict() {
        assert_eq!(change_interval_beside(-0.008, 0.0304, 0.03), "[−0.8, +3.04] %");
        assert_eq!(change_interval_beside(-0.0296, 0.0304, 0.03), "[−2.96, +3.04] %");
        assert_eq!(change_interval_beside(0.0003, 0.0496, 0.05), "[+0.03, +4.96] %");
        assert_eq!(change_interval_beside(-0.03, 0.03, 0.03), "[−3.0, +3.0] %");
        assert_eq!(change_interval(-0.0004, 62.261), "[−0.04, +6226] %");
        assert_eq!(change_interval(0.0, 0.01), "[±0.0, +1.0] %");
    }

    #[test]
    fn a_range_of_open_changes_is_rounded_as_the_interval_beside_it() {
        assert_eq!(format_open_changes(-0.029, 0.0304, 0.03), "between −2.9 and +3.04 %");
        assert_eq!(format_open_changes(-0.1734, 0.149, 0.03), "between −17.3 and +14.9 %");
        assert_eq!(change_interval_beside(-0.1734, 0.149, 0.03), "[−17.3, +14.9] %");
        assert_eq!(format_open_changes(-0.04, 0.0, 0.03), "between −4.0 and ±0.0 %");
        assert_eq!(format_open_changes(-0.2, 62.261, 0.03), "above −20.0 %, without a useful upper bound");
        assert_eq!(format_open_changes(-0.97, 541.2, 0.03), "not known: the trials vary too much to exclude any");
    }

    #[test]
    fn a_change_with_a_verdict_is_not_shown_as_zero() {
        assert_eq!(format_judged_change(0.0004, 0.0001, 0.0007), "+0.04 %");
        assert_eq!(format_judged_change(0.0004, -0.0001, 0.0009), "±0.0 %");
        assert_eq!(format_judged_change(-0.109, -0.128, -0.09), "−10.9 %");
        assert_eq!(change_with_interval(-0.0002, -0.0003, -0.0001), "−0.02 % [−0.03, −0.01] %");
        assert_eq!(
            [0.109, -0.2, 0.0004, 62.261].map(format_size_of_change),
            ["10.9 %", "20 %", "0.04 %", "6226 %"].map(str::to_owned)
        );
    }

    #[test]
    fn spans_are_said_as_people_say_them() {
        assert_eq!(format_time_span(41.2), "41 s");
        assert_eq!(format_time_span(58.0 * 60.0 + 10.0), "58 min");
        assert_eq!(format_time_span(4200.0), "1 h 10 min");
    }
}
