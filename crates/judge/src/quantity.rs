//! PostgreSQL's settings with a unit, as the server prints them and people write them: `128MB`, `5min`, and `16GiB`
//! where a person states a condition. What a server would refuse is `target`'s to know; here it is only read.

/// A size in bytes; absent when it is none.
pub fn bytes(text: &str) -> Option<u64> {
    let size = |unit: &str| {
        Some(match unit.to_ascii_lowercase().as_str() {
            "b" => 1.0,
            "kb" | "kib" | "k" | "ki" => 1024.0,
            "mb" | "mib" | "m" | "mi" => 1024.0 * 1024.0,
            "gb" | "gib" | "g" | "gi" => 1024.0 * 1024.0 * 1024.0,
            "tb" | "tib" | "t" | "ti" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
            _ => return None,
        })
    };
    let (number, unit) = split(text)?;
    Some((number * size(unit)?) as u64)
}

/// A time in seconds; absent when it is none. A bare number is in seconds, as those of `checkpoint_timeout` are.
pub fn seconds(text: &str) -> Option<f64> {
    let (number, unit) = split(text)?;
    let length = match unit {
        "us" => 1e-6,
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "min" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        _ => return None,
    };
    Some(number * length)
}

fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    Some((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_read_as_the_server_prints_them() {
        for (text, expected) in
            [("128MB", Some(128 << 20)), ("10 GB", Some(10 << 30)), ("8kB", Some(8192)), ("many", None)]
        {
            assert_eq!(bytes(text), expected);
        }
        for (text, expected) in [("5min", Some(300.0)), ("30s", Some(30.0)), ("1h", Some(3600.0)), ("on", None)] {
            assert_eq!(seconds(text), expected);
        }
    }
}
