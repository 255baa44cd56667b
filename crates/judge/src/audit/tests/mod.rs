//! Each check on accounts made of a few figures: where its rule holds, where it is broken, and where nothing tells.

mod account;
mod documentation;
mod each_check;
mod order;
mod sound;
