//! The decoder against byte streams: however they are cut, and whatever they contain.

mod login;
mod peer;
mod scram_server;
mod tls;

use peer::{events, greeting, message, start};
use proptest::collection::vec;
use proptest::prelude::*;
use wire::{BufferMemory, ResultRows, ServerEvent, SessionLogin, WireConnection, WireError};

fn server_message() -> impl Strategy<Value = Vec<u8>> {
    let text = "[a-z ]{0,20}";
    let empty = prop::sample::select(b"123nsIc".to_vec());
    let skipped = prop::sample::select(b"tAHd".to_vec());
    prop_oneof![
        empty.prop_map(|tag| message(tag, b"")),
        (skipped, vec(any::<u8>(), 0..9000)).prop_map(|(tag, body)| message(tag, &body)),
        prop::sample::select(b"ITE".to_vec()).prop_map(|status| message(b'Z', &[status])),
        Just(message(b'G', b"\0\0\0")),
        text.prop_map(|value| message(b'S', format!("application_name\0{value}\0").as_bytes())),
        any::<[u8; 8]>().prop_map(|key| message(b'K', &key)),
        any::<[u8; 8]>().prop_map(|versions| message(b'v', &versions)),
        text.prop_map(|tag| message(b'C', format!("{tag}\0").as_bytes())),
        text.prop_map(|text| message(b'E', format!("SERROR\0VERROR\0C42P01\0M{text}\0\0").as_bytes())),
        text.prop_map(|text| message(b'N', format!("SNOTICE\0C00000\0M{text}\0\0").as_bytes())),
        vec(any::<u8>(), 0..9000).prop_map(|value| {
            let mut body = vec![0, 2, 0xff, 0xff, 0xff, 0xff];
            body.extend_from_slice(&(value.len() as u32).to_be_bytes());
            body.extend_from_slice(&value);
            message(b'D', &body)
        }),
        Just({
            let mut body = vec![0, 1];
            body.extend_from_slice(b"abalance\0");
            body.extend_from_slice(&[0, 0, 0, 1, 0, 2, 0, 0, 0, 23, 0, 4, 0xff, 0xff, 0xff, 0xff, 0, 0]);
            message(b'T', &body)
        }),
    ]
}

fn rows() -> impl Strategy<Value = ResultRows> {
    prop_oneof![Just(ResultRows::Skip), Just(ResultRows::Keep)]
}

proptest! {
    #[test]
    fn any_split_of_the_stream_gives_the_same_events(
        messages in vec(server_message(), 0..12),
        cuts in vec(any::<usize>(), 0..40),
        rows in rows(),
    ) {
        let mut bytes = greeting();
        bytes.extend(messages.concat());
        prop_assert_eq!(events(&bytes, &cuts, rows), events(&bytes, &[], rows));
    }

    #[test]
    fn arbitrary_bytes_before_the_login_never_panic_and_split_alike(
        bytes in vec(any::<u8>(), 0..200),
        cuts in vec(any::<usize>(), 0..10),
    ) {
        prop_assert_eq!(events(&bytes, &cuts, ResultRows::Keep), events(&bytes, &[], ResultRows::Keep));
    }

    #[test]
    fn arbitrary_bytes_after_the_login_never_panic_and_split_alike(
        junk in vec(prop_oneof![any::<u8>(), prop::sample::select(b"\0\0\0\x04\x05\x08ZCDETNSKGv".to_vec())], 0..200),
        cuts in vec(any::<usize>(), 0..10),
        rows in rows(),
    ) {
        let mut bytes = greeting();
        bytes.extend(junk);
        prop_assert_eq!(events(&bytes, &cuts, rows), events(&bytes, &[], rows));
    }

    #[test]
    fn arbitrary_authentication_requests_never_panic(code in 0u32..14, data in vec(any::<u8>(), 0..80)) {
        let mut body = code.to_be_bytes().to_vec();
        body.extend(data);
        let first = message(b'R', &body);
        let both = [first.clone(), message(b'R', &[0, 0, 0, 11, b'r', b'='])].concat();
        prop_assert_eq!(events(&both, &[3, first.len()], ResultRows::Skip), events(&both, &[], ResultRows::Skip));
    }
}

fn refusal(bytes: &[u8]) -> WireError {
    let mut connection = start();
    connection.receive_bytes(bytes);
    loop {
        match connection.poll() {
            Ok(Some(_)) => {}
            Ok(None) => panic!("still waiting after {:?}", bytes.escape_ascii().to_string()),
            Err(error) => return error,
        }
    }
}

#[test]
fn other_servers_are_recognised_by_their_first_bytes() {
    let cases: [(&[u8], &str); 5] = [
        (b"HTTP/1.1 400 Bad Request\r\n", "HTTP/"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "SSH-2"),
        (b"220 mail.example.com ESMTP\r\n", "220 m"),
        (b"-ERR unknown command\r\n", "-ERR "),
        (b"J\0\0\0\n8.0.36\0", "J\\x00\\x00\\x00\\n"),
    ];
    for (answer, shown) in cases {
        assert_eq!(refusal(answer), WireError::NotPostgres(shown.to_owned()));
    }
}

#[test]
fn a_server_that_speaks_only_protocol_2_is_recognised_with_its_own_words() {
    let text = "FATAL:  unsupported frontend protocol 3.0: server supports 1.0 to 2.0";
    assert_eq!(refusal(format!("E{text}\n\0").as_bytes()), WireError::ProtocolTwo(text.to_owned()));
}

#[test]
fn a_password_is_asked_for_by_name_when_there_is_none() {
    let mut connection = WireConnection::start(&SessionLogin { user: "bench", ..SessionLogin::default() });
    connection.receive_bytes(&message(b'R', &[0, 0, 0, 3]));
    assert_eq!(connection.poll(), Err(WireError::PasswordNeeded));
}

#[test]
fn gssapi_is_refused_by_name() {
    assert_eq!(refusal(&message(b'R', &[0, 0, 0, 7])), WireError::UnsupportedAuthentication("GSSAPI".to_owned()));
}

#[test]
fn an_md5_request_is_answered_with_the_salted_hash() {
    let mut connection = WireConnection::start(&SessionLogin {
        user: "md5_user",
        password: Some("password"),
        ..SessionLogin::default()
    });
    let count = connection.outgoing_bytes().len();
    connection.mark_sent(count);
    connection.receive_bytes(&message(b'R', &[0, 0, 0, 5, 0x2a, 0x3d, 0x8f, 0xe0]));
    assert_eq!(connection.poll(), Ok(None));
    assert_eq!(connection.outgoing_bytes(), message(b'p', b"md562af4dd09bbb41884907a838a3233294\0"));
}

#[test]
fn a_server_that_skips_its_proof_in_scram_is_not_trusted() {
    let mut stream = message(b'R', b"\0\0\0\x0aSCRAM-SHA-256\0\0");
    stream.extend(message(b'R', &[0, 0, 0, 0]));
    assert!(matches!(refusal(&stream), WireError::Scram(_)));
}

#[test]
fn ready_for_query_before_the_login_is_a_violation() {
    assert!(matches!(refusal(&message(b'Z', b"I")), WireError::Protocol(_)));
}

#[test]
fn rows_that_are_skipped_have_no_limit_and_need_no_memory() {
    let mut connection = start();
    connection.receive_bytes(&greeting());
    while connection.poll().expect("a good greeting").is_some() {}
    let length: u32 = 1 << 30;
    connection.receive_bytes(&[b"D", &length.to_be_bytes()[..]].concat());
    let chunk = vec![b'x'; 1 << 20];
    let mut left = length as usize - 4;
    while left > 0 {
        let now = left.min(chunk.len()).min(connection.receive_buffer().len());
        connection.receive_buffer()[..now].copy_from_slice(&chunk[..now]);
        connection.mark_received(now);
        assert_eq!(connection.poll(), Ok(None));
        left -= now;
    }
    assert!(connection.receive_buffer().len() <= 4 << 10, "the buffer has grown");
    connection.receive_bytes(&message(b'Z', b"I"));
    assert_eq!(connection.poll(), Ok(Some(ServerEvent::ReadyForQuery(wire::TransactionStatus::Idle))));
}

#[test]
fn a_kept_message_over_the_limit_is_refused_at_its_header() {
    let mut stream = greeting();
    stream.extend_from_slice(&[b'E', 0x40, 0, 0, 0]);
    assert!(matches!(refusal(&stream), WireError::TooLong { tag: 'E', .. }));
}

#[test]
fn kept_rows_give_their_values_and_null_is_none() {
    let mut connection = start();
    connection.set_rows(ResultRows::Keep);
    connection.receive_bytes(&greeting());
    while connection.poll().expect("a good greeting").is_some() {}
    connection.receive_bytes(&message(b'D', b"\0\x03\0\0\0\x0242\xff\xff\xff\xff\0\0\0\0"));
    let Ok(Some(ServerEvent::DataRow(row))) = connection.poll() else { panic!("no row") };
    assert_eq!(row.values().collect::<Vec<_>>(), [Some(&b"42"[..]), None, Some(&b""[..])]);
}

#[test]
fn memory_is_given_back_only_by_those_who_have_nothing_in_it() {
    let (mut one, mut other, mut memory) = (start(), start(), BufferMemory::default());
    let greeting = greeting();
    let (begun, rest) = greeting.split_at(3);
    one.receive_bytes(begun);
    assert!(matches!(one.poll(), Ok(None)));
    one.give_back(&mut memory);
    other.borrow(&mut memory);
    other.receive_buffer().fill(0xee);
    one.receive_bytes(rest);
    let mut events = 0;
    while one.poll().expect("an intact greeting").is_some() {
        events += 1;
    }
    assert_eq!(events, 3);

    // What is to be sent keeps its memory, too.
    let startup = one.outgoing_bytes().to_vec();
    one.give_back(&mut memory);
    other.borrow(&mut memory);
    assert_eq!(one.outgoing_bytes(), startup);
    // A session that has nothing buffered goes on without memory of its own.
    one.mark_sent(startup.len());
    one.give_back(&mut memory);
    one.receive_bytes(&message(b'Z', b"I"));
    assert!(matches!(one.poll(), Ok(Some(ServerEvent::ReadyForQuery(_)))));
}
