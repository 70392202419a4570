//! The map and the rules of passage once more, written down naively from the rules' lists, and random
//! positions to try them on. Nothing here uses the map of the crate but the names of places.

use pentarchy_engine::{Describe, Known, Position, Rng, Seat, Token, Zone};
use pentarchy_hestia::face::Shown;
use pentarchy_hestia::map::Place;
use pentarchy_hestia::state::{POOL, land, ships};
use pentarchy_hestia::{Hestia, Options};
use pentarchy_testkit::arrange::{Laid, Layout, Rest, lay_out, with_state};
use serde_json::json;
use std::sync::LazyLock;

const PLAIN: &str = "CRO-COR CRO-OLM COR-WIN COR-SAR WIN-GHO GHO-GRE OLM-SAR OLM-KAD SAR-DON DON-GRE GRE-MAU \
    KAD-VAL VAL-LOW LOW-MAU LOW-OXM MAU-HES VAS-OXM VAS-FIR OXM-HES OXM-AMB HES-GUL FIR-AMB AMB-GUL AMB-FER \
    LAR-THE LAR-BRA THE-EYR EYR-NHA EYR-DRA NHA-HAT BRA-IRO BRA-ZEK IRO-DRA DRA-HAT HAT-EHA ZEK-RED ZEK-HIT \
    RED-PEL RED-NEM PEL-EHA HIT-NEM HIT-ILV NEM-SIL NEM-SAL PEL-SIL SIL-ARK ILV-SAL SAL-ARK FIR-FER ARK-ARH";
const RIVER: &str = "GHO-LAR GRE-BRA MAU-ZEK HES-HIT GUL-ILV DON-LOW KAD-VAS VAL-VAS IRO-RED EHA-SIL";
const BLUE: &str = "S1-S2 S2-S3 S3-S4 S4-S5 S5-S6 S6-S7";
const COAST: &str = "KAD-S1 VAS-S1 FIR-S1 FIR-S2 FER-S2 FER-S3 AMB-S3 GUL-S4 ILV-S4 SAL-S5 ARH-S5 ARH-S6 \
    ARK-S6 ARK-S7 SIL-S7 EHA-S7";
const EXIT: &str = "LRE-KAD LNA-S1 BAT-S3 BAT-S5";
const PORTS: &str = "KAD FIR FER ILV ARK ARH EHA";
pub(crate) const CITIES: &str = "COR GHO DON MAU VAS FIR FER THE ZEK PEL NEM ILV ARK ARH";
const HOMES: [&str; 2] = ["KAD", "NHA DRA HAT EHA"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Border {
    None,
    Plain,
    River,
    Blue,
    Coast,
    Exit,
}

/// The borders between all places, read once from the lists.
static BORDERS: LazyLock<Vec<Vec<Border>>> = LazyLock::new(|| {
    let mut all = vec![vec![Border::None; 48]; 48];
    let lists = [
        (PLAIN, Border::Plain),
        (RIVER, Border::River),
        (BLUE, Border::Blue),
        (COAST, Border::Coast),
        (EXIT, Border::Exit),
    ];
    for (list, border) in lists {
        for pair in list.split_whitespace() {
            let (a, b) = pair.split_once('-').unwrap();
            let (a, b): (Place, Place) = (a.parse().unwrap(), b.parse().unwrap());
            all[a.index()][b.index()] = border;
            if border != Border::Exit {
                all[b.index()][a.index()] = border;
            }
        }
    }
    all
});

fn border(a: Place, b: Place) -> Border {
    BORDERS[a.index()][b.index()]
}

fn named(list: &str, place: Place) -> bool {
    list.split_whitespace().any(|p| p == place.spot().id)
}

pub(crate) fn is_sea(p: Place) -> bool {
    p.spot().id.starts_with('S') && p.spot().id.len() == 2
}

pub(crate) fn is_city(p: Place) -> bool {
    named(CITIES, p)
}

pub(crate) fn foe(seat: Seat) -> Seat {
    Seat(1 - seat.0)
}

/// Whether the bridge between Maudret and Zekula is open to a seat.
fn bridge(game: &Hestia, seat: Seat, a: Place, b: Place) -> bool {
    let ends = ["MAU", "ZEK"];
    [a, b].iter().all(|p| ends.contains(&p.spot().id) && game.is_active(*p, seat))
}

/// Whether an army may step, and whether the terrain ends its march.
pub(crate) fn step(
    game: &Hestia,
    seat: Seat,
    from: Place,
    to: Place,
    lands: usize,
    fleet: usize,
) -> Option<bool> {
    let majority = |extra: usize| game.ship_count(to, seat) + extra > game.ship_count(to, foe(seat));
    let left_land = game.land_units(from, seat) - lands;
    let left_ships = game.ship_count(from, seat) - fleet;
    let sails = || {
        let abandons = is_sea(from) && left_land > 0 && left_ships == 0;
        ((lands == 0 || majority(fleet)) && !abandons).then_some(false)
    };
    match border(from, to) {
        Border::None => None,
        Border::Plain => Some(false),
        Border::River => Some(!bridge(game, seat, from, to)),
        Border::Coast if is_sea(to) => (named(PORTS, from) && majority(0)).then_some(false),
        Border::Coast => (lands > 0 && (left_land == 0 || left_ships + fleet > 0)).then_some(true),
        Border::Exit if !is_sea(to) => (lands > 0).then_some(false),
        Border::Blue | Border::Exit => sails(),
    }
}

/// Where an army may step.
pub(crate) fn steps(game: &Hestia, seat: Seat, from: Place, lands: usize, fleet: usize) -> Vec<Place> {
    Place::all().filter(|&to| step(game, seat, from, to, lands, fleet).is_some()).collect()
}

/// All retreat paths of a length, each without its beginning.
pub(crate) fn retreats(game: &Hestia, seat: Seat, battlefield: Place, length: u8) -> Vec<Vec<Place>> {
    let mut paths = vec![vec![battlefield]];
    for _ in 0..length {
        let mut longer = Vec::new();
        for path in paths {
            let at = path[path.len() - 1];
            for to in Place::all() {
                let open = border(at, to) == Border::Plain || bridge(game, seat, at, to);
                if open && !path.contains(&to) && game.land_units(to, foe(seat)) == 0 {
                    longer.push([path.as_slice(), &[to]].concat());
                }
            }
        }
        paths = longer;
    }
    let enemy = foe(seat);
    paths.retain(|path| {
        let end = path[path.len() - 1];
        let lost = game.is_active(end, enemy) && !game.is_active(end, seat);
        !lost && !named(HOMES[enemy.index()], end)
    });
    paths.into_iter().map(|path| path[1..].to_vec()).collect()
}

/// A random position: blocks all over the map, both sides never in one land but this one.
pub(crate) fn position(rng: &mut Rng, settings: &Options, battlefield: Option<Place>) -> Position<Hestia> {
    let mut game = Position::<Hestia>::new(2, settings).unwrap();
    game.settle(rng, &mut Vec::new()).unwrap();
    let places: Vec<Place> = Place::all().collect();
    let (lands, seas) = (&places[..38], &places[38..45]);
    let holder: Vec<Seat> = lands.iter().map(|_| Seat(rng.below(2) as u8)).collect();
    let mut zones: Vec<Vec<Shown>> = vec![Vec::new(); 114];
    let crowd = 1 + rng.below(4);
    let mut later = Vec::new();
    for i in 108..170 {
        let shown = game.face(Token(i)).unwrap();
        let (unit, _) = shown.block().unwrap();
        let seat = match unit.0 {
            0..5 => Seat(0),
            5..10 => Seat(1),
            _ => Seat(rng.below(2) as u8),
        };
        if let Some(field) = battlefield
            && matches!(unit.0, 0 | 5)
        {
            zones[land(field, seat).index()].push(shown);
        } else if rng.below(4) >= crowd {
            zones[POOL.index()].push(shown);
        } else if unit.is_naval() {
            let sea = if unit.0 == 4 && rng.below(4) == 0 { places[46] } else { seas[rng.below(7) as usize] };
            zones[ships(sea, seat).unwrap().index()].push(shown);
        } else {
            later.push((shown, seat));
        }
    }
    for (shown, seat) in later {
        let unit = shown.block().unwrap().0;
        let afloat: Vec<Place> =
            seas.iter().copied().filter(|&s| !zones[ships(s, seat).unwrap().index()].is_empty()).collect();
        let place = match unit.0 {
            3 if rng.below(3) == 0 => places[45 + rng.below(2) as usize],
            10 if rng.below(2) == 0 => places[47],
            _ if rng.below(3) == 0 && !afloat.is_empty() => *rng.choose(&afloat).unwrap(),
            _ => {
                let own: Vec<Place> = lands
                    .iter()
                    .copied()
                    .filter(|p| holder[p.index()] == seat && Some(*p) != battlefield)
                    .collect();
                *rng.choose(&own).unwrap()
            }
        };
        zones[land(place, seat).index()].push(shown);
    }
    let laid = |&face: &Shown| Laid { face, known: Some(Known::PUBLIC), back: false };
    let layouts: Vec<Layout<Shown>> = (zones.iter().enumerate())
        .map(|(z, faces)| Layout {
            zone: Zone(z as u8),
            tokens: faces.iter().map(laid).collect(),
            more: false,
        })
        .collect();
    lay_out(&mut game, &layouts, &Rest::default()).unwrap();
    game
}

/// The same position in a phase, with random influence.
pub(crate) fn enter(game: &Position<Hestia>, rng: &mut Rng, phase: &str, seat: Seat) -> Position<Hestia> {
    let (mut active, mut inactive) = ([vec![], vec![]], [vec![], vec![]]);
    for city in CITIES.split_whitespace() {
        for s in 0..2 {
            match rng.below(3) {
                0 => active[s].push(city),
                1 if rng.below(2) == 0 => inactive[s].push(city),
                _ => {}
            }
        }
    }
    let changes =
        json!({ "phase": phase, "seat": seat.0, "cards": 2, "active": active, "inactive": inactive });
    with_state(game, game.state().arranged(&changes).unwrap()).unwrap()
}
