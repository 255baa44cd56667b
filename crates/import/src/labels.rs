//! Labels: lines between the outputs of a page that are no headings, and say which output comes next: items of lists,
//! sentences before a colon, elements and tabs, names of files, comments beside commands.

use super::label_words::telling_words;
use super::repetition_words;

/// How near a line stands to the output that it names. Of lines in different places of a page a nearer one is replaced
/// by one that is as near, and by all that are farther.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LabelKind {
    /// `<td>VM</td>`, `=== "VM"`
    Element,
    /// `- VM`
    ListItem,
    /// `Then in a pod:`
    Sentence,
    /// `vm.txt:`, `==> vm.txt <==`, `$ cat vm.txt`, the prompt `user@vm:~$`
    File,
    /// `# on the VM`, between the fences of Markdown
    Comment,
}

/// One label.
#[derive(Debug, Clone)]
struct Label {
    kind: LabelKind,
    words: Vec<String>,
    /// The level of the heading below which it stands.
    below: usize,
    /// How many outputs stand above it.
    place: usize,
}

/// The labels above an output, read from the top of the page.
#[derive(Debug, Default)]
pub(crate) struct LabelLines {
    labels: Vec<Label>,
    /// The words of the last paragraph that is no label.
    remark: Vec<String>,
    /// The lines of the paragraph under way.
    paragraph: Vec<String>,
    /// How many outputs were read.
    place: usize,
}

/// A paragraph of so many words is a name, although it has no colon.
const WORDS_OF_NAME: usize = 6;

impl LabelLines {
    /// Reads a line that is neither a heading nor a command nor of an output; `below` is the level of the last heading.
    pub(crate) fn read_line(&mut self, line: &str, is_fenced: bool, below: usize) {
        if let Some((kind, text)) = label_of_line(line, is_fenced) {
            self.finish_paragraph(below);
            self.add_label(kind, telling_words(&text), below);
        } else if line.trim().is_empty() {
            self.finish_paragraph(below);
        } else if !is_fenced && !is_of_terminal(line) {
            self.paragraph.push(line.trim_end().to_owned());
        }
    }

    /// The paragraph under way, if it is one line that does not begin with blanks: below it a rule makes it a heading.
    pub(crate) fn take_single_line(&mut self) -> Option<String> {
        let [line] = self.paragraph.as_slice() else { return None };
        if line.starts_with([' ', '#']) || line.split_whitespace().count() > 2 * WORDS_OF_NAME {
            return None;
        }
        self.paragraph.pop()
    }

    /// A heading of a level ends what labels below headings of its level and of lower ones say.
    pub(crate) fn begin_section(&mut self, level: usize, below: usize) {
        self.finish_paragraph(below);
        self.labels.retain(|label| label.below < level);
        self.remark.clear();
    }

    /// What ends or begins a paragraph without being a label, such as a fence.
    pub(crate) fn finish_paragraph(&mut self, below: usize) {
        let text = std::mem::take(&mut self.paragraph).join(" ");
        let text = text.trim();
        let is_name = text.split_whitespace().count() <= WORDS_OF_NAME && !text.ends_with(['.', '!', '?']);
        let words = telling_words(last_sentence(text));
        if text.is_empty() {
            return;
        }
        if text.ends_with(':') || is_name {
            self.add_label(LabelKind::Sentence, words, below);
        } else if !words.is_empty() {
            self.remark = words;
        }
    }

    /// What is said of the output that comes next: the words of its labels, and of the last remark.
    pub(crate) fn next_output(&mut self, below: usize) -> (Vec<String>, Vec<String>) {
        self.finish_paragraph(below);
        self.place += 1;
        let words = self.labels.iter().flat_map(|label| label.words.iter().cloned()).collect();
        (words, self.remark.clone())
    }

    fn add_label(&mut self, kind: LabelKind, words: Vec<String>, below: usize) {
        if words.is_empty() {
            return;
        }
        let place = self.place;
        self.labels.retain(|label| label.place == place || label.kind < kind);
        self.labels.push(Label { kind, words, below, place });
    }
}

/// What a terminal and tools print around outputs, whatever they are of.
fn is_of_terminal(line: &str) -> bool {
    const BEGINS: [&str; 15] = [
        "starting vacuum",
        "pgbench: ",
        "pghost: ",
        "vacuum",
        "creating ",
        "dropping ",
        "generating ",
        "done in ",
        "real\t",
        "user\t",
        "sys\t",
        "ALTER ",
        "CREATE ",
        "Timing ",
        "Time: ",
    ];
    let line = line.trim();
    let is_drawn = line.chars().all(|c| !c.is_alphanumeric());
    is_drawn
        || line == "SET"
        || line.starts_with('(')
        || line.contains('|')
        || BEGINS.iter().any(|begin| line.starts_with(begin))
}

fn last_sentence(text: &str) -> &str {
    let end = text.trim_end_matches(['.', '!', '?', ':', ' ']).len();
    let before = [". ", "! ", "? "].into_iter().filter_map(|sign| text[..end].rfind(sign)).max();
    before.map_or(text, |at| &text[at + 2..])
}

/// The label that a line is, and its text.
fn label_of_line(line: &str, is_fenced: bool) -> Option<(LabelKind, String)> {
    let line = line.trim();
    if let Some(name) = name_of_file_line(line) {
        return Some((LabelKind::File, name));
    }
    let comment = ["# ", "## ", "-- ", "// ", "### "].into_iter().find_map(|sign| line.strip_prefix(sign));
    if is_fenced {
        return comment.map(|text| (LabelKind::Comment, text.to_owned()));
    }
    if let Some(name) = name_of_tab(line) {
        return Some((LabelKind::Element, name));
    }
    if line.starts_with('<') && line.contains('>') {
        let text = without_elements(line);
        return (!text.trim().is_empty()).then_some((LabelKind::Element, text));
    }
    let item = ["- ", "* ", "+ ", "• "]
        .into_iter()
        .find_map(|sign| line.strip_prefix(sign))
        .or_else(|| numbered_item(line))?;
    Some((LabelKind::ListItem, item.to_owned()))
}

/// `1. VM`, `2) pod`
fn numbered_item(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == line.len() {
        return None;
    }
    rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))
}

/// `=== "VM"`, `{{% tab "VM" %}}`, `<TabItem value="vm" label="VM">`
fn name_of_tab(line: &str) -> Option<String> {
    let is_tab = line.starts_with("=== \"")
        || line.starts_with("===! \"")
        || line.starts_with("{{") && line.contains("tab")
        || line.starts_with("<Tab")
        || line.starts_with(":::") && line.contains("tab");
    if !is_tab {
        return None;
    }
    let of_label = line.split_once("label=").map_or(line, |(_, rest)| rest);
    let name = of_label.split(['"', '\'']).nth(1)?;
    (!name.trim().is_empty()).then(|| name.to_owned())
}

/// The name of a file without its ending: `vm.txt:`, `==> vm.txt <==`, `$ cat results/vm.txt`, `File: vm.log`.
fn name_of_file_line(line: &str) -> Option<String> {
    if let Some(text) = text_of_printing_command(line) {
        return Some(stems_of_paths(text.trim_matches(['"', '\''])));
    }
    let said = ["File: ", "file: ", "Datei: "].into_iter().find_map(|begin| line.strip_prefix(begin));
    let shown = line.strip_prefix("==> ").and_then(|rest| rest.strip_suffix(" <=="));
    let name = shown.or(said).or_else(|| line.strip_suffix(':'))?.trim_matches(['`', '*', '"', '\'', ' ']);
    let ending = name.rsplit_once('.')?.1;
    let is_file = !name.contains(' ') && (1..=4).contains(&ending.len()) && ending.chars().all(char::is_alphabetic);
    is_file.then(|| stems_of_paths(name))
}

/// What `$ cat vm.txt` or `echo "the pod"` prints.
fn text_of_printing_command(line: &str) -> Option<&str> {
    let command = match line.split_once(['$', '#']) {
        Some((prompt, command)) if prompt.is_empty() || prompt.contains(['@', '~', ':']) => command.trim_start(),
        Some(_) | None => line,
    };
    let text = command.strip_prefix("cat ").or_else(|| command.strip_prefix("echo "))?;
    let is_printed = line.len() > command.len() || text.contains(['.', '"', '\'', '=']);
    is_printed.then_some(text)
}

/// Each path by the name of its file without ending.
fn stems_of_paths(text: &str) -> String {
    let mut stems = Vec::new();
    for word in text.split_whitespace() {
        let name = word.rsplit('/').next().unwrap_or(word);
        let stem = match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() && ending.chars().all(char::is_alphabetic) => stem,
            Some(_) | None => name,
        };
        // Repetitions are counted in names of files, too.
        let parts = repetition_words::parts_before_repetition(stem);
        stems.push(if parts.is_empty() { stem.to_owned() } else { parts.join("-") });
    }
    stems.join(" ")
}

/// The text of a line without the elements of HTML in it.
pub(crate) fn without_elements(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let is_element = after.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
        match after.split_once('>') {
            Some((_, behind)) if is_element => {
                text.push(' ');
                rest = behind;
            }
            Some(_) | None => {
                text.push('<');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn label_in_words(line: &str, is_fenced: bool) -> Option<String> {
        label_of_line(line, is_fenced).map(|(kind, text)| format!("{kind:?} {}", telling_words(&text).join(" ")))
    }

    #[test]
    fn lines_that_name_an_output_are_told_by_their_form() {
        for (line, expected) in [
            ("- VM", "ListItem VM"),
            ("* **VM**: results", "ListItem VM"),
            ("2. in a pod", "ListItem pod"),
            ("=== \"VM\"", "Element VM"),
            ("{{% tab \"VM\" %}}", "Element VM"),
            ("<TabItem value=\"vm\" label=\"a VM\">", "Element VM"),
            ("<tr><td>VM</td><td>", "Element VM"),
            ("vm.txt:", "File vm"),
            ("`results/vm.txt`:", "File vm"),
            ("==> vm-run2.txt <==", "File vm"),
            ("$ cat vm.txt", "File vm"),
            ("user@host:~$ echo \"the pod\"", "File pod"),
        ] {
            assert_eq!(label_in_words(line, false).as_deref(), Some(expected), "{line}");
        }
        assert_eq!(label_in_words("# on the VM", true).as_deref(), Some("Comment VM"));
        for line in ["Then in a pod:", "We ran it.", "8.5:", "</td>", "--", "e.g.:"] {
            assert_eq!(label_in_words(line, false), None, "{line}");
        }
        assert_eq!(label_in_words("- VM", true), None, "what a terminal prints");
    }

    #[test]
    fn a_label_is_of_all_outputs_up_to_the_next_one_of_its_kind() {
        let mut lines = LabelLines::default();
        let mut above = |read: &[&str]| {
            read.iter().for_each(|line| lines.read_line(line, false, 1));
            lines.next_output(1).0.join(" ")
        };
        assert_eq!(above(&["First on a VM", "with NVMe:", ""]), "VM NVMe");
        assert_eq!(above(&["Then again:"]), "VM NVMe");
        assert_eq!(above(&["- cold", "- slow"]), "cold slow");
        assert_eq!(above(&["In a pod:"]), "cold slow pod");
        assert_eq!(above(&["starting vacuum...end."]), "cold slow pod");
    }

    #[test]
    fn a_remark_is_no_label() {
        let mut lines = LabelLines::default();
        lines.read_line("This is what we measured. It was slower on the pod than on the VM.", false, 0);
        let (labels, remark) = lines.next_output(0);
        assert_eq!((labels.len(), remark.join(" ").as_str()), (0, "slower pod than VM"));
    }

    proptest! {
        #[test]
        fn any_lines_are_read(lines in prop::collection::vec("[-=<>*#.:/a-z0-9é\"$ ]{0,30}", 0..20), is_fenced in any::<bool>()) {
            let mut read = LabelLines::default();
            for line in &lines {
                read.read_line(line, is_fenced, 0);
                without_elements(line);
            }
            read.next_output(0);
        }
    }
}
