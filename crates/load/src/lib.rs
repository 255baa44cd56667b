//! The load engine: event loop, workloads, recorder, data set-up.
