//! The tables of findings and issues.

use super::{CsvLineWriter, estimate_cells, number_or_empty, titles_with_unit, word_of_choice};
use crate::data::ReportData;

pub(super) fn write_findings(data: &ReportData, lines: &mut CsvLineWriter) -> ::csv::Result<()> {
    let titles = ["rule", "title", "confidence", "where", "cost", "cost_percent"].map(str::to_owned).into_iter();
    lines.write_record(titles.chain(titles_with_unit("cost", "ms")).chain(titles_with_unit("change", "ms")))?;
    for one in &data.diagnosis.findings {
        let mut record =
            vec![one.rule.to_owned(), one.title.clone(), word_of_choice(one.confidence), one.cells.join("; ")];
        record.extend([one.cost.clone(), number_or_empty(one.cost_share.map(|share| share * 100.0))]);
        record.extend(estimate_cells(one.cost_ms, 1.0));
        record.extend(estimate_cells(one.change_ms, 1.0));
        lines.write_record(record)?;
    }
    Ok(())
}

pub(super) fn write_issues(data: &ReportData, lines: &mut CsvLineWriter) -> ::csv::Result<()> {
    lines.write_record(["code", "group", "effect", "text", "where", "trials", "evidence", "fix"])?;
    for one in &data.issues {
        let trials: Vec<String> = one.trials.iter().map(u32::to_string).collect();
        let words = [one.code, one.group, one.effect].map(str::to_owned).into_iter();
        let rest = [one.text.clone(), one.cells.join("; "), trials.join(" "), one.evidence.join("; "), one.fix.clone()];
        lines.write_record(words.chain(rest))?;
    }
    Ok(())
}
