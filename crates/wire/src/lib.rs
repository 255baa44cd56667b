//! The PostgreSQL protocol (3.0, client side) for the load engine.
//!
//! Bytes in, events and bytes out. There is no socket, no clock and no async in here, so every behaviour can be tested
//! on a slice of bytes, and any event loop (epoll, io_uring, a test) can drive it. An exchange allocates nothing once
//! the buffers have grown to the size of the largest message.
//!
//! Left out: the data of COPY to the client (passed unread), the replication protocol, and everything above single
//! messages, such as transactions, reconnecting and measuring; those belong to the `load` crate.
//!
//! ```
//! use wire::{ServerEvent, SessionLogin, WireConnection, frontend};
//!
//! # fn main() -> Result<(), wire::WireError> {
//! let login = SessionLogin { user: "bench", database: "bench", ..SessionLogin::default() };
//! let mut connection = WireConnection::start(&login);
//! // Hand `outgoing_bytes()` to a socket, then say how much of it was taken:
//! let to_send = connection.outgoing_bytes().len();
//! connection.mark_sent(to_send);
//! // ... what the socket received goes in here:
//! connection.receive_bytes(b"R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I");
//! while let Some(event) = connection.poll()? {
//!     if let ServerEvent::ReadyForQuery(_) = event {
//!         break;
//!     }
//! }
//! frontend::write_query_message(connection.outgoing_mut(), |sql| sql.extend_from_slice(b"SELECT 1"));
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod authentication;
mod backend;
mod bind;
mod connection;
mod error;
mod frame;
pub mod frontend;
mod input;
mod memory;
mod row;
mod server_message;
mod sqlstate;
pub mod tls;

pub use backend::{ServerEvent, TransactionStatus};
pub use bind::{BindTemplate, BindWriter};
pub use connection::{ChannelBinding, ResultRows, ServerState, SessionLogin, TlsRequest, WireConnection};
pub use error::WireError;
pub use memory::BufferMemory;
pub use row::{DataRow, ResultColumn, RowDescription};
pub use server_message::ServerMessage;
pub use sqlstate::SqlState;
