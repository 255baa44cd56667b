//! Who is answered: whoever names the token, at an address of this machine. And what every answer tells the browser.
//!
//! A page of somebody else's cannot read the answers: there is no CORS. It could by a name of its own that it has point
//! at this machine (DNS rebinding), so only addresses and `localhost` are answered to, and of those, where the server
//! listens on the loopback, only such.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::attendance::Attendance;
use crate::routes::METRICS;
use crate::token::AccessToken;

/// What stands in every answer.
const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'none'")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
];

/// The rule of who is answered.
#[derive(Debug)]
pub(crate) struct AccessRule {
    listens_on_loopback: bool,
    token: AccessToken,
}

impl AccessRule {
    pub(crate) fn new(listen: IpAddr, token: AccessToken) -> Arc<Self> {
        Arc::new(Self { listens_on_loopback: listen.is_loopback(), token })
    }

    /// Why a request is refused, if it is.
    fn refusal_of(&self, request: &Request) -> Option<&'static str> {
        let text = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        self.refusal_reason(text(header::HOST), request.uri().path(), text(header::AUTHORIZATION))
    }

    fn refusal_reason(&self, host: Option<&str>, path: &str, authorization: Option<&str>) -> Option<&'static str> {
        if !host.is_some_and(|host| is_own(host, self.listens_on_loopback)) {
            return Some("pgdyno serve accepts only an IP address or localhost as the host of a request\n");
        }
        if path == METRICS {
            let named = authorization.and_then(|text| text.strip_prefix("Bearer ")).unwrap_or_default();
            return (!self.token.matches_text(named))
                .then_some("missing or wrong token: send `Authorization: Bearer TOKEN`\n");
        }
        let named = path.split('/').nth(1).unwrap_or_default();
        (!self.token.matches_text(named))
            .then_some("missing or wrong token: open the full address that `pgdyno serve` printed\n")
    }
}

/// Answers a request, or refuses it; either way with the headers of every answer. Who is refused does not count as
/// somebody who looks; nor does who scrapes, which goes on whether or not anybody does.
pub(crate) async fn guard_request(
    State((access, attendance)): State<(Arc<AccessRule>, Attendance)>,
    request: Request,
    next: Next,
) -> Response {
    let is_scrape = request.uri().path() == METRICS;
    let mut response = match access.refusal_of(&request) {
        Some(why) => (StatusCode::FORBIDDEN, why).into_response(),
        None => {
            if !is_scrape {
                attendance.record_look();
            }
            next.run(request).await
        }
    };
    response.headers_mut().extend(HEADERS);
    response
}

/// Whether a `Host` is an address of this machine and no name that somebody else could point at it. Any port is right:
/// it may have been forwarded.
fn is_own(host: &str, on_loopback: bool) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(address, _port)| address),
        None => host.split_once(':').map_or(host, |(name, _port)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| !on_loopback || address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_an_address_of_this_machine_and_no_name() {
        for own in ["127.0.0.1:8080", "127.0.0.1", "localhost:1", "LOCALHOST", "[::1]:8080", "[::1]"] {
            assert!(is_own(own, true), "{own}");
        }
        for foreign in ["", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "10.0.0.5:8080"] {
            assert!(!is_own(foreign, true), "{foreign}");
        }
        assert!(is_own("10.0.0.5:8080", false) && is_own("[fe80::1]:80", false) && !is_own("evil.example", false));
    }

    #[test]
    fn a_request_is_refused_without_its_host_or_its_token() {
        let access = AccessRule { listens_on_loopback: true, token: AccessToken::generate_random().unwrap() };
        let path = format!("/{}/runs/x/", access.token.reveal_text());
        let refusal = |host, path: &str| access.refusal_reason(host, path, None);
        assert_eq!(refusal(Some("localhost:1"), &path), None);
        assert!(refusal(None, &path).unwrap().contains("localhost"));
        assert!(refusal(Some("evil.example"), &path).unwrap().contains("localhost"));
        for wrong in ["/", "", "/runs/x/", "/00112233445566778899aabbccddeeff/runs/x/"] {
            assert!(refusal(Some("localhost"), wrong).unwrap().contains("token"), "{wrong}");
        }
    }

    #[test]
    fn a_scrape_sends_the_token_along() {
        let access = AccessRule { listens_on_loopback: true, token: AccessToken::generate_random().unwrap() };
        let right = format!("Bearer {}", access.token.reveal_text());
        assert_eq!(access.refusal_reason(Some("localhost"), METRICS, Some(&right)), None);
        assert!(access.refusal_reason(Some("evil.example"), METRICS, Some(&right)).unwrap().contains("localhost"));
        for wrong in
            [None, Some(""), Some("Bearer "), Some(access.token.reveal_text()), Some("Bearer 00112233445566778899")]
        {
            assert!(access.refusal_reason(Some("localhost"), METRICS, wrong).unwrap().contains("Bearer"), "{wrong:?}");
        }
    }
}
