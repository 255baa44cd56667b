//! How the control plane logs in where a connection string says.

use conninfo::{ConnInfo, KeepAlive, ServerHost, SessionAttrs};
use tokio_postgres::config::{ChannelBinding, TargetSessionAttrs};

use crate::Config;

impl From<&ConnInfo> for Config {
    fn from(conninfo: &ConnInfo) -> Config {
        let mut config = tokio_postgres::Config::new();
        let all_addressed =
            conninfo.all_hosts().all(|(host, _)| matches!(host, ServerHost::Tcp { address: Some(_), .. }));
        for (host, port) in conninfo.all_hosts() {
            match host {
                ServerHost::Unix(directory) => config.host_path(directory),
                ServerHost::Tcp { name, address: Some(address) } if all_addressed => {
                    config.host(name).hostaddr(*address)
                }
                ServerHost::Tcp { address: Some(address), .. } => config.host(address.to_string()),
                ServerHost::Tcp { name, address: None } => config.host(name),
            };
            config.port(port);
        }
        config.user(&conninfo.user).dbname(&conninfo.dbname).application_name(&conninfo.application_name);
        if let Some(password) = &conninfo.password {
            config.password(password.expose_secret());
        }
        if let Some(options) = &conninfo.options {
            config.options(options);
        }
        config.connect_timeout(conninfo.timeout_per_host());
        config.target_session_attrs(match conninfo.session {
            SessionAttrs::Any | SessionAttrs::PreferStandby => TargetSessionAttrs::Any,
            SessionAttrs::ReadWrite | SessionAttrs::Primary => TargetSessionAttrs::ReadWrite,
            SessionAttrs::ReadOnly | SessionAttrs::Standby => TargetSessionAttrs::ReadOnly,
        });
        config.channel_binding(match conninfo.channel_binding {
            wire::ChannelBinding::Disable => ChannelBinding::Disable,
            wire::ChannelBinding::Prefer => ChannelBinding::Prefer,
            wire::ChannelBinding::Require => ChannelBinding::Require,
        });
        set_keepalive(&mut config, conninfo.keepalive);
        let config = Config::with_encryption(config, conninfo.encryption.clone());
        if conninfo.session == SessionAttrs::PreferStandby { config.preferring_standby() } else { config }
    }
}

fn set_keepalive(config: &mut tokio_postgres::Config, keepalive: KeepAlive) {
    let KeepAlive { on, idle, interval, count, user_timeout } = keepalive;
    on.map(|on| config.keepalives(on));
    idle.map(|idle| config.keepalives_idle(idle));
    interval.map(|interval| config.keepalives_interval(interval));
    count.map(|count| config.keepalives_retries(count));
    user_timeout.map(|limit| config.tcp_user_timeout(limit));
}

#[cfg(test)]
mod tests {
    use conninfo::Secret;

    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let at = (ServerHost::tcp_from_name("h"), 1);
        let conninfo = ConnInfo { password: Some(Secret::new("hunter2")), ..ConnInfo::new(at, "u", "d") };
        assert!(!format!("{:?}", Config::from(&conninfo)).contains("hunter2"));
    }
}
