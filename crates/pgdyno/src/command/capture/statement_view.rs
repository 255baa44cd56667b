//! `capture --statements`: what `pg_stat_statements` counts in a time.

use std::path::Path;

use capture::directory::CaptureSummary;
use capture::mask::ValueMask;
use capture::statement_view::write_statement_view;
use measure::captured::read_statement_view;
use measure::interrupt::install_signal_handlers;
use measure::progress::print_to_stderr;
use problem::Problem;

use super::proxy::server_of_text;
use crate::cli::CaptureArgs;
use crate::command::Manner;

/// Reads the view twice and writes the capture.
pub(super) async fn capture_statements(
    arguments: &CaptureArgs,
    server: &str,
    out: &Path,
    mask: ValueMask,
    manner: Manner,
) -> Result<CaptureSummary, Problem> {
    let server = server_of_text(server, "--statements", "a password belongs into PGPASSWORD or the password file")?;
    let stop = install_signal_handlers()?;
    let (statements, period) = read_statement_view(&server, arguments.time, &stop).await?;
    let summary = write_statement_view(&statements, &period, mask, out)
        .map_err(|error| Problem::usage_error(error.to_string()))?;
    if !manner.quiet {
        print_to_stderr(
            "note: pg_stat_statements has no values, sessions, transactions or order of statements: values are drawn \
             from the statistics of columns, each by itself, and each call is a transaction of its own",
        );
    }
    Ok(summary)
}
