//! What can go wrong while a script's meta-commands run, in pgbench's words.

use thiserror::Error;

/// Why a meta-command cannot be executed.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum EvaluationError {
    /// The result does not fit 64 bits.
    #[error("integer out of range")]
    OutOfRange,
    /// A double that is no number, or too large to be an integer.
    #[error("double to int overflow for {0:.6}")]
    DoubleToInteger(f64),
    /// Division or modulo by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A value of the wrong type.
    #[error("cannot coerce {found} to {wanted}")]
    Type {
        /// The type of the value.
        found: &'static str,
        /// The type that is needed.
        wanted: &'static str,
    },
    /// The variable has no value yet.
    #[error("undefined variable \"{0}\"")]
    Undefined(String),
    /// The variable's text stands for no value.
    #[error("malformed variable \"{variable}\" value: \"{text}\"")]
    Malformed { variable: String, text: String },
    /// A random function was given a lower bound above the upper one.
    #[error("empty range given to random")]
    EmptyRange,
    /// The width of a random function's range does not fit 64 bits.
    #[error("random range is too large")]
    RangeTooLarge,
    /// The parameter of `random_gaussian` is below 2, or no number.
    #[error("gaussian parameter must be at least 2.000000 (not {0:.6})")]
    GaussianParameter(f64),
    /// The parameter of `random_zipfian` is out of its range, or no number.
    #[error("zipfian parameter must be in range [1.001, 1000] (not {0:.6})")]
    ZipfianParameter(f64),
    /// The parameter of `random_exponential` is not positive, or no number.
    #[error("exponential parameter must be greater than zero (not {0:.6})")]
    ExponentialParameter(f64),
    /// The size given to `permute` is not positive.
    #[error("permute size parameter must be greater than zero")]
    PermuteSize,
    /// `\sleep` by a variable that is no number.
    #[error("invalid sleep time \"{0}\"")]
    SleepTime(String),
    /// `\gset` after anything but one row.
    #[error("\\gset expected one row, got {0}")]
    NotOneRow(u64),
    /// `\gset` or `\aset` of a column that cannot name a variable.
    #[error("invalid variable name: \"{0}\"")]
    ColumnName(String),
    /// `\startpipeline` inside a pipeline.
    #[error("already in pipeline mode")]
    AlreadyInPipeline,
    /// `\endpipeline` or `\syncpipeline` outside of one.
    #[error("not in pipeline mode")]
    NotInPipeline,
    /// `\gset` or `\aset` inside a pipeline.
    #[error("\\gset and \\aset are not allowed in pipeline mode")]
    RowsInPipeline,
    /// COPY FROM STDIN inside a pipeline.
    #[error("COPY FROM STDIN is not allowed in pipeline mode")]
    CopyInPipeline,
    /// The script ends inside a pipeline.
    #[error("end of script reached with pipeline open")]
    PipelineOpen,
    /// A shell command that could not be run, did not succeed, or printed no integer.
    #[error("{0}")]
    Shell(String),
}
