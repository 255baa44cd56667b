//! Who is answered, and who is not.

use std::net::{IpAddr, Ipv4Addr};

use serve::ServeError;

use crate::place::Place;

#[test]
fn whoever_has_the_whole_address_is_answered_and_nobody_else() {
    let place = Place::new();
    let address = place.serve().address;
    let server = place.serve();
    let own = server.address.clone();
    assert_ne!(own.port(), address.port(), "each has a port of its own");
    own.get("").has_status(200);
    own.get("report.json").has_status(200);
    let host = [("Host", own.authority.as_str())];
    let token = own.path.split('/').nth(1).expect("a token");
    let wrong = own.path.replace(token, &token.chars().rev().collect::<String>());
    for path in [wrong.as_str(), "/", "/runs/", &own.path.replace(token, "")] {
        let refused = own.ask("GET", path, &host);
        assert!(refused.has_status(403).body.contains("token"), "{path}: {refused:?}");
        assert!(!refused.body.contains("Served"), "{refused:?}");
    }
}

#[test]
fn a_name_that_somebody_points_at_this_machine_is_not_answered() {
    let server = Place::new().serve();
    let own = &server.address;
    for host in ["evil.example", &format!("evil.example:{}", own.port()), "10.0.0.5", ""] {
        own.ask("GET", &own.path, &[("Host", host)]).has_status(403);
    }
    for host in ["localhost", "[::1]:80", &own.authority] {
        let answer = own.ask("GET", &own.path, &[("Host", host), ("Origin", "https://evil.example")]);
        assert!(!answer.head.contains("access-control"), "no CORS: {answer:?}");
    }
}

#[test]
fn every_answer_tells_the_browser_to_keep_nothing_and_to_guess_nothing() {
    let place = Place::new();
    let server = place.serve();
    let own = &server.address;
    let host = [("Host", own.authority.as_str())];
    for answer in [own.get(""), own.get("report.json"), own.get("nothing"), own.ask("GET", "/", &host)] {
        for header in ["cache-control: no-store", "x-content-type-options: nosniff", "frame-ancestors 'none'"] {
            assert!(answer.head.contains(header), "{header}: {answer:?}");
        }
    }
    own.ask("POST", &own.path, &host).has_status(405);
    own.ask("OPTIONS", &own.path, &host).has_status(405);
}

#[test]
fn a_port_that_another_program_has_is_told_with_what_to_do() {
    let other = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = other.local_addr().expect("an address").port();
    let refused = serve::listen_on_address(IpAddr::V4(Ipv4Addr::LOCALHOST), port).expect_err("it is taken");
    assert!(matches!(refused, ServeError::InUse(_)) && refused.hint().contains("--port"), "{refused:?}");
    assert_eq!(refused.to_string(), format!("could not listen on 127.0.0.1:{port}: the port is in use"));
}
