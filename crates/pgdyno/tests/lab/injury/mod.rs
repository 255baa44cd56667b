//! What is done to a server or its machine. Each is a value: making it causes the condition, dropping it takes it away.

pub mod certificate;
pub mod dirty_limits;
pub mod disk;
pub mod freezer;
pub mod group;
pub mod narrow_link;
pub mod neighbour;
pub mod packet_loss;
pub mod pooler;
pub mod ticker;
