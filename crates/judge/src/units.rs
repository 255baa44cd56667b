//! Numbers as people read them: three significant digits, a unit, a real minus sign.

use results::trial::Clients;

/// Throughput, for example `11.9k tps`.
pub fn tps(per_s: f64) -> String {
    if per_s >= 1e6 {
        format!("{}M tps", significant(per_s / 1e6))
    } else if per_s >= 1e4 {
        format!("{}k tps", significant(per_s / 1e3))
    } else {
        format!("{} tps", significant(per_s))
    }
}

/// Requests per second of a disk, for example `12.5k IOPS`.
pub fn iops(per_s: f64) -> String {
    if per_s >= 1e6 {
        format!("{}M IOPS", significant(per_s / 1e6))
    } else if per_s >= 1e4 {
        format!("{}k IOPS", significant(per_s / 1e3))
    } else {
        format!("{} IOPS", significant(per_s))
    }
}

/// The ends of an interval without their unit, for example `12.3k … 12.7k`.
pub fn range(low: f64, high: f64) -> String {
    let number = |value: f64| if value >= 1e4 { format!("{}k", significant(value / 1e3)) } else { significant(value) };
    format!("{} … {}", number(low), number(high))
}

/// A bandwidth in decimal units, as providers state it, for example `125 MB/s`.
pub fn bytes_per_s(per_s: f64) -> String {
    let (value, unit) = match per_s {
        v if v >= 1e9 => (v / 1e9, "GB/s"),
        v if v >= 1e6 => (v / 1e6, "MB/s"),
        v => (v / 1e3, "kB/s"),
    };
    format!("{} {unit}", significant(value))
}

/// A duration given in milliseconds, for example `0.67 ms` or `1.20 s`.
pub fn milliseconds(ms: f64) -> String {
    if ms >= 1e3 {
        format!("{} s", significant(ms / 1e3))
    } else if ms >= 0.1 {
        format!("{} ms", significant(ms))
    } else {
        format!("{} µs", significant(ms * 1e3))
    }
}

/// A change as a signed percentage, for example `−10.9 %`.
pub fn change(ratio_minus_1: f64) -> String {
    format!("{} %", signed_percent(ratio_minus_1))
}

/// An interval of changes, for example `−12.8 … −9.0 %`.
pub fn change_interval(low: f64, high: f64) -> String {
    format!("{} … {} %", signed_percent(low), signed_percent(high))
}

/// A share as a percentage without a sign, for example `3 %` or `2.5 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 99.95 || (percent - percent.round()).abs() < 0.05 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// What is excluded, as shares that are not negative, for example `no loss over 4 %, no gain over 3 %`.
pub fn excluded(loss: f64, gain: f64) -> String {
    format!("no loss over {}, no gain over {}", percent(loss), percent(gain))
}

/// A number of clients, for example `1 client`, `64 clients` or `an unknown number of clients`.
pub fn clients(clients: impl Into<Clients>) -> String {
    match clients.into().known() {
        Some(1) => "1 client".to_owned(),
        Some(clients) => format!("{clients} clients"),
        None => "an unknown number of clients".to_owned(),
    }
}

/// A number of things, for example `3`, `2.50` or `12.3k`.
pub fn count(count: f64) -> String {
    match count.abs() {
        c if c >= 1e6 => format!("{}M", significant(count / 1e6)),
        c if c >= 1e4 => format!("{}k", significant(count / 1e3)),
        _ if count.fract() == 0.0 => format!("{count:.0}"),
        _ => significant(count),
    }
}

/// A number of bytes, for example `16 MiB`.
pub fn bytes(bytes: f64) -> String {
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
        format!("{} {}", significant(amount), UNITS[unit])
    }
}

/// A span in whole seconds as a person says it, for example `58 min` or `1 h 10 min`.
pub fn span(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..90 => format!("{whole} s"),
        90..3600 => format!("{} min", (whole + 30) / 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

fn signed_percent(ratio_minus_1: f64) -> String {
    let percent = ratio_minus_1 * 100.0;
    let text = if percent.abs() >= 99.95 { format!("{:.0}", percent.abs()) } else { format!("{:.1}", percent.abs()) };
    let sign = if text.chars().all(|c| matches!(c, '0' | '.')) {
        "±"
    } else if percent < 0.0 {
        "−"
    } else {
        "+"
    };
    format!("{sign}{text}")
}

fn significant(value: f64) -> String {
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
            assert_eq!(tps(value), expected);
        }
    }

    #[test]
    fn disks_are_told_in_the_units_of_those_who_sell_them() {
        assert_eq!((iops(3000.0), iops(16_000.0)), ("3000 IOPS".to_owned(), "16.0k IOPS".to_owned()));
        assert_eq!((bytes_per_s(125e6), bytes_per_s(1.5e9)), ("125 MB/s".to_owned(), "1.50 GB/s".to_owned()));
    }

    #[test]
    fn latency_picks_the_unit_that_keeps_it_readable() {
        for (value, expected) in
            [(0.0421, "42.1 µs"), (0.67, "0.67 ms"), (15.2, "15.2 ms"), (228.7, "229 ms"), (1_200.0, "1.20 s")]
        {
            assert_eq!(milliseconds(value), expected);
        }
    }

    #[test]
    fn a_change_carries_a_real_minus_sign_and_zero_has_none() {
        assert_eq!(change(-0.109), "−10.9 %");
        assert_eq!(change(0.002), "+0.2 %");
        assert_eq!(change(-0.0001), "±0.0 %");
        assert_eq!(change(1.5), "+150 %");
        assert_eq!(change_interval(-0.128, -0.09), "−12.8 … −9.0 %");
    }

    #[test]
    fn spans_are_said_as_people_say_them() {
        assert_eq!(span(41.2), "41 s");
        assert_eq!(span(58.0 * 60.0 + 10.0), "58 min");
        assert_eq!(span(4200.0), "1 h 10 min");
    }
}
