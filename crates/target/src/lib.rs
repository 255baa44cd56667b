//! How a PostgreSQL is reached, provisioned and set.
