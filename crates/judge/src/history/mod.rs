//! What runs measured over time: which figures of a run are kept, and under which conditions (`contract`) they can be
//! compared with those of others.

mod contract;
mod measured;

pub use measured::{LeftOut, Measured, Unfit, measured};
