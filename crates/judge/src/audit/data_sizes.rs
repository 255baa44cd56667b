//! The size of the data of a trial, and what is said of it, as a publication has them: in a column of its table
//! (`db_size_gb`), or of a data set of the study (`data_set.large.size: 95GB`).

use std::collections::BTreeMap;

use results::imported::Imported;

/// Units of a size with their bytes. Databases are told in powers of ten as well as of two, which differ by less than
/// what is compared.
const UNITS: [(&str, f64); 8] = [
    ("kb", 1e3),
    ("mb", 1e6),
    ("gb", 1e9),
    ("tb", 1e12),
    ("kib", 1024.0),
    ("mib", 1_048_576.0),
    ("gib", 1_073_741_824.0),
    ("tib", 1_099_511_627_776.0),
];

/// Words of the name of a column that has the size of the data: `db_size_gb`, `Data set (GiB)`.
const OF_DATA: [&str; 6] = ["db", "database", "data", "dataset", "set", "size"];

/// Words of which one has to be among them: a size alone may be that of a disk.
const DATA: [&str; 4] = ["db", "database", "data", "dataset"];

/// The size of the data of a trial, in bytes; absent where nothing declares it.
pub(super) fn declared_data_bytes(labels: &BTreeMap<String, String>, imported: &Imported) -> Option<u64> {
    for (name, text) in labels {
        let text = value_of_label(name, text);
        if let Some(bytes) = bytes_of_column(name, text) {
            return Some(bytes);
        }
        if let Some(size) = imported.stated.get(&format!("data_set.{text}.size")) {
            return bytes_of_text(size);
        }
    }
    bytes_of_text(imported.stated.get("data_set.size")?)
}

/// What is said of the data sets that the labels of a trial name: `data_set.small.called: fills shared_buffers`.
pub(super) fn claims_of_data_set(imported: &Imported, labels: &BTreeMap<String, String>) -> Vec<String> {
    let mut claims = Vec::new();
    for (name, text) in labels {
        let label = value_of_label(name, text);
        claims.extend(imported.stated.get(&format!("data_set.{label}.called")).cloned());
    }
    claims
}

/// The field of a column: a number has the name of its column before it.
fn value_of_label<'t>(name: &str, text: &'t str) -> &'t str {
    text.strip_prefix(name).map_or(text, str::trim)
}

/// The size that a column tells by its name and its field.
fn bytes_of_column(name: &str, text: &str) -> Option<u64> {
    let name = name.to_lowercase();
    let mut words: Vec<&str> =
        name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let unit = words.last().and_then(|last| UNITS.iter().find(|(unit, _)| unit == last));
    if unit.is_some() {
        words.pop();
    }
    if !words.iter().all(|word| OF_DATA.contains(word)) || !words.iter().any(|word| DATA.contains(word)) {
        return None;
    }
    match unit {
        Some((_, bytes)) => whole_bytes(text.trim().parse::<f64>().ok()? * bytes),
        None => bytes_of_text(text),
    }
}

/// The bytes of `95 GB`.
fn bytes_of_text(text: &str) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let unit = text[end..].trim().to_lowercase();
    let (_, bytes) = UNITS.iter().find(|(name, _)| *name == unit)?;
    whole_bytes(text[..end].parse::<f64>().ok()? * bytes)
}

fn whole_bytes(bytes: f64) -> Option<u64> {
    (bytes.is_finite() && bytes >= 1.0).then_some(bytes as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_the_data_is_that_of_a_column_named_so_and_of_no_other() {
        for (name, text, expected) in [
            ("db_size_gb", value_of_label("db_size_gb", "db_size_gb 71"), Some(71_000_000_000)),
            ("Database size (GiB)", "2", Some(2_147_483_648)),
            ("data set", "1.5 TB", Some(1_500_000_000_000)),
            ("dataset_mb", "0.5", Some(500_000)),
            ("size_gb", "71", None),
            ("disk_size_gb", "71", None),
            ("database", "shop", None),
            ("data_written_gb", "3", None),
            ("db_size_gb", "large", None),
            ("db_size_gb", "0", None),
        ] {
            assert_eq!(bytes_of_column(name, text), expected, "{name}: {text}");
        }
    }
}
