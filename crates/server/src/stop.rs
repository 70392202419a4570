//! The order to stop, as everybody in the server hears it.

use tokio::sync::watch;

/// Gives the order.
pub(crate) struct Order(watch::Sender<bool>);

/// Hears the order.
#[derive(Clone)]
pub(crate) struct Stop(watch::Receiver<bool>);

/// One that gives the order, and one of many that hear it.
pub(crate) fn new() -> (Order, Stop) {
    let (sender, receiver) = watch::channel(false);
    (Order(sender), Stop(receiver))
}

impl Order {
    /// Everybody is to stop.
    pub(crate) fn give(&self) {
        self.0.send_replace(true);
    }
}

impl Stop {
    /// Whether the order was given.
    pub(crate) fn is_given(&self) -> bool {
        *self.0.borrow()
    }

    /// Returns when the order is given, or when nobody is left to give it.
    pub(crate) async fn given(&mut self) {
        self.0.wait_for(|given| *given).await.ok();
    }
}
