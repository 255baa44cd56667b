//! Enums that are spelled as words, each with its meaning.

/// A choice that is spelled as a word.
pub trait WordChoice: Copy + PartialEq + 'static {
    /// Every choice.
    const ALL: &'static [Self];

    /// The word.
    fn as_word(self) -> &'static str;

    /// What it means, in a few words.
    fn word_meaning(self) -> &'static str;

    /// The choice that is spelled so.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.as_word() == word)
    }
}

/// Declares an enum whose variants are spelled as words, each with its meaning.
#[macro_export]
macro_rules! words {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$default:meta])? $variant:ident = $word:literal, $meaning:literal;)+ }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`: ", $meaning, ".")]
                $(#[$default])?
                $variant,
            )+
        }

        impl $crate::WordChoice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn as_word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            fn word_meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }
        }
    };
}
