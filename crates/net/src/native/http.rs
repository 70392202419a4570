//! HTTP requests to a server, one connection each.

use super::dial::{DialError, Dialer};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::{CONNECTION, HOST, HeaderValue};
use hyper_util::rt::TokioIo;
use std::future::Future;
use std::time::Duration;
use tokio_tungstenite::tungstenite::http::{Request, Response, Uri};

impl Dialer {
    /// Sends a request and reads the response. The URI of the request is the whole address. Each step (connecting, the
    /// head of the response, each part of its body) may take `patience`. A body that is longer than `limit` is cut off
    /// after the part that exceeds it.
    ///
    /// # Errors
    /// The address cannot be used, or the server cannot be reached, is not trusted, or does not speak HTTP.
    pub fn fetch(
        &self,
        request: Request<Vec<u8>>,
        patience: Duration,
        limit: usize,
    ) -> Result<Response<Vec<u8>>, DialError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.exchange(request, patience, limit))
    }

    async fn exchange(
        &self,
        mut request: Request<Vec<u8>>,
        patience: Duration,
        limit: usize,
    ) -> Result<Response<Vec<u8>>, DialError> {
        let uri = request.uri().clone();
        let broken = |error: hyper::Error| DialError::Answer(format!("the answer is not HTTP: {error}"));
        let stream = in_time(patience, self.dial(&uri)).await??;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        // It ends with the runtime.
        tokio::spawn(connection);
        let host = uri.authority().map_or("", |authority| authority.as_str());
        let host = HeaderValue::from_str(host).map_err(|_| DialError::Address(uri.to_string()))?;
        request.headers_mut().insert(HOST, host);
        request.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        let path = uri.path_and_query().map_or(Uri::default(), |path| path.clone().into());
        *request.uri_mut() = path;
        let request = request.map(|body| Full::new(Bytes::from(body)));
        let (head, mut body) =
            in_time(patience, sender.send_request(request)).await?.map_err(broken)?.into_parts();
        let mut bytes = Vec::new();
        while bytes.len() <= limit
            && let Some(frame) = in_time(patience, body.frame()).await?
        {
            if let Ok(data) = frame.map_err(broken)?.into_data() {
                bytes.extend_from_slice(&data);
            }
        }
        Ok(Response::from_parts(head, bytes))
    }
}

async fn in_time<T>(patience: Duration, step: impl Future<Output = T>) -> Result<T, DialError> {
    tokio::time::timeout(patience, step).await.map_err(|_| DialError::Timeout)
}
