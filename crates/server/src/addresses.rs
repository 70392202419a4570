//! What each address has in use.

use crate::limits::{Bucket, Limits};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// Who counts as one: an IPv4 address, or an IPv6 /64 network, which one household has to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Address(u64);

impl From<IpAddr> for Address {
    fn from(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            // The top bit is the same in all networks that are assigned, so it may tell the two kinds apart.
            IpAddr::V4(ip) => Self(u64::from(ip.to_bits())),
            IpAddr::V6(ip) => Self((ip.to_bits() >> 64) as u64 | 1 << 63),
        }
    }
}

impl Address {
    /// A number to count by.
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

struct Usage {
    connections: u32,
    rooms: u32,
    api: Bucket,
    page: Bucket,
}

/// The kinds of requests, each with a rate of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// The lobby and the relay.
    Api,
    /// The files of the page, and everything else.
    Page,
}

/// All addresses that have something in use.
pub(crate) struct Addresses {
    limits: Arc<Limits>,
    usage: Mutex<HashMap<Address, Usage>>,
}

/// Something that an address has in use, until this is dropped.
pub(crate) struct Held {
    addresses: Arc<Addresses>,
    address: Address,
    what: What,
}

/// What can be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A connection.
    Connection,
    /// A relay room that it opened.
    Room,
}

impl Addresses {
    pub(crate) fn new(limits: Arc<Limits>) -> Arc<Self> {
        Arc::new(Self { limits, usage: Mutex::default() })
    }

    /// Takes one more of something, unless the address has enough.
    pub(crate) fn hold(self: &Arc<Self>, address: Address, what: What) -> Option<Held> {
        let mut all = self.lock();
        let usage = all.entry(address).or_insert_with(|| self.fresh());
        let (count, limit) = usage.of(what, &self.limits);
        if *count >= limit {
            return None;
        }
        *count += 1;
        Some(Held { addresses: Arc::clone(self), address, what })
    }

    /// Counts a request; false if the address has used up its rate.
    pub(crate) fn request(&self, address: Address, traffic: Traffic) -> bool {
        let mut all = self.lock();
        let usage = all.entry(address).or_insert_with(|| self.fresh());
        let bucket = match traffic {
            Traffic::Api => &mut usage.api,
            Traffic::Page => &mut usage.page,
        };
        bucket.take(1, Instant::now())
    }

    /// Forgets addresses that have nothing in use.
    pub(crate) fn sweep(&self) {
        let now = Instant::now();
        let is_used = |usage: &mut Usage| {
            usage.connections > 0 || usage.rooms > 0 || !usage.api.is_full(now) || !usage.page.is_full(now)
        };
        self.lock().retain(|_, usage| is_used(usage));
    }

    fn fresh(&self) -> Usage {
        let now = Instant::now();
        Usage {
            connections: 0,
            rooms: 0,
            api: Bucket::full(self.limits.request_rate, now),
            page: Bucket::full(self.limits.page_rate, now),
        }
    }

    /// A panic elsewhere leaves numbers, not half a thought.
    fn lock(&self) -> MutexGuard<'_, HashMap<Address, Usage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Usage {
    fn of(&mut self, what: What, limits: &Limits) -> (&mut u32, u32) {
        match what {
            What::Connection => (&mut self.connections, limits.connections_per_address),
            What::Room => (&mut self.rooms, limits.rooms_per_address),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(usage) = self.addresses.lock().get_mut(&self.address) {
            let (count, _) = usage.of(self.what, &self.addresses.limits);
            *count = count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_count_as_one() {
        let address = |text: &str| Address::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("10.0.0.1"), address("::ffff:10.0.0.1"));
        assert_ne!(address("10.0.0.1"), address("10.0.0.2"));
        assert_ne!(address("::1"), address("0.0.0.1"));
    }

    #[test]
    fn what_is_dropped_is_free_again_and_forgotten() {
        let limits = Limits { rooms_per_address: 2, ..Limits::default() };
        let addresses = Addresses::new(Arc::new(limits));
        let here = Address(1);
        let first = addresses.hold(here, What::Room);
        let second = addresses.hold(here, What::Room);
        assert!(first.is_some() && second.is_some() && addresses.hold(here, What::Room).is_none());
        drop(first);
        assert!(addresses.hold(here, What::Room).is_some());
        addresses.sweep();
        assert_eq!(addresses.lock().len(), 1);
        drop(second);
        addresses.sweep();
        assert_eq!(addresses.lock().len(), 0);
    }
}
