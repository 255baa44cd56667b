//! One statement, encoded up to its parameters. Writing it allocates nothing.

use super::variables::{ClientVariables, Scratch, VariableSlot};
use wire::{BindTemplate, frontend};

/// One statement as the query mode sends it.
#[derive(Debug)]
pub(crate) enum StatementRequest {
    Simple {
        pieces: Vec<SimplePiece>,
    },
    /// Parsed with each execution, or prepared when the connection was made.
    Extended {
        template: BindTemplate,
        parameters: Vec<VariableSlot>,
    },
    /// Prepared when it is executed for the first time on a connection.
    PreparedLate {
        /// Its place among those of the program.
        number: usize,
        /// What prepares it.
        preparation: Box<[u8]>,
        template: BindTemplate,
        parameters: Vec<VariableSlot>,
    },
}

#[derive(Debug)]
pub(crate) enum SimplePiece {
    Text(Box<str>),
    Value(VariableSlot),
}

/// What ends a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestEnding {
    /// The server is to answer.
    Sync,
    /// More follows in the same pipeline.
    Pipeline,
}

/// Which statements have been prepared late on a connection.
#[derive(Debug, Clone, Default)]
pub(crate) struct LatePreparations {
    /// By their place among those of the program.
    done: Vec<bool>,
    /// Those prepared in the transaction under way: should it fail, nobody knows whether they are.
    fresh: Vec<usize>,
}

impl LatePreparations {
    /// Nothing has been prepared; there are so many statements.
    pub(crate) fn none_prepared(statements: usize) -> LatePreparations {
        LatePreparations { done: vec![false; statements], fresh: Vec::with_capacity(statements) }
    }

    /// There is a new connection.
    pub(crate) fn forget_all(&mut self) {
        self.done.fill(false);
        self.fresh.clear();
    }

    /// The transaction has succeeded.
    #[inline]
    pub(crate) fn keep_fresh(&mut self) {
        self.fresh.clear();
    }

    /// The transaction has failed.
    pub(crate) fn forget_fresh(&mut self) {
        for number in self.fresh.drain(..) {
            self.done[number] = false;
        }
    }
}

impl StatementRequest {
    /// Whether the variable is in it.
    pub(crate) fn contains_variable(&self, slot: VariableSlot) -> bool {
        match self {
            StatementRequest::Simple { pieces } => {
                pieces.iter().any(|piece| matches!(piece, SimplePiece::Value(it) if *it == slot))
            }
            StatementRequest::Extended { parameters, .. } | StatementRequest::PreparedLate { parameters, .. } => {
                parameters.contains(&slot)
            }
        }
    }

    /// Appends the request to `out`.
    #[inline]
    pub(crate) fn write_request(
        &self,
        variables: &ClientVariables,
        prepared: &mut LatePreparations,
        ending: RequestEnding,
        out: &mut Vec<u8>,
    ) {
        match self {
            StatementRequest::Extended { template, parameters } => {
                write_bind(template, parameters, variables, ending, out);
            }
            StatementRequest::PreparedLate { number, preparation, template, parameters } => {
                if !prepared.done[*number] {
                    out.extend_from_slice(preparation);
                    prepared.done[*number] = true;
                    prepared.fresh.push(*number);
                }
                write_bind(template, parameters, variables, ending, out);
            }
            StatementRequest::Simple { pieces } => write_simple_query(pieces, variables, out),
        }
    }
}

#[inline]
fn write_bind(
    template: &BindTemplate,
    parameters: &[VariableSlot],
    variables: &ClientVariables,
    ending: RequestEnding,
    out: &mut Vec<u8>,
) {
    let mut scratch = Scratch::new();
    let mut bind = template.begin_exchange(out);
    for slot in parameters {
        match variables.parameter_text(*slot, &mut scratch) {
            Some(text) => bind.write_parameter(text),
            None => bind.write_null(),
        }
    }
    match ending {
        RequestEnding::Sync => bind.finish(),
        RequestEnding::Pipeline => bind.finish_without_sync(),
    }
}

/// What stands for an undefined variable stays as it is, as in pgbench.
fn write_simple_query(pieces: &[SimplePiece], variables: &ClientVariables, out: &mut Vec<u8>) {
    let mut scratch = Scratch::new();
    frontend::write_query_message(out, |sql| {
        for piece in pieces {
            match piece {
                SimplePiece::Text(text) => sql.extend_from_slice(text.as_bytes()),
                SimplePiece::Value(slot) => match variables.sql_text(*slot, &mut scratch) {
                    Some(text) => sql.extend_from_slice(text),
                    None => {
                        sql.push(b':');
                        sql.extend_from_slice(variables.slot_name(*slot).as_bytes());
                    }
                },
            }
        }
    });
}
