//! `pentarchy host`: open an online table.

use crate::command_error::{CommandError, Outcome};
use crate::game_arg::{GameArg, Settings};
use crate::number::number;
use crate::online::{self, JOURNAL, Kept, Listing, OpenSeat, Seat, Sitting, Store, random_bytes};
use crate::style::{DIM, TITLE, paint};
use pentarchy_lobby::{SecretBytes, takeover_refusal};
use pentarchy_net::{Dialer, HostTag, Invite, InviteKey, OwnerSecret, StunServer};
use pentarchy_server::{BackgroundServer, ServerConfig};
use pentarchy_table::Recovery;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

/// Open a table for others, and print its link
///
/// Others open the link in a browser or with `pentarchy join`. When all seats are taken the match begins. From then
/// on there is no host: every machine verifies everything, and hidden cards are hidden from this machine too.
///
/// If no server runs at the port, this program serves until the match is over.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy host kuhn                              a link for this machine
  pentarchy host hegemony --seats 3 --listen 0.0.0.0   for everybody in the network
  pentarchy host vires --server https://play.example.org --listed
  pentarchy host kuhn --bot captain                a bot plays for you")]
pub(crate) struct Args {
    /// The game, as `pentarchy games` lists them
    #[arg(hide_possible_values = true)]
    game: GameArg,

    /// Number of seats [default: as the game says]
    #[arg(long, value_name = "N", value_parser = number::<u8>)]
    seats: Option<u8>,

    /// The server to meet at [default: the one of this machine, which is started if needed]
    #[arg(long, value_name = "URL", conflicts_with_all = ["port", "listen"])]
    server: Option<String>,

    /// The port of the server of this machine; 0 takes a free one
    #[arg(long, value_name = "PORT", default_value_t = 7878, value_parser = number::<u16>)]
    port: u16,

    /// The address at which a server of this machine listens; 0.0.0.0 is for the whole network
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,

    /// A STUN server for the pages that a server of this machine serves, like stun:host:3478: see `pentarchy serve`
    #[arg(long, value_name = "SERVER", conflicts_with = "server")]
    stun: Vec<StunServer>,

    /// List the table among the open tables of the server, for anybody to join
    #[arg(long)]
    listed: bool,

    /// What happens when a seat is gone for good: `end`: the others sign the end. `escrow`: they go on with a bot in
    /// the seat; for that all other machines together can open its cards. `escrow:T`: T of them can. Needs three
    /// machines [default: end]
    #[arg(long, value_name = "HOW")]
    recovery: Option<String>,

    #[command(flatten)]
    settings: Settings,

    #[command(flatten)]
    sitting: Sitting,
}

/// Runs `pentarchy host`: creates an invitation, prints its link, opens the table and plays at it until the match is
/// over or the player leaves. Starts a server in the background if none is named and none runs at the port. The seat is
/// stored, so that `pentarchy join` resumes it. Prints a notice and goes on if `--recovery` asks for a takeover that
/// these seats do not allow. A server that this command started ends with it.
///
/// # Errors
///
/// Fails if an argument is invalid, the server cannot be reached or started, the identity or the table cannot be
/// stored, the match cannot go on, or the input ends before the match is over.
pub(crate) fn run(args: &Args) -> Outcome {
    let info = args.game.info();
    let seats = args.seats.unwrap_or(info.default_seats);
    if seats < info.min_seats || seats > info.max_seats {
        let range = crate::games::seats(&info);
        return Err(CommandError::usage(format_args!("{} is for {range}, not {seats}", info.title)));
    }
    if let Some(word) = args.recovery.as_deref().filter(|word| Recovery::named(word, seats).is_none()) {
        return Err(CommandError::usage(format_args!(
            "`--recovery {word}` is not possible with {seats} machines"
        ))
        .hint("use `end`, `escrow`, or `escrow:T` for T machines out of the others"));
    }
    let wants = args.recovery.as_deref().is_some_and(|word| word != "end");
    if let Some(why) = takeover_refusal(seats).filter(|_| wants) {
        anstream::println!("{}", paint(DIM, format_args!("{why} The game ends if a player leaves.")));
    }
    let options = args.settings.resolve(args.game.0, seats)?;
    let name = args.sitting.name()?;
    let dialer = args.sitting.ca.dialer()?;
    let (server, own) = find_or_start_server(args, &dialer)?;
    let identity = args.sitting.identity()?;
    let owner = OwnerSecret::new(random_bytes()?);
    let invite = Invite {
        server,
        key: InviteKey(random_bytes()?),
        owner: owner.tag(),
        host: HostTag::of(&identity.public()),
    };
    let proof = owner.proof(&invite.key);
    let kept = Kept {
        link: invite.to_string(),
        name: name.clone(),
        identity: SecretBytes::new(*identity.secret_bytes()),
        seed: SecretBytes::new(random_bytes()?),
        hosted: Some((info.name.to_owned(), seats, options)),
        recovery: args.recovery.clone(),
        owner: Some(proof.to_text()),
        serves: own.as_ref().map(BackgroundServer::address),
        journal: JOURNAL,
    };
    let folder = args.sitting.folder();
    let OpenSeat { store, kept, journal: persisted } =
        Store::open(&folder, &invite.table().to_string(), &name, || Ok(kept))?;
    anstream::println!("{}", paint(TITLE, &invite));
    let how = "Others open this link in a browser, or with `pentarchy join LINK`.";
    anstream::println!("{}", paint(DIM, how));
    let listing = args.listed.then(|| Listing::new(&dialer, &invite, &proof));
    let result = Seat::open_table(&dialer, &invite, &kept, persisted, store, &args.sitting, listing)?.play();
    drop(own);
    result
}

/// Returns the address of the server at which the players meet: the one of `--server`, else one that runs at the port
/// of this machine. If there is none, starts one at the address of `--listen` in the background and returns it too; it
/// stops when it is dropped. Port 0 always starts one. `dialer` connects to servers and decides which certificates are
/// trusted. A trailing `/` of `--server` is cut off. If the started server listens at all addresses, the returned one
/// is this machine's in its network ([`local_address`]), else the loopback address.
///
/// # Errors
///
/// Fails if the named server cannot be reached or is not Pentarchy's, if there are too many STUN servers, or if the
/// server cannot be started.
fn find_or_start_server(args: &Args, dialer: &Dialer) -> Outcome<(String, Option<BackgroundServer>)> {
    if let Some(server) = &args.server {
        let server = server.trim_end_matches('/').to_owned();
        return match online::is_server(dialer, &server) {
            Ok(true) => Ok((server, None)),
            Ok(false) => Err(CommandError::usage(format_args!("no server of Pentarchy answers at {server}"))),
            Err(error) => Err(CommandError::usage(format_args!("cannot reach {server}: {error}"))),
        };
    }
    let here = pentarchy_serve::url(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), args.port));
    if args.port != 0 && online::is_server(dialer, &here).unwrap_or(false) {
        return Ok((here, None));
    }
    let stun = pentarchy_serve::check_stun(&args.stun)?;
    let config = ServerConfig { host: args.listen, port: args.port, stun, ..ServerConfig::default() };
    let server = BackgroundServer::start(config).map_err(|failed| pentarchy_serve::startup_error(&failed))?;
    let address = server.address();
    let shown = if address.ip().is_unspecified() {
        SocketAddr::new(local_address().unwrap_or(Ipv4Addr::LOCALHOST.into()), address.port())
    } else {
        address
    };
    Ok((pentarchy_serve::url(shown), Some(server)))
}

/// Returns the IPv4 address by which this machine reaches other networks, by the routes of the system; `None` if there
/// is no route or no socket. Sends nothing.
fn local_address() -> Option<IpAddr> {
    // Nothing is sent: connecting a UDP socket only selects a local address.
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    socket.local_addr().ok().map(|address| address.ip())
}
