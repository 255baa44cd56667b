//! The PostgreSQL protocol for the load engine, sans-IO.
