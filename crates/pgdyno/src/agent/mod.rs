//! The host probes on another machine: `pgdyno agent --stdio` runs there, started by a [`server::Carrier`], and is
//! asked for a reading at the end of every second of the load, so that readings need no clock to be put in their
//! place. It ends with its input. A lost agent leaves gaps with a reason; the trial goes on.

mod far;
mod messages;
mod near;

pub use far::serve;
pub use near::{Agent, start};
