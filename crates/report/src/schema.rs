//! The JSON Schema of a report's JSON, made from the same types.

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::data::{FORMAT, ReportData};

/// The schema (draft 2020-12) of what `report --format json` and `compare --json` print.
pub fn json_schema() -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<ReportData>().to_value();
    schema["title"] = "The report of a pgdyno run".into();
    schema["properties"]["format"]["const"] = FORMAT.into();
    schema
}
