//! Numbers only: samples in, estimates out.
