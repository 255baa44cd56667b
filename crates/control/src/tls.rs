//! rustls for tokio-postgres, with the hash of the server's certificate for channel binding.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client;
use tokio_rustls::rustls::pki_types::ServerName;
use wire::tls::{TlsSettings, end_point};

use crate::in_use::Agreed;

/// Encrypts connections; without settings it refuses to.
#[derive(Debug, Clone)]
pub struct Connector {
    settings: Option<TlsSettings>,
    host: ServerName<'static>,
    pub(crate) agreed: Agreed,
}

/// An encrypted stream.
pub struct EncryptedStream<S>(Box<client::TlsStream<S>>);

impl Connector {
    pub(crate) fn new(settings: Option<TlsSettings>) -> Connector {
        Connector { settings, host: TlsSettings::server_name(""), agreed: Agreed::default() }
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for Connector {
    type Stream = EncryptedStream<S>;
    type TlsConnect = Connector;
    type Error = io::Error;

    fn make_tls_connect(&mut self, host: &str) -> Result<Connector, io::Error> {
        self.agreed.forget_handshake();
        let (settings, agreed) = (self.settings.clone(), self.agreed.clone());
        Ok(Connector { settings, host: TlsSettings::server_name(host), agreed })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Connector {
    type Stream = EncryptedStream<S>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<EncryptedStream<S>, io::Error>> + Send>>;

    fn connect(self, stream: S) -> Self::Future {
        Box::pin(async move {
            let settings = self.settings.ok_or_else(|| io::Error::from(io::ErrorKind::Unsupported))?;
            let connector = TlsConnector::from(settings.client_config());
            let stream = connector.connect(self.host, stream).await?;
            self.agreed.note_handshake(stream.get_ref().1);
            Ok(EncryptedStream(Box::new(stream)))
        })
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for EncryptedStream<S> {
    fn channel_binding(&self) -> ChannelBinding {
        let certificate = self.0.get_ref().1.peer_certificates().and_then(|all| all.first());
        certificate
            .and_then(|certificate| end_point(certificate))
            .map_or_else(ChannelBinding::none, ChannelBinding::tls_server_end_point)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for EncryptedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for EncryptedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
