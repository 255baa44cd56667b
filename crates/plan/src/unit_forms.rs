//! How the quantities of a plan are read and written, their words, and their JSON Schemas.

use std::str::FromStr;

use serde_json::json;

use super::language::{At, Form, PlanReadingFindings, ValueDescription, Yaml, read_quantity};
use super::units::{
    Bandwidth, Cpus, FileSize, PerSecond, Percent, UnreadableQuantity, WalSegmentSize, parse_bandwidth, parse_cpus,
    parse_file_size, parse_per_second, parse_percent, parse_wal_segment_size,
};

/// Declares what a quantity is in a plan: how it is read, its words, an example, and its JSON Schema.
macro_rules! quantity {
    ($quantity:ident, $parse:path, $words:literal, $example:literal, $($schema:tt)+) => {
        impl FromStr for $quantity {
            type Err = UnreadableQuantity;

            fn from_str(text: &str) -> Result<Self, UnreadableQuantity> {
                $parse(text)
            }
        }

        impl Form for $quantity {
            type Value = Self;

            fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
                read_quantity(findings, at, $parse)
            }

            fn write_value(value: &Self) -> Yaml {
                Yaml::Scalar(value.to_string())
            }

            fn describe_form() -> ValueDescription {
                ValueDescription::new(
                    $words,
                    $example,
                    json!($($schema)+),
                )
            }
        }
    };
}

quantity!(Percent, parse_percent, "percentage: number with `%`", "3%",
    { "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,4})?%$" });
quantity!(PerSecond, parse_per_second, "rate: number with `/s`", "500/s",
    { "type": "string", "pattern": r"^[0-9]+(\.[0-9]{1,3})?/s$" });
quantity!(Cpus, parse_cpus, "number of CPUs", "1.5", { "type": "number", "minimum": 0.01, "maximum": 1024 });
quantity!(WalSegmentSize, parse_wal_segment_size, "size: number with `MB` or `GB`", "16MB",
    { "type": "string", "pattern": "^((1|2|4|8|16|32|64|128|256|512|1024)MB|1GB)$" });
quantity!(FileSize, parse_file_size, "size: number with `MB`, `GB` or `TB`", "64GB",
    { "type": "string", "pattern": "^[0-9]+(MB|GB|TB|MiB|GiB|TiB)$" });
quantity!(Bandwidth, parse_bandwidth,
    "bandwidth: number with `kB/s`, `MB/s`, `GB/s`, `KiB/s`, `MiB/s` or `GiB/s`", "400MB/s",
    { "type": "string", "pattern": "^[0-9]+(kB|MB|GB|KiB|MiB|GiB)/s$" });
