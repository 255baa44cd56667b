//! What the kernel knows of one TCP connection (`TCP_INFO` of tcp(7)):
//! its round-trip time and what it had to send again.
//!
//! Subtle: the smoothed round-trip time contains the server's own time whenever the acknowledgement of a request
//! travels with the answer to it, which is the rule in a request-response protocol. The shortest one, which the
//! handshake has a part in, does not.
#![allow(unsafe_code)]

use rustix::fd::{AsRawFd, OwnedFd};
use std::mem::{offset_of, size_of};

/// One reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TcpInfo {
    /// Smoothed round-trip time, in microseconds.
    pub(crate) rtt_us: u32,
    /// Shortest round-trip time of the last minutes, in microseconds.
    pub(crate) rtt_min_us: u32,
    /// Segments sent again since the connection began.
    pub(crate) retransmits: u32,
    /// Segments that are thought lost at the moment.
    pub(crate) lost: u32,
}

/// Up to where the kernel must have filled the structure: older ones know less.
const ENOUGH: usize = offset_of!(libc::tcp_info, tcpi_min_rtt) + size_of::<u32>();
/// The kernel's shortest round-trip time before it has seen one.
const NEVER_SEEN: u32 = u32::MAX;

/// Reads a TCP socket. `None`: the kernel does not tell (before 4.6, or the connection is not established).
pub(crate) fn read_tcp_info(socket: &OwnedFd) -> Option<TcpInfo> {
    // SAFETY: the structure is plain numbers, for which zero is a value.
    let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes to `info`, which has so many,
    // and how many it has written to `length`.
    let status = unsafe {
        libc::getsockopt(socket.as_raw_fd(), libc::IPPROTO_TCP, libc::TCP_INFO, (&raw mut info).cast(), &raw mut length)
    };
    let told = status == 0 && length as usize >= ENOUGH && info.tcpi_min_rtt != NEVER_SEEN;
    told.then_some(TcpInfo {
        rtt_us: info.tcpi_rtt,
        rtt_min_us: info.tcpi_min_rtt,
        retransmits: info.tcpi_total_retrans,
        lost: info.tcpi_lost,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::net::UnixStream;

    #[test]
    fn a_connection_has_a_round_trip_time_from_its_handshake_on() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let stream = TcpStream::connect(address).expect("a connection");
        let info = read_tcp_info(&stream.into()).expect("the kernel tells");
        assert!(info.rtt_min_us > 0 && info.rtt_min_us <= info.rtt_us, "{info:?}");
        assert_eq!((info.retransmits, info.lost), (0, 0));
    }

    #[test]
    fn a_unix_socket_has_none() {
        let (one, _other) = UnixStream::pair().expect("a pair");
        assert_eq!(read_tcp_info(&one.into()), None);
    }
}
