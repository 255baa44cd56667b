//! The run directory: plain versioned data, append and read.
