//! Bytes → a tree of values in which every value knows its place in the file.
//!
//! The YAML events come from `saphyr-parser`, which is maintained, passes the YAML test suite and gives every event its
//! span. Scalars keep the text of the file: what they are depends on what they should be.
//!
//! Deliberately left out: tags, merge keys, several documents, keys that are not scalars. Anchors and aliases work (two
//! targets may share their settings), within a limit on the size of what they unfold to.

use std::borrow::Cow;
use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, StrInput};
use serde_json::Value as Json;

use super::error::{PlanFinding, value_for_message};

/// The most bytes of a plan: far more than any plan needs, and little enough to read at once.
pub(super) const BYTES_MAX: usize = 1 << 20;

/// The most values of a plan, each alias counted with all that it stands for.
const NODES_MAX: usize = 50_000;

/// The deepest nesting; a plan needs five levels.
const DEPTH_MAX: usize = 32;

/// A place in a file: line and column from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextPlace {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// From the first character of something to behind its last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: TextPlace,
    pub(super) end: TextPlace,
}

impl Span {
    /// One place.
    pub(super) fn at_place(line: usize, column: usize) -> Self {
        let place = TextPlace { line, column };
        Self { start: place, end: place }
    }

    fn from_start_to_end(start: Self, end: Self) -> Self {
        Self { start: start.start, end: end.end }
    }
}

impl From<saphyr_parser::Span> for Span {
    fn from(span: saphyr_parser::Span) -> Self {
        let place = |marker: saphyr_parser::Marker| TextPlace { line: marker.line().max(1), column: marker.col() + 1 };
        Self { start: place(span.start), end: place(span.end) }
    }
}

/// A value and its place.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) span: Span,
    pub(super) value: YamlValue,
}

/// A value of the file, its scalars not interpreted.
#[derive(Debug, Clone)]
pub(super) enum YamlValue {
    /// A scalar without quotes: what it is depends on its text.
    Plain(String),
    /// A scalar in quotes or a block scalar: always a text.
    Quoted(String),
    /// `[a, b]` or lines with dashes.
    List(Vec<Node>),
    /// `{a: b}` or lines with colons.
    Map(Vec<MappingEntry>),
}

/// A key and its value.
#[derive(Debug, Clone)]
pub(super) struct MappingEntry {
    pub(super) key: String,
    pub(super) key_span: Span,
    pub(super) node: Node,
}

impl Node {
    /// What this is, to stand after "found".
    pub(super) fn describe_value(&self) -> String {
        match &self.value {
            YamlValue::Plain(text) if is_null(text) => "nothing".to_owned(),
            YamlValue::Plain(text) if is_bool(text) || is_number(text) => text.clone(),
            YamlValue::Plain(text) | YamlValue::Quoted(text) => value_for_message(text),
            YamlValue::List(items) => format!("a list of {}", items.len()),
            YamlValue::Map(_) => "a mapping".to_owned(),
        }
    }
}

impl Node {
    /// The entry of a mapping.
    pub(super) fn get(&self, key: &str) -> Option<&MappingEntry> {
        self.mapping_entries().iter().find(|entry| entry.key == key)
    }

    /// The entries of a mapping; none for anything else.
    pub(super) fn mapping_entries(&self) -> &[MappingEntry] {
        match &self.value {
            YamlValue::Map(entries) => entries,
            YamlValue::Plain(_) | YamlValue::Quoted(_) | YamlValue::List(_) => &[],
        }
    }

    /// Changes the entries of every mapping at a path, in which `*` is any key; none of anything else.
    pub(super) fn change_entries_at(&mut self, path: &[&str], change: &mut impl FnMut(&mut [MappingEntry])) {
        let YamlValue::Map(entries) = &mut self.value else { return };
        match path {
            [] => change(entries),
            [key, rest @ ..] => {
                for entry in entries.iter_mut().filter(|entry| *key == "*" || entry.key == *key) {
                    entry.node.change_entries_at(rest, change);
                }
            }
        }
    }

    /// The same as JSON, scalars as YAML's core schema reads them.
    pub(super) fn to_json(&self) -> Json {
        match &self.value {
            YamlValue::Plain(text) if is_null(text) => Json::Null,
            YamlValue::Plain(text) if is_bool(text) => Json::Bool(text.eq_ignore_ascii_case("true")),
            YamlValue::Plain(text) if is_number(text) => {
                serde_json::from_str(text).unwrap_or_else(|_| text.clone().into())
            }
            YamlValue::Plain(text) | YamlValue::Quoted(text) => text.clone().into(),
            YamlValue::List(items) => items.iter().map(Self::to_json).collect(),
            YamlValue::Map(entries) => entries.iter().map(|entry| (entry.key.clone(), entry.node.to_json())).collect(),
        }
    }

    /// The text of a scalar.
    pub(super) fn scalar_text(&self) -> Option<&str> {
        match &self.value {
            YamlValue::Plain(text) | YamlValue::Quoted(text) => Some(text),
            YamlValue::List(_) | YamlValue::Map(_) => None,
        }
    }
}

/// Whether YAML reads this text without quotes as nothing.
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// Whether YAML reads this text without quotes as true or false.
pub(super) fn is_bool(text: &str) -> bool {
    matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

/// Whether YAML reads this text without quotes as a number.
pub(super) fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let based = |prefix: &str, radix: u32| {
        text.strip_prefix(prefix).is_some_and(|t| !t.is_empty() && t.chars().all(|c| c.is_digit(radix)))
    };
    let starts = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let special = matches!(digits, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN");
    (starts && digits.parse::<f64>().is_ok()) || special || based("0x", 16) || based("0o", 8)
}

/// The text of a plan file; refuses what is too large or not UTF-8.
pub(super) fn text_of(bytes: &[u8]) -> Result<&str, PlanFinding> {
    if bytes.len() > BYTES_MAX {
        return Err(PlanFinding::new(
            Span::at_place(1, 1),
            format!("the file has {} bytes, which exceeds the limit", bytes.len()),
        )
        .hint(format!("a plan has at most {BYTES_MAX} bytes; check that this is the right file")));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
        let byte = bytes[error.valid_up_to()];
        PlanFinding::new(
            Span::at_place(line, column),
            format!("the file is not UTF-8: byte {byte:#04x} at offset {}", error.valid_up_to()),
        )
        .hint("save the file as UTF-8")
    })
}

/// Reads the one document of a file. Findings that leave the rest readable (duplicate keys) are added to `findings`.
pub(super) fn read_document(text: &str, findings: &mut Vec<PlanFinding>) -> Result<Node, PlanFinding> {
    let mut reader = YamlReader { events: Parser::new_from_str(text), anchors: HashMap::new(), nodes: 0, findings };
    reader.read_root_node().map_err(|stop| match stop {
        ReadingStop::NotYaml(error) => not_yaml(text, &error),
        ReadingStop::Refused(finding) => *finding,
    })
}

/// Why reading cannot go on.
enum ReadingStop {
    NotYaml(ScanError),
    Refused(Box<PlanFinding>),
}

impl From<PlanFinding> for ReadingStop {
    fn from(finding: PlanFinding) -> Self {
        Self::Refused(Box::new(finding))
    }
}

struct YamlReader<'t, 'f> {
    events: Parser<'t, StrInput<'t>>,
    /// What each anchor stands for, with the number of its values.
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
    findings: &'f mut Vec<PlanFinding>,
}

impl<'t> YamlReader<'t, '_> {
    fn read_root_node(&mut self) -> Result<Node, ReadingStop> {
        let mut root = None;
        loop {
            let (event, span) = self.next()?;
            match event {
                Event::StreamEnd => break,
                Event::DocumentStart(_) if root.is_some() => {
                    return Err(PlanFinding::new(span, "the file contains a second document")
                        .hint("write one plan per file, and remove this \"---\"")
                        .into());
                }
                Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
                event => root = Some(self.read_node(event, span, 0)?),
            }
        }
        root.ok_or_else(|| {
            PlanFinding::new(Span::at_place(1, 1), "the plan is empty")
                .hint("`pgdyno plan new` prints one to start from")
                .into()
        })
    }

    fn next(&mut self) -> Result<(Event<'t>, Span), ReadingStop> {
        match self.events.next_event() {
            Some(Ok((event, span))) => Ok((event, span.into())),
            Some(Err(error)) => Err(ReadingStop::NotYaml(error)),
            None => Ok((Event::StreamEnd, Span::at_place(1, 1))),
        }
    }

    /// Reads the value that starts with `event`.
    fn read_node(&mut self, event: Event<'t>, span: Span, depth: usize) -> Result<Node, ReadingStop> {
        self.count_nodes(1, span)?;
        if depth > DEPTH_MAX {
            return Err(PlanFinding::new(span, format!("values are nested more than {DEPTH_MAX} levels deep")).into());
        }
        let before = self.nodes;
        let (node, anchor) = match event {
            Event::Alias(id) => return self.resolve_alias(id, span),
            Event::Scalar(text, style, anchor, tag) => {
                refuse_tag(tag, span)?;
                let plain = style == ScalarStyle::Plain;
                let value =
                    if plain { YamlValue::Plain(text.into_owned()) } else { YamlValue::Quoted(text.into_owned()) };
                (Node { span, value }, anchor)
            }
            Event::SequenceStart(anchor, tag) => {
                refuse_tag(tag, span)?;
                (self.read_list(span, depth)?, anchor)
            }
            Event::MappingStart(anchor, tag) => {
                refuse_tag(tag, span)?;
                (self.read_mapping(span, depth)?, anchor)
            }
            Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd
            | Event::SequenceEnd
            | Event::MappingEnd
            | Event::Nothing => return Err(PlanFinding::new(span, "a value is missing here").into()),
        };
        // Anchors are numbered from 1; 0 is none.
        if anchor > 0 {
            self.anchors.insert(anchor, (node.clone(), self.nodes - before + 1));
        }
        Ok(node)
    }

    fn read_list(&mut self, start: Span, depth: usize) -> Result<Node, ReadingStop> {
        let mut items = Vec::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::SequenceEnd {
                return Ok(Node { span: Span::from_start_to_end(start, span), value: YamlValue::List(items) });
            }
            items.push(self.read_node(event, span, depth + 1)?);
        }
    }

    fn read_mapping(&mut self, start: Span, depth: usize) -> Result<Node, ReadingStop> {
        let mut entries: Vec<MappingEntry> = Vec::new();
        let mut first_lines: HashMap<String, usize> = HashMap::new();
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                return Ok(Node { span: Span::from_start_to_end(start, span), value: YamlValue::Map(entries) });
            }
            let key = self.read_node(event, span, depth + 1)?;
            let (YamlValue::Plain(name) | YamlValue::Quoted(name)) = key.value else {
                return Err(PlanFinding::new(key.span, format!("{} cannot be a key", key.describe_value()))
                    .hint("write a name")
                    .into());
            };
            let (event, span) = self.next()?;
            let node = self.read_node(event, span, depth + 1)?;
            if let Some(line) = first_lines.get(&name) {
                let finding =
                    PlanFinding::new(key.span, format!("the key {} is given twice", value_for_message(&name)));
                self.findings
                    .push(finding.detail(format!("it is first given in line {line}")).hint("keep one of the two"));
                continue;
            }
            first_lines.insert(name.clone(), key.span.start.line);
            entries.push(MappingEntry { key: name, key_span: key.span, node });
        }
    }

    fn resolve_alias(&mut self, id: usize, span: Span) -> Result<Node, ReadingStop> {
        // An anchor that is still being read stands for itself.
        let Some((node, nodes)) = self.anchors.get(&id) else {
            return Err(PlanFinding::new(span, "an alias refers to a value that contains it").into());
        };
        let (node, nodes) = (node.clone(), *nodes);
        self.count_nodes(nodes - 1, span)?;
        Ok(node)
    }

    fn count_nodes(&mut self, nodes: usize, span: Span) -> Result<(), ReadingStop> {
        self.nodes += nodes;
        if self.nodes <= NODES_MAX {
            return Ok(());
        }
        Err(PlanFinding::new(span, format!("the plan has more than {NODES_MAX} values, counting each use of an alias"))
            .hint("write fewer values")
            .into())
    }
}

fn refuse_tag(tag: Option<Cow<'_, saphyr_parser::Tag>>, span: Span) -> Result<(), ReadingStop> {
    match tag {
        None => Ok(()),
        Some(tag) => Err(PlanFinding::new(
            span,
            format!("the tag {} is not allowed in a plan", value_for_message(&tag.to_string())),
        )
        .hint("remove it; a value in quotes is text")
        .into()),
    }
}

fn not_yaml(text: &str, error: &ScanError) -> PlanFinding {
    let marker = error.marker();
    let line = text.lines().nth(marker.line().saturating_sub(1)).unwrap_or_default();
    let indent = line.len() - line.trim_start().len();
    let finding =
        PlanFinding::new(Span::at_place(marker.line().max(1), marker.col() + 1), format!("not YAML: {}", error.info()));
    if line[..indent].contains('\t') {
        return finding.hint("indent with spaces; YAML does not permit tabs there");
    }
    finding.hint("check the indentation and the quotes here and in the line above")
}
