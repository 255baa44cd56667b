//! The load from another machine, or several: `pgdyno agent --stdio --load`, started for each load in a pod by
//! `pods/exec` or on a host by ssh, sends it with the engine of here, as this end tells it to. What it measures comes
//! back second by second. Of several each sends a part.

mod clock;
mod far;
mod messages;
mod near;
mod place;

pub use clock::ClockOffset;
pub use far::serve_conversation;
pub use messages::{GeneratorAnswer, LoadEvent, LoadOrder, PartOrder, SideOrder};
pub use near::GeneratorSession;
pub use place::{Elsewhere, ServerUnderLoad, check_load_pod, rights_for_load_pod};
