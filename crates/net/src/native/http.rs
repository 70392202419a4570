//! HTTP requests to a server, one connection each.

use super::dial::{DialError, Dialer};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderValue};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::http::{Request, Response, Uri};

impl Dialer {
    /// Sends a request over a new connection, blocks until the response is complete and returns it, whatever
    /// its status; redirects are not followed. The URI of the request is the whole address; its `Host` and
    /// `Connection` headers are replaced. `timeout` limits each step: connecting, the head of the response,
    /// each part of its body. A body that is longer than `limit` bytes is truncated after the part that
    /// exceeds it, so the result is then longer than `limit`. Do not call it from async code: it panics
    /// there.
    ///
    /// # Errors
    ///
    /// Fails with `Address` for an invalid address, `Timeout` if a step takes too long, `Answer` if the
    /// exchange breaks off or the response is not HTTP, and otherwise with the error of connecting:
    /// `NotPublic`, `Io`, `Setup`, `Certificate` or `Tls`.
    pub fn fetch(
        &self,
        request: Request<Vec<u8>>,
        timeout: Duration,
        limit: usize,
    ) -> Result<Response<Vec<u8>>, DialError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.exchange(request, timeout, limit))
    }

    /// Sends a request over a new connection and returns the response, whatever its status; redirects are not
    /// followed. The URI of the request is the whole address; its `Host` and `Connection` headers are
    /// replaced. `timeout` limits each step: connecting, the head of the response, each part of its body. A
    /// body that is longer than `limit` bytes is truncated after the part that exceeds it, so the result is
    /// then longer than `limit`. The connection is closed when this returns or is dropped. Must run in a
    /// tokio runtime.
    ///
    /// # Errors
    ///
    /// Fails with `Address` for an invalid address, `Timeout` if a step takes too long, `Answer` if the
    /// exchange breaks off or the response is not HTTP, and otherwise with the error of connecting:
    /// `NotPublic`, `Io`, `Setup`, `Certificate` or `Tls`.
    pub async fn exchange(
        &self,
        mut request: Request<Vec<u8>>,
        timeout: Duration,
        limit: usize,
    ) -> Result<Response<Vec<u8>>, DialError> {
        let uri = request.uri().clone();
        let broken = |error: hyper::Error| DialError::Answer(format!("the response is not HTTP: {error}"));
        let stream = with_timeout(timeout, self.dial(&uri)).await??;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        // Dropping the set ends the task.
        let mut tasks = JoinSet::new();
        tasks.spawn(connection);
        let host = uri.authority().map_or("", |authority| authority.as_str());
        let host = HeaderValue::from_str(host).map_err(|_| DialError::Address(uri.to_string()))?;
        request.headers_mut().insert(HOST, host);
        request.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        let path = uri.path_and_query().map_or(Uri::default(), |path| path.clone().into());
        *request.uri_mut() = path;
        let request = request.map(|body| Full::new(Bytes::from(body)));
        let (head, mut body) =
            with_timeout(timeout, sender.send_request(request)).await?.map_err(broken)?.into_parts();
        let mut bytes = Vec::new();
        while bytes.len() <= limit
            && let Some(frame) = with_timeout(timeout, body.frame()).await?
        {
            if let Ok(data) = frame.map_err(broken)?.into_data() {
                bytes.extend_from_slice(&data);
            }
        }
        Ok(Response::from_parts(head, bytes))
    }
}

/// Waits for a step at most this long and returns its result.
///
/// # Errors
///
/// Fails with [`DialError::Timeout`] if it takes longer; the step is dropped.
async fn with_timeout<T>(timeout: Duration, step: impl Future<Output = T>) -> Result<T, DialError> {
    tokio::time::timeout(timeout, step).await.map_err(|_| DialError::Timeout)
}
