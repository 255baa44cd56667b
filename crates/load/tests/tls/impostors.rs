//! Peers that answer the question for encryption in a way that no good server does.

use crate::{always, is_encrypted, with};
use conninfo::{ConnInfo, EncryptionMode, ServerHost};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::time::Duration;
use wire::tls::{CertificateTrust, TlsOptions};

/// A peer that answers every question so; then it closes the connection, or keeps it and says no more.
fn answering(answer: &'static [u8], closes: bool) -> ConnInfo {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _gone_already = stream.read(&mut [0; 8]).and_then(|_| stream.write_all(answer));
            if closes {
                // For reading it stays open, or the client's next words would reset the connection under the answer.
                let _gone_already = stream.shutdown(std::net::Shutdown::Write);
            }
            kept.push(stream);
        }
    });
    let server = ConnInfo::new((ServerHost::tcp_from_name("127.0.0.1"), port), "postgres", "postgres");
    with(always(CertificateTrust::Anyone), ConnInfo { connect_timeout: Some(Duration::from_secs(1)), ..server })
}

#[test]
fn each_wrong_answer_to_the_question_for_encryption_has_its_own_words() {
    // An ErrorResponse of version 3, as a server sends it that cannot start another process.
    let error = b"E\0\0\0\x27SFATAL\0C53300\0Mthere are too many\0\0";
    for (answer, closes, said) in [
        (&b"N"[..], true, "the server does not support TLS"),
        (b"Sand more", false, "the server sent unencrypted data after it agreed to encrypt"),
        (b"S", true, "closed the connection"),
        (b"S", false, "did not complete a connection within 1 s"),
        (b"", true, "closed the connection"),
        (b"", false, "did not complete a connection within 1 s"),
        (b"HTTP/1.1 400 Bad Request\r\n", true, "not a PostgreSQL server: its answer begins with \"HTTP/\""),
        (error, true, "there are too many"),
        (b"Etoo many clients\0", true, "too many clients"),
    ] {
        let told = is_encrypted(&answering(answer, closes)).expect_err("that is no server");
        assert!(told.contains(said), "{:?}: {told}", String::from_utf8_lossy(answer));
    }
}

#[test]
fn who_speaks_no_tls_after_having_agreed_to_is_told_from_who_has_closed() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let asked = stream.read(&mut [0; 8]).and_then(|_| stream.write_all(b"S"));
            let _gone_already = asked.and_then(|()| stream.read(&mut [0; 512]));
            let _gone_already = stream.write_all(b"this is not a record of TLS, nor of anything else");
            kept.push(stream);
        }
    });
    let server = ConnInfo::new((ServerHost::tcp_from_name("127.0.0.1"), port), "postgres", "postgres");
    let told = is_encrypted(&with(always(CertificateTrust::Anyone), server.clone())).expect_err("that is no server");
    assert!(told.contains("TLS failed") && told.contains("ssl_min_protocol_version"), "{told}");
    // The other way is tried, where it is allowed: in clear it speaks no better.
    let prefer = EncryptionMode::IfPossible(crate::settings(TlsOptions::default()));
    let told = is_encrypted(&with(prefer, server)).expect_err("that is no server");
    assert!(told.contains("not a PostgreSQL server"), "{told}");
}
