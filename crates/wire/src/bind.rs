//! One statement's extended-protocol exchange, encoded once and then only filled in with its parameters.
//!
//! The exchange is what libpq sends, message for message: \[Parse,\] Bind, Describe, Execute, Sync. Describe is of no
//! use to the load engine, but leaving it out would spare the server work that every libpq client causes, and make
//! figures incomparable with pgbench's.

use crate::frontend;

/// Everything of the exchange but the parameters.
#[derive(Debug, Clone)]
pub struct BindTemplate {
    /// Up to and including the number of parameters.
    head: Box<[u8]>,
    /// Where in `head` Bind's length word is.
    length_at: usize,
    /// From the number of result formats on.
    tail: Box<[u8]>,
    /// Where in `tail` Bind ends.
    bind_tail: usize,
    parameters: u16,
}

impl BindTemplate {
    /// For a statement that was prepared under `name` with so many `parameters`.
    pub fn for_prepared_statement(name: &str, parameters: u16) -> BindTemplate {
        BindTemplate::new(Vec::new(), name, parameters)
    }

    /// For a statement that is parsed anew each time.
    pub fn for_unnamed_statement(sql: &str, parameters: u16) -> BindTemplate {
        let mut head = Vec::new();
        frontend::write_parse_message(&mut head, "", sql);
        BindTemplate::new(head, "", parameters)
    }

    fn new(mut head: Vec<u8>, name: &str, parameters: u16) -> BindTemplate {
        head.push(b'B');
        let length_at = head.len();
        head.extend_from_slice(&[0; 4]);
        frontend::write_zero_terminated(&mut head, ""); // the unnamed portal
        frontend::write_zero_terminated(&mut head, name);
        head.extend_from_slice(&0u16.to_be_bytes()); // all parameters in text format, as pgbench sends them
        head.extend_from_slice(&parameters.to_be_bytes());
        let mut tail = Vec::new();
        tail.extend_from_slice(&0u16.to_be_bytes()); // all results in text format
        let bind_tail = tail.len();
        frontend::describe_portal(&mut tail);
        frontend::write_execute_message(&mut tail);
        frontend::write_sync_message(&mut tail);
        BindTemplate { head: head.into(), length_at, tail: tail.into(), bind_tail, parameters }
    }

    /// Begins an exchange at the end of `out`. It is complete after [`BindWriter::finish`].
    #[inline]
    pub fn begin_exchange<'a>(&'a self, out: &'a mut Vec<u8>) -> BindWriter<'a> {
        let start = out.len() + self.length_at;
        out.extend_from_slice(&self.head);
        BindWriter { template: self, out, start, missing: self.parameters }
    }
}

/// An exchange that waits for its parameters.
#[derive(Debug)]
#[must_use = "an exchange is not complete before `finish`"]
pub struct BindWriter<'a> {
    template: &'a BindTemplate,
    out: &'a mut Vec<u8>,
    start: usize,
    missing: u16,
}

impl BindWriter<'_> {
    /// The next parameter, in text format.
    #[inline]
    pub fn write_parameter(&mut self, text: &[u8]) {
        debug_assert!(self.missing > 0, "more parameters than the template has");
        self.missing = self.missing.wrapping_sub(1);
        self.out.extend_from_slice(&(text.len() as u32).to_be_bytes());
        self.out.extend_from_slice(text);
    }

    /// The next parameter is NULL.
    #[inline]
    pub fn write_null(&mut self) {
        debug_assert!(self.missing > 0, "more parameters than the template has");
        self.missing = self.missing.wrapping_sub(1);
        self.out.extend_from_slice(&(-1i32).to_be_bytes());
    }

    /// Completes the exchange; every parameter must have been given.
    #[inline]
    pub fn finish(self) {
        let tail = self.template.tail.len();
        self.finish_with_tail(tail);
    }

    /// Completes the exchange but for its Sync, as the first ones of a pipeline; every parameter must have been given.
    #[inline]
    pub fn finish_without_sync(self) {
        let tail = self.template.tail.len() - frontend::SYNC_LENGTH;
        self.finish_with_tail(tail);
    }

    #[inline]
    fn finish_with_tail(self, tail: usize) {
        debug_assert_eq!(self.missing, 0, "fewer parameters than the template has");
        let bind_end = self.out.len() + self.template.bind_tail;
        self.out.extend_from_slice(&self.template.tail[..tail]);
        frontend::patch_length(&mut self.out[..bind_end], self.start);
    }
}
