//! A page of HTML as what stands in it: lines of text, as a page of Markdown has them, and its tables.
//!
//! Headings and `<summary>` are headings of Markdown, `<pre>` is text between fences. What a browser does not show,
//! such as scripts, is left out.

mod page_table;

use html5gum::{DefaultEmitter, EndTag, StartTag, Token, Tokenizer};

use super::between::InterveningLines;
use super::grid::{Grid, TablePlace};
use page_table::{TableUnderway, join_words};

/// Elements whose content is not text of the page.
const NOT_SHOWN: [&str; 6] = ["script", "style", "noscript", "template", "title", "svg"];

/// Elements that keep their lines as they are written.
const PREFORMATTED: [&str; 4] = ["pre", "textarea", "listing", "xmp"];

/// Elements that begin a line of their own.
const BLOCKS: [&str; 23] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "dd",
    "details",
    "div",
    "dl",
    "dt",
    "figcaption",
    "figure",
    "footer",
    "header",
    "hr",
    "html",
    "li",
    "main",
    "nav",
    "ol",
    "p",
    "section",
    "ul",
];

/// The level of a `<summary>`, below all headings.
const LEVEL_OF_SUMMARY: usize = 7;

/// The line that ends what a `<summary>` is above: a heading of its level that only counts, and so says nothing.
const END_OF_DETAILS: &str = "=== 1 ===";

/// A page.
#[derive(Debug, Default)]
pub(crate) struct HtmlPage {
    /// Its lines outside of tables.
    pub text: String,
    /// The line of the file, from 1, at which each of them stands.
    pub lines: Vec<usize>,
    /// Its tables, with lines of the file.
    pub grids: Vec<Grid>,
    /// Whether it has a script.
    pub has_script: bool,
}

/// Whether a text is a page of HTML.
pub(crate) fn looks_like_html(head: &str) -> bool {
    let mut rest = head.trim_start_matches('\u{feff}').trim_start();
    while let Some(comment) = rest.strip_prefix("<!--") {
        rest = comment.split_once("-->").map_or("", |(_, after)| after).trim_start();
    }
    let begin: String = rest.chars().take(15).collect::<String>().to_lowercase();
    ["<!doctype html", "<html", "<head", "<body"].into_iter().any(|tag| begin.starts_with(tag))
}

/// Reads a page. No text makes it fail, since HTML says of any how it is read.
pub(crate) fn read_page(html: &str) -> HtmlPage {
    let mut emitter = DefaultEmitter::<usize>::new_with_span();
    emitter.naively_switch_states(true);
    let mut reader = PageReader::of_page(html);
    for Ok(token) in Tokenizer::new_with_emitter(html, emitter) {
        match token {
            Token::StartTag(tag) => reader.start_element(&tag),
            Token::EndTag(tag) => reader.end_element(&tag),
            Token::String(text) => reader.read_text(&String::from_utf8_lossy(&text.value), text.span.start),
            Token::Comment(_) | Token::Doctype(_) | Token::Error(_) => {}
        }
    }
    while !reader.tables.is_empty() {
        reader.finish_table();
    }
    reader.finish_line();
    reader.page
}

/// The tables of HTML among lines of other text.
pub(crate) fn tables_of_lines(lines: &[&str]) -> Vec<TablePlace> {
    let mut places = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        if !has_element(lines[at], "<table") {
            at += 1;
            continue;
        }
        let length =
            lines[at..].iter().position(|line| has_element(line, "</table")).map_or(lines.len() - at, |last| last + 1);
        let mut grids = read_page(&lines[at..at + length].join("\n")).grids;
        for grid in &mut grids {
            grid.line += at;
            grid.rows.move_lines(at);
        }
        places.push(TablePlace { lines: at..at + length, grids });
        at += length;
    }
    places
}

fn has_element(line: &str, begin: &str) -> bool {
    line.contains('<') && line.to_ascii_lowercase().contains(begin)
}

/// A page being read.
struct PageReader {
    page: HtmlPage,
    /// Where the lines of the file begin, in bytes.
    line_starts: Vec<usize>,
    /// The line of the file that is read.
    line: usize,
    /// The line of text under way, and where it began.
    under_way: String,
    began: usize,
    /// The element that is left out up to its end.
    left_out: Option<String>,
    /// How many elements around the text keep its lines, and how many are code.
    preformatted: usize,
    code: usize,
    /// The level of the heading under way.
    heading: Option<usize>,
    /// The tables around the text, the innermost last.
    tables: Vec<TableUnderway>,
    /// The headings above.
    between: InterveningLines,
}

impl PageReader {
    fn of_page(html: &str) -> Self {
        let ends = html.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self {
            page: HtmlPage::default(),
            line_starts: std::iter::once(0).chain(ends).collect(),
            line: 1,
            under_way: String::new(),
            began: 1,
            left_out: None,
            preformatted: 0,
            code: 0,
            heading: None,
            tables: Vec::new(),
            between: InterveningLines::default(),
        }
    }

    fn line_at(&self, byte: usize) -> usize {
        self.line_starts.partition_point(|start| *start <= byte).max(1)
    }

    fn start_element(&mut self, tag: &StartTag<usize>) {
        let line = self.line_at(tag.span.start);
        self.line = line;
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        self.page.has_script |= name == "script";
        if self.left_out.is_some() {
            return;
        }
        if NOT_SHOWN.contains(&name.as_str()) {
            self.left_out = Some(name).filter(|_| !tag.self_closing);
        } else if PREFORMATTED.contains(&name.as_str()) {
            self.finish_line();
            self.preformatted += 1;
            self.push_line("```", self.line);
        } else if name == "table" {
            self.finish_line();
            self.tables.push(TableUnderway::new(self.line));
        } else if name == "br" {
            self.break_line();
        } else if name == "code" {
            self.code += 1;
        } else if self.is_part_of_table(|table| table.start_part(&name, tag, line)) {
            self.finish_line();
        } else if let Some(level) = level_of_heading(&name) {
            self.finish_line();
            self.heading = Some(level);
        } else if BLOCKS.contains(&name.as_str()) {
            self.break_line();
        }
    }

    fn end_element(&mut self, tag: &EndTag<usize>) {
        self.line = self.line_at(tag.span.start);
        let name = String::from_utf8_lossy(&tag.name).into_owned();
        if self.left_out.is_some() {
            self.left_out.take_if(|element| *element == name);
            return;
        }
        if PREFORMATTED.contains(&name.as_str()) && self.preformatted > 0 {
            self.finish_line();
            self.preformatted -= 1;
            self.push_line("```", self.line);
        } else if name == "table" {
            self.finish_table();
        } else if name == "code" {
            self.code = self.code.saturating_sub(1);
        } else if self.is_part_of_table(|table| table.end_part(&name)) {
            // Behind a mark of a footnote its line goes on.
            if name != "sup" {
                self.break_line();
            }
        } else if level_of_heading(&name).is_some() {
            self.finish_line();
            self.heading = None;
        } else if name == "details" {
            self.finish_line();
            self.push_line(END_OF_DETAILS, self.line);
        } else if BLOCKS.contains(&name.as_str()) {
            self.break_line();
        }
    }

    fn read_text(&mut self, text: &str, at: usize) {
        if self.left_out.is_some() {
            return;
        }
        self.line = self.line_at(at);
        let text = text.replace(['\u{a0}', '\u{2009}', '\u{202f}'], " ").replace('\r', "");
        if self.preformatted == 0
            && let Some(table) = self.tables.last_mut()
        {
            table.add_text(&text.replace('\n', " "));
            return;
        }
        let keeps_lines = self.preformatted > 0 || self.code > 0 && self.heading.is_none();
        for (index, part) in text.split('\n').enumerate() {
            if index > 0 {
                self.line += 1;
                if keeps_lines {
                    self.finish_line();
                } else {
                    self.under_way.push(' ');
                }
            }
            if self.under_way.trim().is_empty() {
                self.began = self.line;
            }
            self.under_way.push_str(part);
        }
    }

    /// Whether the innermost table takes an element for a part of it.
    fn is_part_of_table(&mut self, takes: impl FnOnce(&mut TableUnderway) -> bool) -> bool {
        self.preformatted == 0 && self.tables.last_mut().is_some_and(takes)
    }

    /// An element begins a line, which a heading and a field of a table do not have.
    fn break_line(&mut self) {
        if self.preformatted == 0
            && let Some(table) = self.tables.last_mut()
        {
            table.add_text("\n");
        } else if self.heading.is_some() {
            self.under_way.push(' ');
        } else {
            self.finish_line();
        }
    }

    fn finish_line(&mut self) {
        let text = std::mem::take(&mut self.under_way);
        if self.preformatted > 0 {
            self.push_line(text.trim_end(), self.began);
            return;
        }
        let text = join_words(&text);
        if text.is_empty() {
            return;
        }
        let line = match self.heading {
            Some(LEVEL_OF_SUMMARY) => format!("=== {text} ==="),
            Some(level) => format!("{} {text}", "#".repeat(level)),
            None => text,
        };
        self.push_line(&line, self.began);
    }

    fn push_line(&mut self, line: &str, at: usize) {
        self.between.read_surrounding_line(line);
        self.page.text.push_str(line);
        self.page.text.push('\n');
        self.page.lines.push(at);
    }

    fn finish_table(&mut self) {
        let Some(table) = self.tables.pop() else { return };
        let mut above = self.between.next();
        let label = Some(above.labels.join(" ")).filter(|label| !label.is_empty());
        let title = self.between.last_title();
        self.page.grids.extend(table.into_grids(above.headings.pop(), title, label.as_deref()));
    }
}

fn level_of_heading(name: &str) -> Option<usize> {
    match name {
        "h1" => Some(1),
        "h2" => Some(2),
        "h3" => Some(3),
        "h4" => Some(4),
        "h5" => Some(5),
        "h6" => Some(6),
        "summary" => Some(LEVEL_OF_SUMMARY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_and_outputs_are_lines_and_each_knows_its_place_in_the_file() {
        let html = "<!DOCTYPE html>\n<html><head><title>A title</title><script>let a = '<h2>no</h2>';</script></head>\n\
                    <h2>On <b>vm</b></h2><p>13&nbsp;GB and\nmore</p>\n<pre>\na &lt;b&gt;\n# c\n  d</pre>\n\
                    <details><summary>pod</summary><code>e<br>f</code></details>\n";
        let page = read_page(html);
        let expected = [
            "## On vm",
            "13 GB and more",
            "```",
            "",
            "a <b>",
            "# c",
            "  d",
            "```",
            "=== pod ===",
            "e",
            "f",
            "=== 1 ===",
        ];
        assert_eq!(page.text.lines().collect::<Vec<_>>(), expected);
        assert_eq!(page.lines, [3, 3, 5, 5, 6, 7, 8, 8, 9, 9, 9, 9]);
        assert!(page.has_script && page.grids.is_empty());
    }

    #[test]
    fn what_begins_with_a_comment_is_a_page_too_and_xml_is_none() {
        assert!(looks_like_html("\u{feff}<!-- saved -->\n<HTML lang=en>"));
        assert!(!looks_like_html("<?xml version='1.0'?><a/>"));
    }
}
