//! JSON-RPC 2.0 in lines, and the two ways in which a client of the Model Context Protocol begins: by a handshake
//! (`initialize`, revisions up to 2025-11-25), or with the revision in each request (`_meta`, from 2026-07-28 on).

use serde_json::{Value, json};

/// The revisions that begin with a handshake, newest first.
const HANDSHAKE_REVISIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The revision whose requests name it themselves.
const CURRENT_REVISION: &str = "2026-07-28";

/// The key of a request's `_meta` that names its revision.
const REVISION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// The key of a result's `_meta` that names this program.
const SERVER_KEY: &str = "io.modelcontextprotocol/serverInfo";

const INSTRUCTIONS: &str = "pgdyno compares PostgreSQL servers, versions and settings. Check and explain a plan before you run it: \
    explain says how long it takes and everything that it touches. A run takes minutes: `run` returns at once, `status` says \
    how far it is. Then read the report of the run as a resource, and its causes by `issues`.";

/// A message, read.
#[derive(Debug)]
pub(super) enum Incoming {
    /// An empty line, a notification or an answer: nothing is to be said.
    Nothing,
    /// What is no message, with the answer to it.
    Invalid(Value),
    /// A request.
    Request(Request),
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    id: Value,
    pub(super) method: String,
    pub(super) params: Value,
    /// Whether it names its revision itself.
    is_current: bool,
}

/// Why a request has no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ProtocolError {
    code: i64,
    message: String,
    data: Option<Value>,
}

impl ProtocolError {
    /// There is no such method.
    pub(super) fn method_not_found(method: &str) -> Self {
        Self { code: -32601, message: format!("method {method:?} does not exist"), data: None }
    }

    /// The parameters of a method are wrong.
    pub(super) fn invalid_params(message: impl Into<String>) -> Self {
        Self { code: -32602, message: message.into(), data: None }
    }

    fn unsupported_revision(requested: &Value) -> Self {
        Self {
            code: -32022,
            message: format!("revision {requested} of the protocol is not supported"),
            data: Some(json!({ "supported": [CURRENT_REVISION], "requested": requested })),
        }
    }

    fn to_answer(&self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// Reads a line.
pub(super) fn read_message(line: &[u8]) -> Incoming {
    if line.trim_ascii().is_empty() {
        return Incoming::Nothing;
    }
    let message: Value = match serde_json::from_slice(line) {
        Ok(message) => message,
        Err(error) => {
            let error = ProtocolError { code: -32700, message: format!("not JSON: {error}"), data: None };
            return Incoming::Invalid(error.to_answer(&Value::Null));
        }
    };
    let id = message.get("id").cloned();
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        // Nothing is ever asked of the client, so that an answer of it is to nothing.
        if message.get("result").is_some() || message.get("error").is_some() {
            return Incoming::Nothing;
        }
        let error = ProtocolError { code: -32600, message: "not a request of JSON-RPC 2.0".to_owned(), data: None };
        return Incoming::Invalid(error.to_answer(&id.unwrap_or_default()));
    };
    let Some(id) = id else { return Incoming::Nothing };
    let params = message.get("params").cloned().unwrap_or_else(|| json!({}));
    let revision = params["_meta"].get(REVISION_KEY).cloned();
    let request = Request { id, method: method.to_owned(), params, is_current: revision.is_some() };
    match revision {
        Some(revision) if revision != CURRENT_REVISION => {
            Incoming::Invalid(ProtocolError::unsupported_revision(&revision).to_answer(&request.id))
        }
        Some(_) | None => Incoming::Request(request),
    }
}

/// The answer with a result, or with why there is none.
pub(super) fn answer_of_request(request: &Request, result: Result<Value, ProtocolError>) -> Value {
    let mut result = match result {
        Ok(result) => result,
        Err(error) => return error.to_answer(&request.id),
    };
    if request.is_current {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({ SERVER_KEY: server_info() });
        if request.method != "tools/call" && request.method != "ping" {
            // Runs and their reports change, and are a person's own.
            result["cacheScope"] = "private".into();
            result["ttlMs"] = 0.into();
        }
    }
    json!({ "jsonrpc": "2.0", "id": request.id, "result": result })
}

/// The result of `initialize`: the revision that the client asks for, or the newest that begins like this.
pub(super) fn handshake_result(request: &Request) -> Result<Value, ProtocolError> {
    if request.is_current {
        return Err(ProtocolError::method_not_found(&request.method));
    }
    let asked = request.params["protocolVersion"].as_str();
    let revision = HANDSHAKE_REVISIONS.iter().find(|known| asked == Some(**known)).unwrap_or(&HANDSHAKE_REVISIONS[0]);
    Ok(json!({
        "protocolVersion": revision, "capabilities": server_capabilities(), "serverInfo": server_info(),
        "instructions": INSTRUCTIONS,
    }))
}

/// The result of `server/discover`.
pub(super) fn discovery_result() -> Value {
    let supported: Vec<&str> = std::iter::once(CURRENT_REVISION).chain(HANDSHAKE_REVISIONS).collect();
    json!({ "supportedVersions": supported, "capabilities": server_capabilities(), "instructions": INSTRUCTIONS })
}

fn server_capabilities() -> Value {
    json!({ "tools": {}, "resources": {} })
}

fn server_info() -> Value {
    json!({ "name": "pgdyno", "title": "pgdyno", "version": env!("CARGO_PKG_VERSION") })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invalid_code(line: &str) -> Value {
        match read_message(line.as_bytes()) {
            Incoming::Invalid(answer) => answer["error"]["code"].clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_no_request_is_answered_with_its_code_or_not_at_all() {
        assert_eq!(invalid_code("{"), -32700);
        assert_eq!(invalid_code("[]"), -32600);
        assert_eq!(invalid_code("{\"id\": 3}"), -32600);
        let future = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": { REVISION_KEY: "2099-01-01" } } });
        assert_eq!(invalid_code(&future.to_string()), -32022);
        for silent in ["", "  ", "{\"method\": \"notifications/initialized\"}", "{\"id\": 1, \"result\": {}}"] {
            assert!(matches!(read_message(silent.as_bytes()), Incoming::Nothing), "{silent}");
        }
    }

    #[test]
    fn the_handshake_takes_the_revision_of_the_client_or_offers_the_newest() {
        for (asked, got) in [("2025-06-18", "2025-06-18"), ("2031-01-01", "2025-11-25")] {
            let line =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": asked } });
            let Incoming::Request(request) = read_message(line.to_string().as_bytes()) else { panic!("a request") };
            assert_eq!(handshake_result(&request).expect("an answer")["protocolVersion"], got);
        }
    }
}
