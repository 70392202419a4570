//! `pentarchy join`: join an online table.

use crate::command_error::{CommandError, Outcome};
use crate::online::{self, JOURNAL, Kept, OpenSeat, Seat, Sitting, Store, random_bytes};
use pentarchy_lobby::SecretBytes;
use pentarchy_net::{DialError, HostTag, Invite};
use pentarchy_server::{BackgroundServer, ServerConfig};

/// Join a table by its link, and play in the terminal or let a bot play
///
/// The same link and name resume a match that was left or crashed. This also works for the host.
#[derive(clap::Args)]
#[command(after_long_help = "\
Examples:
  pentarchy join 'http://localhost:7878/t/…#…' --name Ada
  pentarchy join 'http://localhost:7878/t/…#…' --bot captain
  pentarchy join 'http://localhost:7878/t/…#…' --accept   without a question, for scripts

Before the match you see the terms of the table and accept them with `yes`. You are asked again when the host changes them.
Put the link between quotes: it holds a `#`.")]
pub(crate) struct Args {
    /// The link that the host sent
    link: String,

    /// Accept the terms of the table, and changes of them, without a question. A `--bot` always does
    #[arg(long)]
    accept: bool,

    #[command(flatten)]
    sitting: Sitting,
}

/// Runs `pentarchy join`: joins an online table as a new guest, or resumes the seat that is stored for the table of
/// this link and this name, and plays at it until the match is over or the player leaves. A host that comes back
/// restarts the server that it had started, unless one runs. The identity is read, or created, only for a new guest. A
/// server that was started here ends with the command. A server that cannot be reached is no error: the seat tries
/// again while it plays.
///
/// # Errors
///
/// Fails if the link or another argument is invalid, the identity of a new guest is the host's, the certificate of the
/// server is not trusted, the table cannot be stored, the server cannot be restarted, the match cannot go on, or the
/// input ends before the match is over.
pub(crate) fn run(args: &Args) -> Outcome {
    let invite: Invite = args
        .link
        .parse()
        .map_err(|bad| CommandError::usage(bad).hint("put the whole link between quotes: it holds a `#`"))?;
    let name = args.sitting.name()?;
    let folder = args.sitting.folder();
    let OpenSeat { store, kept, journal: persisted } = Store::open(
        &folder,
        &invite.table().to_string(),
        &name,
        || {
            let identity = args.sitting.identity()?;
            if HostTag::of(&identity.public()) == invite.host {
                return Err(CommandError::usage("your identity hosts this table").hint(
                "give the --name under which you host it to go on, or --identity FILE to sit down as another player",
            ));
            }
            Ok(Kept {
                link: invite.to_string(),
                name: name.clone(),
                identity: SecretBytes::new(*identity.secret_bytes()),
                seed: SecretBytes::new(random_bytes()?),
                hosted: None,
                recovery: None,
                owner: None,
                serves: None,
                journal: JOURNAL,
            })
        },
    )?;
    let dialer = args.sitting.ca.dialer()?;
    let asked = online::is_server(&dialer, &invite.server);
    // A retry helps against every error but this one.
    if let Err(error @ DialError::Certificate { .. }) = asked {
        return Err(CommandError::usage(format_args!("cannot join: {error}")));
    }
    // A host that comes back restarts its server, if it had one.
    let own = match kept.serves.filter(|_| !asked.unwrap_or(false)) {
        Some(at) => {
            let config = ServerConfig { host: at.ip(), port: at.port(), ..ServerConfig::default() };
            Some(BackgroundServer::start(config).map_err(|failed| pentarchy_serve::startup_error(&failed))?)
        }
        None => None,
    };
    let seat = Seat::open_table(&dialer, &invite, &kept, persisted, store, &args.sitting, None)?;
    let result = seat.accepting_terms(args.accept).play();
    drop(own);
    result
}
