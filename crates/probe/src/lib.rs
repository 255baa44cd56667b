//! Telemetry readers: /proc, disks, network, PostgreSQL statistics views.
