//! What a server says of a statement that it refuses.

/// The server's message; of an error that is not the server's, its text.
pub(crate) fn message_of_error(error: &tokio_postgres::Error) -> String {
    error.as_db_error().map_or_else(|| error.to_string(), |of_server| of_server.message().to_owned())
}
