//! Resource use per client address.

use crate::limits::{Limits, TokenBucket};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::time::Instant;

/// The unit that limits count by: an IPv4 address, or an IPv6 /64 network, which usually belongs to one household.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Address(u64);

impl From<IpAddr> for Address {
    /// Returns the unit of an address: the whole IPv4 address, also if it is mapped to IPv6, or the first 64
    /// bits of an IPv6 address.
    fn from(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            // The top bit is the same in all assigned networks, so it can distinguish the two kinds.
            IpAddr::V4(ip) => Self(u64::from(ip.to_bits())),
            IpAddr::V6(ip) => Self((ip.to_bits() >> 64) as u64 | 1 << 63),
        }
    }
}

impl Address {
    /// Returns the address as a number, for stores. Equal addresses give equal numbers.
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

struct Usage {
    connections: u32,
    rooms: u32,
    api: TokenBucket,
    page: TokenBucket,
    mail: TokenBucket,
    publish: TokenBucket,
}

/// The kinds of requests. Each has its own rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// Requests to the list of open tables and to the relay, and those to an extension that only read.
    Api,
    /// Requests to an extension that change something: they cost much.
    Publish,
    /// Requests for files of the page, and all others.
    Page,
}

/// The resource use of all addresses.
pub(crate) struct Addresses {
    limits: Arc<Limits>,
    usage: Mutex<HashMap<Address, Usage>>,
}

/// A resource that counts against an address until this is dropped.
pub(crate) struct Reservation {
    addresses: Arc<Addresses>,
    address: Address,
    resource: Resource,
}

/// A resource with a limit per address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource {
    /// A connection.
    Connection,
    /// A relay room that the address has opened.
    Room,
}

impl Addresses {
    /// Creates an empty register of addresses that enforces these limits.
    pub(crate) fn new(limits: Arc<Limits>) -> Arc<Self> {
        Arc::new(Self { limits, usage: Mutex::default() })
    }

    /// Counts one more resource against the address until the reservation is dropped. Returns `None`, and counts
    /// nothing, if the address has as many as its limit allows. A new address begins with full rate budgets.
    pub(crate) fn reserve(self: &Arc<Self>, address: Address, resource: Resource) -> Option<Reservation> {
        let mut all = self.lock();
        let usage = all.entry(address).or_insert_with(|| self.new_usage());
        let (count, limit) = usage.count_and_limit(resource, &self.limits);
        if *count >= limit {
            return None;
        }
        *count += 1;
        Some(Reservation { addresses: Arc::clone(self), address, resource })
    }

    /// Counts a request against the rate of the address for this kind of traffic. Returns `false`, and counts
    /// nothing, if the rate is used up: the request must be rejected.
    pub(crate) fn admit_request(&self, address: Address, traffic: Traffic) -> bool {
        let mut all = self.lock();
        let usage = all.entry(address).or_insert_with(|| self.new_usage());
        let bucket = match traffic {
            Traffic::Api => &mut usage.api,
            Traffic::Publish => &mut usage.publish,
            Traffic::Page => &mut usage.page,
        };
        bucket.take(1, Instant::now())
    }

    /// Counts bytes that a member wants to store in a mailbox against the rate of its address. Returns `false`, and
    /// counts nothing, if the rate is used up: the packet must be refused. While anything is left, a packet of any
    /// length is admitted, and the rate is then exceeded by the rest.
    pub(crate) fn admit_mail(&self, address: Address, bytes: u64) -> bool {
        let mut all = self.lock();
        let usage = all.entry(address).or_insert_with(|| self.new_usage());
        usage.mail.take(bytes, Instant::now())
    }

    /// Gives bytes that [`Addresses::admit_mail`] has counted back to the rate of the address, up to its
    /// burst: they were not stored, and the fault is that of the server. Does nothing if the address is
    /// forgotten already, as its budget is full then.
    pub(crate) fn give_back_mail(&self, address: Address, bytes: u64) {
        if let Some(usage) = self.lock().get_mut(&address) {
            usage.mail.give_back(bytes);
        }
    }

    /// Forgets the addresses that hold no reservation and have full rate budgets, so that memory does not
    /// grow. It changes no limit.
    pub(crate) fn sweep(&self) {
        let now = Instant::now();
        let is_used = |usage: &mut Usage| {
            let buckets = [&mut usage.api, &mut usage.page, &mut usage.mail, &mut usage.publish];
            usage.connections > 0 || usage.rooms > 0 || !buckets.into_iter().all(|bucket| bucket.is_full(now))
        };
        self.lock().retain(|_, usage| is_used(usage));
    }

    /// Returns the usage of an address that is new now: nothing in use, and full budgets of all its rates.
    fn new_usage(&self) -> Usage {
        let now = Instant::now();
        Usage {
            connections: 0,
            rooms: 0,
            api: TokenBucket::full(self.limits.request_rate, now),
            page: TokenBucket::full(self.limits.page_rate, now),
            mail: TokenBucket::full(self.limits.mail_rate, now),
            publish: TokenBucket::full(self.limits.publish_rate, now),
        }
    }

    /// Locks the table of usage until the guard is dropped. A panic while it was locked leaves valid counts,
    /// so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, HashMap<Address, Usage>> {
        self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Usage {
    /// Returns the count of a resource of this address, to be changed by the caller, and the limit that
    /// `limits` set for it.
    fn count_and_limit(&mut self, resource: Resource, limits: &Limits) -> (&mut u32, u32) {
        match resource {
            Resource::Connection => (&mut self.connections, limits.connections_per_address),
            Resource::Room => (&mut self.rooms, limits.rooms_per_address),
        }
    }
}

impl Drop for Reservation {
    /// Counts one resource less against the address.
    fn drop(&mut self) {
        if let Some(usage) = self.addresses.lock().get_mut(&self.address) {
            let (count, _) = usage.count_and_limit(self.resource, &self.addresses.limits);
            *count = count.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv6_networks_count_as_one_address() {
        let address = |text: &str| Address::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("10.0.0.1"), address("::ffff:10.0.0.1"));
        assert_ne!(address("10.0.0.1"), address("10.0.0.2"));
        assert_ne!(address("::1"), address("0.0.0.1"));
    }

    #[test]
    fn dropped_reservations_are_released() {
        let limits = Limits { rooms_per_address: 2, ..Limits::default() };
        let addresses = Addresses::new(Arc::new(limits));
        let here = Address(1);
        let first = addresses.reserve(here, Resource::Room);
        let second = addresses.reserve(here, Resource::Room);
        assert!(first.is_some() && second.is_some() && addresses.reserve(here, Resource::Room).is_none());
        drop(first);
        assert!(addresses.reserve(here, Resource::Room).is_some());
        addresses.sweep();
        assert_eq!(addresses.lock().len(), 1);
        drop(second);
        addresses.sweep();
        assert_eq!(addresses.lock().len(), 0);
    }
}
