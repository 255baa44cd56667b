//! `results.bin`: what each execution of each statement of a captured load came to in a trial. The nth transaction of a
//! script is the same in every trial, so the results of two sides can be compared one by one.
//!
//! A line of JSON with the format, then the statements in the order of their numbers: how many runs of equal results
//! there are, and each of them. Numbers are LEB128. Results are rows, SQLSTATE and a digest: no value is written.

use serde::{Deserialize, Serialize};

/// The newest format of `results.bin`.
pub const FORMAT: u32 = 1;

/// The results of one trial, by the number of the statement, then by the transaction of its script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrialResults {
    /// By the number of the statement in `workloads/<name>.json`.
    pub statements: Vec<StatementResults>,
}

/// The results of a statement, transaction by transaction of its script, in runs of equal ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatementResults {
    runs: Vec<ResultRun>,
}

/// Executions that came to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ResultRun {
    executions: u32,
    result: Option<ExecutionResult>,
}

/// What one execution of a statement came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutionResult {
    /// The SQLSTATE of its failure, in ASCII; `None` where it succeeded.
    pub sqlstate: Option<[u8; 5]>,
    /// Rows that it returned or changed.
    pub rows: u32,
    /// Of the returned rows, whatever their order; 0 where there are none.
    pub digest: u64,
    /// Whether the same transaction came to something else when the trial executed it again.
    pub varies: bool,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct ResultsHeader {
    format: u32,
    statements: u32,
}

/// Nothing was noted.
const NOT_EXECUTED: u8 = 0;
const SUCCEEDED: u8 = 1;
const FAILED: u8 = 2;
/// Added where the result varies.
const VARIES: u8 = 4;

impl StatementResults {
    /// From the results of all transactions of a script; `None` was not executed.
    pub fn from_results(results: impl Iterator<Item = Option<ExecutionResult>>) -> Self {
        let mut runs: Vec<ResultRun> = Vec::new();
        for result in results {
            match runs.last_mut() {
                Some(last) if last.result == result && last.executions < u32::MAX => last.executions += 1,
                Some(_) | None => runs.push(ResultRun { executions: 1, result }),
            }
        }
        Self { runs }
    }

    /// The results of all transactions of the script; `None` was not executed.
    pub fn each_result(&self) -> impl Iterator<Item = Option<ExecutionResult>> + '_ {
        self.runs.iter().flat_map(|run| std::iter::repeat_n(run.result, run.executions as usize))
    }

    fn append_to(&self, bytes: &mut Vec<u8>) {
        append_number(bytes, self.runs.len() as u64);
        for run in &self.runs {
            append_number(bytes, u64::from(run.executions));
            let Some(ExecutionResult { sqlstate, rows, digest, varies }) = run.result else {
                bytes.push(NOT_EXECUTED);
                continue;
            };
            let kind = if sqlstate.is_some() { FAILED } else { SUCCEEDED };
            bytes.push(if varies { kind + VARIES } else { kind });
            bytes.extend(sqlstate.iter().flatten());
            append_number(bytes, u64::from(rows));
            bytes.extend(digest.to_le_bytes());
        }
    }

    fn read_from(rest: &mut &[u8]) -> Option<Self> {
        let count = read_number(rest)?;
        // A run takes two bytes at least.
        if count > rest.len() as u64 / 2 {
            return None;
        }
        let mut runs = Vec::with_capacity(count as usize);
        for _ in 0..count {
            let executions = u32::try_from(read_number(rest)?).ok()?;
            let kind = *rest.split_off_first()?;
            let result = match kind & !VARIES {
                NOT_EXECUTED => None,
                SUCCEEDED | FAILED => {
                    let mut sqlstate = None;
                    if kind & !VARIES == FAILED {
                        sqlstate = Some(*rest.split_off(..5)?.first_chunk::<5>()?);
                    }
                    let rows = u32::try_from(read_number(rest)?).ok()?;
                    let digest = u64::from_le_bytes(*rest.split_off(..8)?.first_chunk::<8>()?);
                    Some(ExecutionResult { sqlstate, rows, digest, varies: kind & VARIES != 0 })
                }
                _ => return None,
            };
            runs.push(ResultRun { executions, result });
        }
        Some(Self { runs })
    }
}

impl TrialResults {
    /// Whether any execution was noted.
    #[must_use]
    pub fn has_any(&self) -> bool {
        self.statements.iter().flat_map(|statement| &statement.runs).any(|run| run.result.is_some())
    }

    /// As the file has it.
    pub(crate) fn to_bytes(&self) -> serde_json::Result<Vec<u8>> {
        let header = ResultsHeader { format: FORMAT, statements: self.statements.len() as u32 };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        for statement in &self.statements {
            statement.append_to(&mut bytes);
        }
        Ok(bytes)
    }

    /// From the file. The format that it has, if it is newer than this build reads; what is wrong with it.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, UnreadableResults> {
        let end = bytes
            .iter()
            .position(|byte| *byte == b'\n')
            .ok_or_else(|| UnreadableResults::Malformed("no first line".to_owned()))?;
        let header: ResultsHeader =
            serde_json::from_slice(&bytes[..end]).map_err(|error| UnreadableResults::Malformed(error.to_string()))?;
        if header.format > FORMAT {
            return Err(UnreadableResults::Newer(header.format));
        }
        let mut rest = &bytes[end + 1..];
        let mut statements = Vec::new();
        for number in 0..header.statements {
            let statement = StatementResults::read_from(&mut rest);
            let Some(statement) = statement else {
                return Err(UnreadableResults::Malformed(format!("statement {number} is cut off")));
            };
            statements.push(statement);
        }
        Ok(Self { statements })
    }
}

/// Why a file of results cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum UnreadableResults {
    /// It is not one.
    Malformed(String),
    /// Its format.
    Newer(u32),
}

fn append_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(rest: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let byte = *rest.split_off_first()?;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> TrialResults {
        let found = ExecutionResult { sqlstate: None, rows: 300, digest: u64::MAX - 7, varies: false };
        let failed = ExecutionResult { sqlstate: Some(*b"40P01"), rows: 0, digest: 0, varies: true };
        let of_one = [Some(found), Some(found), None, Some(failed), Some(found)];
        TrialResults {
            statements: vec![
                StatementResults::from_results(of_one.into_iter()),
                StatementResults::from_results(std::iter::empty()),
                StatementResults::from_results(std::iter::repeat_n(None, 100_000)),
            ],
        }
    }

    #[test]
    fn results_come_back_as_they_were_written_and_equal_ones_take_little_room() {
        let written = results();
        let bytes = written.to_bytes().expect("plain data");
        assert!(bytes.len() < 120, "{}", bytes.len());
        let back = TrialResults::from_bytes(&bytes).expect("it is whole");
        assert_eq!(back, written);
        assert!(back.has_any());
        let each: Vec<_> = back.statements[0].each_result().collect();
        assert_eq!((each.len(), each[2], each[3].map(|it| it.varies)), (5, None, Some(true)));
        assert_eq!(back.statements[2].each_result().count(), 100_000);
    }

    #[test]
    fn a_file_that_is_cut_anywhere_is_an_error_and_no_panic() {
        let bytes = results().to_bytes().expect("plain data");
        for end in 0..bytes.len() {
            assert!(TrialResults::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
        let newer = TrialResults::from_bytes(b"{\"format\":2,\"statements\":0}\n");
        assert_eq!(newer, Err(UnreadableResults::Newer(2)));
        let many = b"{\"format\":1,\"statements\":1}\n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
        assert!(TrialResults::from_bytes(many).is_err());
    }
}
