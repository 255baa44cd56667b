//! How the language of a plan is declared: one struct for a mapping, one field for a key, its doc comment the help.
//!
//! `record!` makes of a declaration the struct of the model, its reader with all errors at once, its writer, its JSON
//! Schema and its section of `docs/plan-reference.md`. What a value may be is a [`Form`], one `impl` for each kind.
//!
//! Serde's derives were tried and not taken. They end at the first error. Keys that choose between each other (`url`,
//! `local`, `shared`) are flattened enums, of which serde knows neither the place nor which keys there are, and takes
//! two of them as it takes one. And scalars are converted before anybody sees their text: `17.10` is 17.1.

mod collections;
mod manual;
mod mapping;
mod reference;
mod values;
mod yaml;

use serde_json::{Value as Json, json};

use super::document::{self, Node, Span, YamlValue};
use super::error::PlanFinding;

pub(crate) use collections::{HasName, List, NamedValues, OrNone, SettingsByName, ValueSequence, VariablesForm};
pub(crate) use manual::record_reference;
pub(crate) use mapping::{KeyHomes, MappingFields, key_homes};
#[cfg(test)]
pub(crate) use reference::json_of;
pub(crate) use reference::json_schema;
pub(crate) use values::{
    AtLeastMs, Identifier, Number, TargetName, TextForm, Whole, about_words, did_you_mean, is_setting_name,
    parse_canonical_number, read_path, read_quantity, read_text, read_word,
};
pub(crate) use yaml::{MappingEntries, Yaml, put_field, quote_text};

/// What has been found wrong so far.
pub(crate) type PlanReadingFindings = Vec<PlanFinding>;

/// What a value of a plan may be.
pub(crate) trait Form {
    /// What it is in the model.
    type Value;

    /// Reads a value; when it is none of this form, `findings` say so.
    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value>;

    /// The value as the resolved plan has it.
    fn write_value(value: &Self::Value) -> Yaml;

    /// What a value may be.
    fn describe_form() -> ValueDescription;

    /// What holds where nothing is given, and stands in for what could not be read until everything is.
    fn value_when_absent() -> Option<Self::Value> {
        None
    }

    /// What to write in place of a value of another form.
    fn replacement_hint() -> String {
        format!("write {}", Self::describe_form().example)
    }
}

/// What a value may be, for people and for editors.
pub(crate) struct ValueDescription {
    /// In the words of the reference.
    pub(crate) words: String,
    /// One, as a plan would have it.
    pub(crate) example: String,
    /// Its JSON Schema.
    pub(crate) schema: Json,
    /// The mappings with fixed keys in it, each with what leads there from its key.
    pub(crate) below: Vec<(&'static str, Mapping)>,
}

impl ValueDescription {
    pub(crate) fn new(words: impl Into<String>, example: impl Into<String>, schema: Json) -> Self {
        Self { words: words.into(), example: example.into(), schema, below: Vec::new() }
    }

    /// One of several forms; the example is of the first.
    pub(crate) fn any_of(forms: impl IntoIterator<Item = Self>) -> Self {
        let forms: Vec<Self> = forms.into_iter().collect();
        let words: Vec<&str> = forms.iter().map(|form| form.words.as_str()).collect();
        let schemas: Vec<&Json> = forms.iter().map(|form| &form.schema).collect();
        let about = Self::new(words.join("<br>or "), forms[0].example.as_str(), json!({ "anyOf": schemas }));
        Self { below: forms.into_iter().flat_map(|form| form.below).collect(), ..about }
    }
}

/// A value that is being read: what it is, the keys that lead there, its name where it has one, and the mappings of the
/// whole document.
pub(crate) struct At<'n> {
    pub(crate) node: &'n Node,
    pub(crate) path: &'n str,
    pub(crate) name: &'n str,
    pub(crate) homes: &'n KeyHomes,
}

impl At<'_> {
    /// Reports that a value is not what it should be.
    pub(crate) fn report_wrong_value<T>(
        &self,
        findings: &mut PlanReadingFindings,
        why: &str,
        hint: impl Into<String>,
    ) -> Option<T> {
        let message = format!("{}: found {}, {why}", self.path, self.node.describe_value());
        findings.push(PlanFinding::new(self.node.span, message).hint(hint));
        None
    }

    /// The text of a scalar; empty for anything else.
    pub(crate) fn scalar_text(&self) -> &str {
        self.node.scalar_text().unwrap_or_default()
    }
}

/// A mapping with fixed keys.
pub(crate) struct Mapping {
    /// What it is, to stand in "the keys of …".
    pub(crate) title: &'static str,
    /// What it says.
    pub(crate) doc: String,
    /// Its keys, in the order in which a plan is written.
    pub(crate) keys: Vec<Key>,
}

/// One key of a mapping.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) presence: KeyPresence,
    /// What it says, without the default.
    pub(crate) doc: String,
    pub(crate) about: fn() -> ValueDescription,
    /// A value of the plan language as the resolved plan has it.
    resolve: fn(&str) -> Option<Yaml>,
}

impl Key {
    /// `doc` is a doc comment, line by line.
    pub(crate) fn from_form<F: Form>(name: &'static str, presence: KeyPresence, doc: &'static str) -> Self {
        Self { name, presence, doc: doc.trim_start().to_owned(), about: F::describe_form, resolve: resolved_value::<F> }
    }

    /// Whether a value of the resolved plan is what holds where nothing is given.
    pub(crate) fn is_default(&self, value: &str) -> bool {
        let KeyPresence::Default(text) = self.presence else { return false };
        matches!((self.resolve)(text), Some(Yaml::Scalar(default)) if default == value)
    }
}

/// Whether a key has to be given, and what holds when it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPresence {
    /// It has to be given.
    Required,
    /// This text of the plan language holds.
    Default(&'static str),
    /// What holds is decided elsewhere, as these words say.
    Open(&'static str),
    /// There is none of it, in these words.
    Absent(&'static str),
    /// Of all such keys of the mapping exactly one has to be given, as these words say.
    OneOf(&'static str),
    /// It has to be given with another key; without that one these words hold.
    With(&'static str, &'static str),
    /// Another key has to be given with it; without it these words hold.
    Needs(&'static str, &'static str),
}

/// Keys of a mapping that belong together: all of them, or some that several mappings have alike.
pub(crate) trait MappingKeys: Sized {
    fn list_keys() -> Vec<Key>;

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self>;

    fn write_keys(&self, to: &mut MappingEntries);
}

/// Keys that make up a mapping.
pub(crate) trait MappingRecord: MappingKeys {
    const TITLE: &'static str;
    const DOC: &'static str;

    fn describe_mapping() -> Mapping {
        let doc = Self::DOC.trim_start().to_owned();
        Mapping { title: Self::TITLE, doc, keys: Self::list_keys() }
    }

    /// Reports what its values have against each other, once each of them is right.
    fn check_record(&self, _: &mut PlanReadingFindings, _: &MappingFields<'_>) {}
}

impl<R: MappingRecord> Form for R {
    type Value = R;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<R> {
        mapping::read_mapping(findings, at)
    }

    fn write_value(value: &R) -> Yaml {
        yaml::mapping_from_keys(value)
    }

    fn describe_form() -> ValueDescription {
        let mapping = R::describe_mapping();
        let about =
            ValueDescription::new("mapping", reference::example_mapping(&mapping), reference::mapping_schema(&mapping));
        ValueDescription { below: vec![("", mapping)], ..about }
    }
}

/// Declares a mapping with fixed keys:
///
/// ```text
/// record! {
///     /// What the mapping says.
///     pub struct Blocks = "blocks", check = Self::in_order {
///         /// The help of the key.
///         key at_least: u32 as Whole<1, 1000> = Default("3"),
///         /// The help of a key that is not called like its field, and that has to be given.
///         key "type" kind: FilesystemKind,
///         /// Keys that stand in this mapping and are a struct of their own.
///         keys way: Way,
///     }
/// }
/// ```
///
/// `as` names the form of a value where its type does not; `name` is a field that holds the name under which the
/// mapping stands. `of Blocks` in the place of `struct Blocks` says the same of a struct that is declared elsewhere.
macro_rules! record {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),+)])?
        $vis:vis struct $record:ident = $title:literal $(, check = $check:path)? {
            $(
                $(#[doc = $doc:literal])*
                $kind:ident $($name:literal)? $field:ident : $ty:ty $(as $form:ty)? $(= $presence:expr)?
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, Eq $($(, $derive)+)?)]
        $vis struct $record {
            $(
                $(#[doc = $doc])*
                pub $field: $ty,
            )+
        }

        record! {
            $(#[doc = $about])*
            of $record = $title $(, check = $check)? {
                $($(#[doc = $doc])* $kind $($name)? $field : $ty $(as $form)? $(= $presence)?),+
            }
        }
    };

    (
        $(#[doc = $about:literal])*
        of $record:ident = $title:literal $(, check = $check:path)? {
            $(
                $(#[doc = $doc:literal])*
                $kind:ident $($name:literal)? $field:ident : $ty:ty $(as $form:ty)? $(= $presence:expr)?
            ),+ $(,)?
        }
    ) => {
        impl $crate::language::MappingKeys for $record {
            fn list_keys() -> Vec<$crate::language::Key> {
                let keys = [$(record!(@keys $kind record!(@name $field $($name)?), record!(@presence $($presence)?),
                    concat!($($doc),*), $ty $(, $form)?)),+];
                keys.into_iter().flatten().collect()
            }

            fn read_keys(
                findings: &mut $crate::language::PlanReadingFindings,
                fields: &$crate::language::MappingFields<'_>,
            ) -> Option<Self> {
                $(let $field = record!(@read $kind findings, fields, record!(@name $field $($name)?),
                    record!(@presence $($presence)?), $ty $(, $form)?);)+
                Some(Self { $($field: $field?),+ })
            }

            fn write_keys(&self, to: &mut $crate::language::MappingEntries) {
                $(record!(@write $kind to, self.$field, record!(@name $field $($name)?),
                    record!(@presence $($presence)?), $ty $(, $form)?);)+
            }
        }

        impl $crate::language::MappingRecord for $record {
            const TITLE: &'static str = $title;
            const DOC: &'static str = concat!($($about),*);

            $(fn check_record(&self, findings: &mut $crate::language::PlanReadingFindings, fields: &$crate::language::MappingFields<'_>) {
                $check(self, findings, fields);
            })?
        }
    };

    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@presence) => { $crate::language::KeyPresence::Required };
    (@presence $presence:expr) => {{
        #[allow(unused_imports)]
        use $crate::language::KeyPresence::{Absent, Default, Needs, OneOf, Open, With};
        $presence
    }};

    (@keys key $name:expr, $presence:expr, $doc:expr, $form:ty) => {
        vec![$crate::language::Key::from_form::<$form>($name, $presence, $doc)]
    };
    (@keys key $name:expr, $presence:expr, $doc:expr, $ty:ty, $form:ty) => {
        vec![$crate::language::Key::from_form::<$form>($name, $presence, $doc)]
    };
    (@keys keys $name:expr, $presence:expr, $doc:expr, $ty:ty) => { <$ty as $crate::language::MappingKeys>::list_keys() };
    (@keys name $($rest:tt)*) => { Vec::new() };

    (@read key $findings:ident, $fields:ident, $name:expr, $presence:expr, $form:ty) => {
        $fields.read_field::<$form>($findings, $name, $presence)
    };
    (@read key $findings:ident, $fields:ident, $name:expr, $presence:expr, $ty:ty, $form:ty) => {
        $fields.read_field::<$form>($findings, $name, $presence)
    };
    (@read keys $findings:ident, $fields:ident, $name:expr, $presence:expr, $ty:ty) => {
        <$ty as $crate::language::MappingKeys>::read_keys($findings, $fields)
    };
    (@read name $findings:ident, $fields:ident, $name:expr, $presence:expr, $ty:ty) => { Some($fields.name.to_owned()) };

    (@write key $to:ident, $value:expr, $name:expr, $presence:expr, $form:ty) => {
        $crate::language::put_field::<$form>($to, $name, $presence, &$value)
    };
    (@write key $to:ident, $value:expr, $name:expr, $presence:expr, $ty:ty, $form:ty) => {
        $crate::language::put_field::<$form>($to, $name, $presence, &$value)
    };
    (@write keys $to:ident, $value:expr, $name:expr, $presence:expr, $ty:ty) => {
        $crate::language::MappingKeys::write_keys(&$value, $to)
    };
    (@write name $($rest:tt)*) => {};
}

/// Declares keys of which exactly one has to be given, each with its value; the words say what holds for the others.
macro_rules! choice {
    (
        $(#[doc = $about:literal])*
        $vis:vis enum $choice:ident = $words:literal {
            $(
                $(#[doc = $doc:literal])*
                $name:literal => $variant:ident($form:ty)
            ),+ $(,)?
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        $vis enum $choice {
            $($(#[doc = $doc])* $variant($form),)+
        }

        impl $crate::language::MappingKeys for $choice {
            fn list_keys() -> Vec<$crate::language::Key> {
                let presence = $crate::language::KeyPresence::OneOf($words);
                vec![$($crate::language::Key::from_form::<$form>($name, presence, concat!($($doc),*))),+]
            }

            fn read_keys(
                findings: &mut $crate::language::PlanReadingFindings,
                fields: &$crate::language::MappingFields<'_>,
            ) -> Option<Self> {
                let presence = $crate::language::KeyPresence::OneOf($words);
                let mut chosen = None;
                $(if let Some(value) = fields.read_field::<Option<$form>>(findings, $name, presence).flatten() {
                    chosen = Some(Self::$variant(value));
                })+
                chosen
            }

            fn write_keys(&self, to: &mut $crate::language::MappingEntries) {
                let presence = $crate::language::KeyPresence::Required;
                match self {
                    $(Self::$variant(value) => $crate::language::put_field::<$form>(to, $name, presence, value),)+
                }
            }
        }
    };
}

/// Declares an enum whose variants a plan spells as words, each with its meaning.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($choices:tt)+ }) => {
        work::words! { $(#[$about])* $name { $($choices)+ } }
        $crate::language::spelled!($name);
    };
}

/// Says of enums that are declared elsewhere that a plan spells their variants as words.
macro_rules! spelled {
    ($($name:ty),+ $(,)?) => {$(
        impl $crate::language::Form for $name {
            type Value = Self;

            fn read_value(findings: &mut $crate::language::PlanReadingFindings, at: &$crate::language::At<'_>) -> Option<Self> {
                $crate::language::read_word(findings, at)
            }

            fn write_value(value: &Self) -> $crate::language::Yaml {
                $crate::language::Yaml::Scalar(work::WordChoice::as_word(*value).to_owned())
            }

            fn describe_form() -> $crate::language::ValueDescription {
                $crate::language::about_words::<Self>()
            }
        }
    )+};
}

pub(crate) use {choice, record, spelled, words};

impl<F: Form> Form for Option<F> {
    type Value = Option<F::Value>;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self::Value> {
        F::read_value(findings, at).map(Some)
    }

    fn write_value(value: &Self::Value) -> Yaml {
        value.as_ref().map_or(Yaml::Absent, F::write_value)
    }

    fn describe_form() -> ValueDescription {
        F::describe_form()
    }

    fn value_when_absent() -> Option<Self::Value> {
        Some(None)
    }
}

/// The value that a default is.
fn resolved_value<F: Form>(text: &str) -> Option<Yaml> {
    let node = Node { span: Span::at_place(1, 1), value: default_value(text) };
    let homes = KeyHomes::new(Vec::new);
    let value = F::read_value(&mut PlanReadingFindings::new(), &At { node: &node, path: "", name: "", homes: &homes })?;
    Some(F::write_value(&value))
}

fn default_value(text: &str) -> YamlValue {
    document::read_document(text, &mut Vec::new()).expect("a default is YAML").value
}
