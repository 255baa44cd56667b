//! The tables of a report's other sections: statements of the server, findings, issues.

use super::{Lines, estimate, number, titled, word};
use crate::data::ReportData;

pub(super) fn statements(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    lines.write_record([
        "workload",
        "target",
        "clients",
        "query_id",
        "share_percent",
        "calls_per_s",
        "mean_ms",
        "rows",
        "blocks_hit",
        "blocks_read",
        "temp_blocks",
        "wal_bytes",
        "text",
    ])?;
    for cell in &data.statements {
        for row in &cell.statements {
            lines.write_record([
                cell.workload.clone(),
                cell.target.clone(),
                cell.clients.to_string(),
                row.query_id.clone(),
                (row.share * 100.0).to_string(),
                row.calls_per_s.to_string(),
                row.mean_ms.to_string(),
                row.rows.to_string(),
                row.blocks_hit.to_string(),
                row.blocks_read.to_string(),
                row.temp_blocks.to_string(),
                row.wal_bytes.to_string(),
                row.text.clone().unwrap_or_default(),
            ])?;
        }
    }
    Ok(())
}

pub(super) fn findings(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    let titles = ["rule", "title", "confidence", "where", "cost", "cost_percent"].map(str::to_owned).into_iter();
    lines.write_record(titles.chain(titled("cost", "ms")).chain(titled("change", "ms")))?;
    for one in &data.diagnosis.findings {
        let mut record = vec![one.rule.to_owned(), one.title.clone(), word(one.confidence), one.cells.join("; ")];
        record.extend([one.cost.clone(), number(one.cost_share.map(|share| share * 100.0))]);
        record.extend(estimate(one.cost_ms, 1.0));
        record.extend(estimate(one.change_ms, 1.0));
        lines.write_record(record)?;
    }
    Ok(())
}

pub(super) fn issues(data: &ReportData, lines: &mut Lines) -> ::csv::Result<()> {
    lines.write_record(["code", "group", "effect", "text", "where", "trials", "evidence", "fix"])?;
    for one in &data.issues {
        let trials: Vec<String> = one.trials.iter().map(u32::to_string).collect();
        let words = [one.code, one.group, one.effect].map(str::to_owned).into_iter();
        let rest = [one.text.clone(), one.cells.join("; "), trials.join(" "), one.evidence.join("; "), one.fix.clone()];
        lines.write_record(words.chain(rest))?;
    }
    Ok(())
}
