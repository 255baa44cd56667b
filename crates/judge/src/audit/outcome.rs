//! What a check says: its verdict, the figures that it rests on, and what follows.

/// The verdict of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The rule is broken.
    Broken(Weight),
    /// The account does not tell.
    CannotTell {
        /// What would be needed.
        needs: String,
    },
    /// The rule holds.
    Holds,
}

/// What a broken rule undermines, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The sides were not measured alike, or something other than them was:
    /// the comparison does not answer the question.
    Comparison,
    /// A conclusion is not borne out by the figures, which may be right.
    Conclusion,
    /// Single figures are wrong.
    Figures,
    /// The description is wrong; the figures may be right.
    Description,
}

impl Weight {
    /// What is undermined, in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Comparison => "the comparison",
            Self::Conclusion => "the conclusion",
            Self::Figures => "single figures",
            Self::Description => "the description",
        }
    }
}

/// One figure that a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    /// What it is of: a side, a cell, a job.
    pub of: String,
    /// It, with its unit and what it should be.
    pub text: String,
    /// Whether it speaks against the rule.
    pub breaks: bool,
}

impl Figure {
    /// A figure that breaks the rule.
    pub fn against(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self { of: of.into(), text: text.into(), breaks: true }
    }

    /// A figure that does not.
    pub fn fine(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self { of: of.into(), text: text.into(), breaks: false }
    }
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on, the figures that break the rule first.
    pub figures: Vec<Figure>,
    /// What follows for the conclusion; empty when the rule holds.
    pub consequence: String,
}

impl Outcome {
    /// The rule holds.
    pub fn holds(figures: Vec<Figure>) -> Self {
        Self { verdict: Verdict::Holds, figures, consequence: String::new() }
    }

    /// The account does not tell.
    pub fn cannot_tell(needs: impl Into<String>, figures: Vec<Figure>) -> Self {
        Self { verdict: Verdict::CannotTell { needs: needs.into() }, figures, consequence: String::new() }
    }

    /// The rule is broken.
    pub fn broken(weight: Weight, mut figures: Vec<Figure>, consequence: impl Into<String>) -> Self {
        figures.sort_by_key(|figure| !figure.breaks);
        Self { verdict: Verdict::Broken(weight), figures, consequence: consequence.into() }
    }
}
