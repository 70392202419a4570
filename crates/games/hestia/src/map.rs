//! The map as data: 38 lands, seven seas, three boxes off the map, and every connection between them.

use pentarchy_engine::ParseError;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// A place where blocks stand: an index into [`SPOTS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Place(pub u8);

/// What a place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terrain {
    /// Land without a city-state.
    Open,
    /// One of the fourteen city-states.
    City,
    /// A home territory of Lenisia.
    HomeL,
    /// A home territory of Hathea.
    HomeH,
    /// A sea.
    Sea,
    /// A box off the map.
    Box,
}

/// How two places are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Edge {
    /// An ordinary border.
    Plain,
    /// A river: crossing it ends a march.
    River,
    /// A strait that is crossed without ships.
    Crossing,
    /// Two seas.
    Sea,
    /// A land and a sea.
    Coast,
    /// Out of a box, one way.
    Exit,
}

/// One place in the table.
#[derive(Debug)]
pub struct Spot {
    /// Three letters, or S and a number.
    pub id: &'static str,
    /// The name.
    pub name: &'static str,
    /// The middle, on a canvas of 1000 by 700.
    pub centre: (u16, u16),
    /// West of the Maur (or nothing for seas and boxes).
    pub west: Option<bool>,
    /// What it is.
    pub terrain: Terrain,
    /// Whether ships can dock.
    pub port: bool,
    /// The outline.
    pub outline: &'static [(u16, u16)],
}

/// Creates a land of the table. `centre` and `outline` are on a canvas of 1000 by 700; `west`: it lies west
/// of the Maur; `port`: ships can dock.
const fn land(
    id: &'static str,
    name: &'static str,
    centre: (u16, u16),
    west: bool,
    terrain: Terrain,
    port: bool,
    outline: &'static [(u16, u16)],
) -> Spot {
    Spot { id, name, centre, west: Some(west), terrain, port, outline }
}

/// Creates a sea of the table: id, name, middle and outline on a canvas of 1000 by 700.
const fn water(
    id: &'static str,
    name: &'static str,
    centre: (u16, u16),
    outline: &'static [(u16, u16)],
) -> Spot {
    Spot { id, name, centre, west: None, terrain: Terrain::Sea, port: false, outline }
}

/// Creates a box off the map for the table: id, name, middle and outline on a canvas of 1000 by 700.
const fn off(
    id: &'static str,
    name: &'static str,
    centre: (u16, u16),
    outline: &'static [(u16, u16)],
) -> Spot {
    Spot { id, name, centre, west: None, terrain: Terrain::Box, port: false, outline }
}

use Edge::{Coast, Crossing, Exit, Plain, River};
use Terrain::{City, HomeH, HomeL, Open};

/// How many places there are.
pub const PLACES: usize = 48;

/// All places: lands, seas, boxes.
#[rustfmt::skip]
pub static SPOTS: [Spot; PLACES] = [
    land("CRO", "Crow Heath", (150, 55), true, Open, false, &[(90, 0), (203, 0), (204, 101), (90, 98)]),
    land("COR", "Corrhast", (262, 48), true, City, false, &[(203, 0), (322, 0), (314, 103), (204, 101)]),
    land("WIN", "Windmoor", (372, 58), true, Open, false, &[(322, 0), (424, 0), (426, 102), (314, 103)]),
    land("GHO", "Ghorad", (484, 50), true, City, false, &[(424, 0), (546, 0), (544, 100), (426, 102)]),
    land("OLM", "Olmar Steppe", (142, 150), true, Open, false, &[(90, 204), (90, 98), (204, 101), (201, 198)]),
    land("SAR", "Sarn Hills", (255, 148), true, Open, false, &[(201, 198), (204, 101), (314, 103), (314, 198)]),
    land("DON", "Dontari", (368, 155), true, City, false, &[(314, 198), (314, 103), (426, 102), (428, 197)]),
    land("GRE", "Greywood", (480, 145), true, Open, false, &[(544, 193), (428, 197), (426, 102), (544, 100)]),
    land("KAD", "Kaderessa", (150, 250), true, HomeL, true, &[(90, 310), (90, 204), (201, 198), (208, 283), (174, 323)]),
    land("VAL", "Vale of Kader", (262, 243), true, Open, false, &[(208, 283), (201, 198), (314, 198), (314, 292)]),
    land("LOW", "Low Sarn", (375, 248), true, Open, false, &[(314, 292), (314, 198), (428, 197), (429, 291)]),
    land("MAU", "Maudret", (487, 240), true, City, false, &[(546, 288), (429, 291), (428, 197), (544, 193)]),
    land("VAS", "Vashtar", (250, 335), true, City, false, &[(174, 323), (208, 283), (314, 292), (314, 380), (200, 387)]),
    land("OXM", "Oxmark", (368, 338), true, Open, false, &[(314, 380), (314, 292), (429, 291), (427, 380)]),
    land("HES", "Hestian Plain", (482, 335), true, Open, false, &[(545, 378), (427, 380), (429, 291), (546, 288)]),
    land("FIR", "Firukal", (262, 425), true, City, true, &[(200, 387), (314, 380), (318, 448), (249, 503), (171, 487)]),
    land("AMB", "Amber Coast", (376, 430), true, Open, false, &[(318, 448), (314, 380), (427, 380), (436, 498), (412, 506)]),
    land("GUL", "Gulf Shore", (486, 422), true, Open, false, &[(436, 498), (427, 380), (545, 378), (546, 446)]),
    land("FER", "Ferespar", (328, 508), true, City, true, &[(328, 611), (249, 503), (318, 448), (412, 506)]),
    land("LAR", "Larkmoor", (606, 52), false, Open, false, &[(546, 0), (660, 0), (662, 100), (544, 100)]),
    land("THE", "Thessarim", (718, 48), false, City, false, &[(660, 0), (778, 0), (770, 100), (662, 100)]),
    land("EYR", "Eyrie Heath", (830, 57), false, Open, false, &[(778, 0), (883, 0), (887, 104), (770, 100)]),
    land("NHA", "North Hathea", (940, 52), false, HomeH, false, &[(883, 0), (1000, 0), (1000, 98), (887, 104)]),
    land("BRA", "Bramble Fords", (604, 150), false, Open, false, &[(544, 193), (544, 100), (662, 100), (664, 197)]),
    land("IRO", "Iron Downs", (716, 150), false, Open, false, &[(664, 197), (662, 100), (770, 100), (774, 196)]),
    land("DRA", "Dragon Marches", (826, 148), false, HomeH, false, &[(774, 196), (770, 100), (887, 104), (888, 194)]),
    land("HAT", "Hathea", (945, 150), false, HomeH, false, &[(1000, 98), (1000, 203), (888, 194), (887, 104)]),
    land("ZEK", "Zekula", (608, 240), false, City, false, &[(546, 288), (544, 193), (664, 197), (662, 289)]),
    land("RED", "Red Fens", (722, 246), false, Open, false, &[(662, 289), (664, 197), (774, 196), (779, 293)]),
    land("PEL", "Pelusar", (832, 242), false, City, false, &[(779, 293), (774, 196), (888, 194), (883, 286)]),
    land("EHA", "East Hathea", (940, 250), false, HomeH, true, &[(1000, 203), (1000, 309), (915, 324), (883, 286), (888, 194)]),
    land("HIT", "Hither Plain", (604, 336), false, Open, false, &[(545, 378), (546, 288), (662, 289), (662, 380)]),
    land("NEM", "Nemekar", (718, 336), false, City, false, &[(662, 380), (662, 289), (779, 293), (774, 379)]),
    land("SIL", "Silver Vale", (838, 336), false, Open, false, &[(774, 379), (779, 293), (883, 286), (915, 324), (891, 387)]),
    land("ILV", "Ilvanne", (606, 424), false, City, true, &[(546, 446), (545, 378), (662, 380), (657, 498)]),
    land("SAL", "Saltmarsh", (716, 430), false, Open, false, &[(657, 498), (662, 380), (774, 379), (773, 449), (678, 505)]),
    land("ARK", "Arkaring", (828, 424), false, City, true, &[(920, 486), (841, 503), (773, 449), (774, 379), (891, 387)]),
    land("ARH", "Arhala", (762, 508), false, City, true, &[(762, 611), (678, 505), (773, 449), (841, 503)]),
    water("S1", "Sea I", (128, 385), &[(90, 529), (90, 310), (174, 323), (200, 387), (171, 487)]),
    water("S2", "Sea II", (230, 580), &[(327, 630), (90, 630), (90, 529), (171, 487), (249, 503), (328, 611)]),
    water("S3", "Sea III", (428, 588), &[(540, 630), (327, 630), (328, 611), (412, 506), (436, 498)]),
    water("S4", "Sea IV", (545, 510), &[(550, 630), (540, 630), (436, 498), (546, 446), (657, 498)]),
    water("S5", "Sea V", (662, 588), &[(763, 630), (550, 630), (657, 498), (678, 505), (762, 611)]),
    water("S6", "Sea VI", (860, 580), &[(1000, 530), (1000, 630), (763, 630), (762, 611), (841, 503), (920, 486)]),
    water("S7", "Sea VII", (965, 385), &[(1000, 309), (1000, 530), (920, 486), (891, 387), (915, 324)]),
    off("LRE", "Lenisian Reinforcements", (44, 240), &[(4, 200), (84, 200), (84, 280), (4, 280)]),
    off("LNA", "Lenisian Navy and Reinforcements", (44, 400), &[(4, 350), (84, 350), (84, 450), (4, 450)]),
    off("BAT", "Bathradi Mercenaries", (545, 666), &[(425, 638), (665, 638), (665, 696), (425, 696)]),
];

/// The places by their names.
#[expect(missing_docs, reason = "the table above says what each one is")]
#[rustfmt::skip]
pub mod at {
    use super::Place;
    pub const CRO: Place = Place(0);
    pub const COR: Place = Place(1);
    pub const WIN: Place = Place(2);
    pub const GHO: Place = Place(3);
    pub const OLM: Place = Place(4);
    pub const SAR: Place = Place(5);
    pub const DON: Place = Place(6);
    pub const GRE: Place = Place(7);
    pub const KAD: Place = Place(8);
    pub const VAL: Place = Place(9);
    pub const LOW: Place = Place(10);
    pub const MAU: Place = Place(11);
    pub const VAS: Place = Place(12);
    pub const OXM: Place = Place(13);
    pub const HES: Place = Place(14);
    pub const FIR: Place = Place(15);
    pub const AMB: Place = Place(16);
    pub const GUL: Place = Place(17);
    pub const FER: Place = Place(18);
    pub const LAR: Place = Place(19);
    pub const THE: Place = Place(20);
    pub const EYR: Place = Place(21);
    pub const NHA: Place = Place(22);
    pub const BRA: Place = Place(23);
    pub const IRO: Place = Place(24);
    pub const DRA: Place = Place(25);
    pub const HAT: Place = Place(26);
    pub const ZEK: Place = Place(27);
    pub const RED: Place = Place(28);
    pub const PEL: Place = Place(29);
    pub const EHA: Place = Place(30);
    pub const HIT: Place = Place(31);
    pub const NEM: Place = Place(32);
    pub const SIL: Place = Place(33);
    pub const ILV: Place = Place(34);
    pub const SAL: Place = Place(35);
    pub const ARK: Place = Place(36);
    pub const ARH: Place = Place(37);
    pub const S1: Place = Place(38);
    pub const S2: Place = Place(39);
    pub const S3: Place = Place(40);
    pub const S4: Place = Place(41);
    pub const S5: Place = Place(42);
    pub const S6: Place = Place(43);
    pub const S7: Place = Place(44);
    pub const LRE: Place = Place(45);
    pub const LNA: Place = Place(46);
    pub const BAT: Place = Place(47);
}

/// All connections, each once; those out of a box in their direction.
#[rustfmt::skip]
const EDGES: [(Place, Place, Edge); 86] = {
    use at::*;
    [
        (CRO, COR, Plain), (CRO, OLM, Plain), (COR, WIN, Plain), (COR, SAR, Plain), (WIN, GHO, Plain),
        (GHO, GRE, Plain), (OLM, SAR, Plain), (OLM, KAD, Plain), (SAR, DON, Plain), (DON, GRE, Plain),
        (GRE, MAU, Plain), (KAD, VAL, Plain), (VAL, LOW, Plain), (LOW, MAU, Plain), (LOW, OXM, Plain),
        (MAU, HES, Plain), (VAS, OXM, Plain), (VAS, FIR, Plain), (OXM, HES, Plain), (OXM, AMB, Plain),
        (HES, GUL, Plain), (FIR, AMB, Plain), (AMB, GUL, Plain), (AMB, FER, Plain), (LAR, THE, Plain),
        (LAR, BRA, Plain), (THE, EYR, Plain), (EYR, NHA, Plain), (EYR, DRA, Plain), (NHA, HAT, Plain),
        (BRA, IRO, Plain), (BRA, ZEK, Plain), (IRO, DRA, Plain), (DRA, HAT, Plain), (HAT, EHA, Plain),
        (ZEK, RED, Plain), (ZEK, HIT, Plain), (RED, PEL, Plain), (RED, NEM, Plain), (PEL, EHA, Plain),
        (HIT, NEM, Plain), (HIT, ILV, Plain), (NEM, SIL, Plain), (NEM, SAL, Plain), (PEL, SIL, Plain),
        (SIL, ARK, Plain), (ILV, SAL, Plain), (SAL, ARK, Plain),
        (GHO, LAR, River), (GRE, BRA, River), (MAU, ZEK, River), (HES, HIT, River), (GUL, ILV, River),
        (DON, LOW, River), (KAD, VAS, River), (VAL, VAS, River), (IRO, RED, River), (EHA, SIL, River),
        (FIR, FER, Crossing), (ARK, ARH, Crossing),
        (S1, S2, Edge::Sea), (S2, S3, Edge::Sea), (S3, S4, Edge::Sea), (S4, S5, Edge::Sea),
        (S5, S6, Edge::Sea), (S6, S7, Edge::Sea),
        (KAD, S1, Coast), (VAS, S1, Coast), (FIR, S1, Coast), (FIR, S2, Coast), (FER, S2, Coast),
        (FER, S3, Coast), (AMB, S3, Coast), (GUL, S4, Coast), (ILV, S4, Coast), (SAL, S5, Coast),
        (ARH, S5, Coast), (ARH, S6, Coast), (ARK, S6, Coast), (ARK, S7, Coast), (SIL, S7, Coast),
        (EHA, S7, Coast),
        (LRE, KAD, Exit), (LNA, S1, Exit), (BAT, S3, Exit), (BAT, S5, Exit),
    ]
};

/// Borders that are drawn and cannot be crossed: mountains, and open water at Arhala.
#[rustfmt::skip]
pub static BLOCKED: [(Place, Place); 5] = {
    use at::*;
    [(WIN, DON), (SAR, VAL), (THE, IRO), (DRA, PEL), (SAL, ARH)]
};

/// The connections of one place: the first `len` items, in the order of the table of connections.
#[derive(Clone, Copy)]
struct Links {
    len: usize,
    items: [(Place, Edge); 8],
}

/// The connections of every place, in both directions, except out of boxes.
static LINKS: [Links; PLACES] = {
    let mut links = [Links { len: 0, items: [(Place(0), Plain); 8] }; PLACES];
    let mut i = 0;
    while i < EDGES.len() {
        let (a, b, edge) = EDGES[i];
        let from = &mut links[a.0 as usize];
        from.items[from.len] = (b, edge);
        from.len += 1;
        if !matches!(edge, Exit) {
            let from = &mut links[b.0 as usize];
            from.items[from.len] = (a, edge);
            from.len += 1;
        }
        i += 1;
    }
    links
};

/// The fourteen city-states in the order of the map. Masks of city-states have bit `i` for `CITIES[i]`.
pub static CITIES: [Place; 14] = {
    let mut cities = [Place(0); 14];
    let (mut n, mut i) = (0, 0);
    while i < PLACES {
        if matches!(SPOTS[i].terrain, City) {
            cities[n] = Place(i as u8);
            n += 1;
        }
        i += 1;
    }
    cities
};

impl Place {
    /// Returns the number of the place, its index in `SPOTS`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns its entry in the table. Panics for a number that is no place (48 and above).
    #[inline]
    pub fn spot(self) -> &'static Spot {
        &SPOTS[self.index()]
    }

    /// Returns the connections of this place: neighbour and kind. A box lists its exits; an exit is not
    /// listed at its other end.
    #[inline]
    pub fn links(self) -> &'static [(Place, Edge)] {
        let links = &LINKS[self.index()];
        &links.items[..links.len]
    }

    /// Iterates over the lands that border on this land, over rivers and straits too. Empty for seas and
    /// boxes.
    pub fn adjacent(self) -> impl Iterator<Item = Place> {
        self.links().iter().filter(|(_, e)| matches!(e, Plain | River | Crossing)).map(|&(p, _)| p)
    }

    /// Iterates over the seas of a land, or the lands of a sea. Empty without a coast.
    pub fn coasts(self) -> impl Iterator<Item = Place> {
        self.links().iter().filter(|(_, e)| *e == Coast).map(|&(p, _)| p)
    }

    /// Returns the kind of connection to another place; `None` if there is none in this direction.
    pub fn edge_to(self, other: Place) -> Option<Edge> {
        self.links().iter().find(|(p, _)| *p == other).map(|&(_, e)| e)
    }

    /// Returns whether it is one of the seven seas.
    #[inline]
    pub fn is_sea(self) -> bool {
        self.spot().terrain == Terrain::Sea
    }

    /// Returns whether it is one of the three boxes off the map.
    #[inline]
    pub fn is_box(self) -> bool {
        self.spot().terrain == Terrain::Box
    }

    /// Returns whether it is land: neither a sea nor a box.
    #[inline]
    pub fn is_land(self) -> bool {
        !self.is_sea() && !self.is_box()
    }

    /// Returns the index of the city-state in `CITIES`, from 0; `None` if it is no city-state.
    pub fn city(self) -> Option<usize> {
        CITIES.iter().position(|&c| c == self)
    }

    /// Iterates over all 48 places in the order of their numbers: lands, seas, boxes.
    pub fn all() -> impl Iterator<Item = Place> + Clone {
        (0..PLACES as u8).map(Place)
    }

    /// Iterates over all lands in the order of their numbers, without seas and boxes.
    pub fn lands() -> impl Iterator<Item = Place> {
        Self::all().filter(|p| p.is_land())
    }
}

impl fmt::Display for Place {
    /// Writes the id, like `MAU`; honours width and alignment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.spot().id)
    }
}

impl FromStr for Place {
    type Err = ParseError;
    /// Reads the id of a place, like `MAU` or `S3`, in upper or lower case.
    ///
    /// # Errors
    ///
    /// Fails if no place has this id.
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Place::all()
            .find(|p| p.spot().id.eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseError::new(text, "a place, like MAU or S3"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_is_what_the_rules_say() {
        let count = |edge| EDGES.iter().filter(|(_, _, e)| *e == edge).count();
        let counts = [Plain, River, Crossing, Edge::Sea, Coast, Exit].map(count);
        assert_eq!(counts, [48, 10, 2, 6, 16, 4]);
        assert_eq!(counts[..5].iter().sum::<usize>() + BLOCKED.len(), 87);
        let mut pairs: Vec<_> = EDGES.iter().map(|&(a, b, _)| (a.min(b), a.max(b))).collect();
        pairs.extend(BLOCKED.iter().map(|&(a, b)| (a.min(b), a.max(b))));
        let all = pairs.len();
        pairs.sort();
        pairs.dedup();
        assert_eq!(pairs.len(), all, "no pair twice");
        let ports: Vec<_> = Place::all().filter(|p| p.spot().port).map(|p| p.spot().name).collect();
        let names = ["Kaderessa", "Firukal", "Ferespar", "East Hathea", "Ilvanne", "Arkaring", "Arhala"];
        assert_eq!(ports, names);
        assert_eq!(CITIES.iter().filter(|c| c.spot().west == Some(true)).count(), 7);
        assert_eq!(at::ARH.adjacent().collect::<Vec<_>>(), [at::ARK]);
        for &(a, b, edge) in &EDGES {
            if let (Some(x), Some(y)) = (a.spot().west, b.spot().west)
                && x != y
            {
                assert_eq!(edge, River, "the Maur parts {a} and {b}");
            }
        }
    }

    #[test]
    fn every_border_is_drawn() {
        // Two polygons that share a side are in exactly one of the lists, and no other pair is.
        let sides = |p: Place| {
            let o = p.spot().outline;
            (0..o.len()).map(move |i| (o[i], o[(i + 1) % o.len()])).collect::<Vec<_>>()
        };
        for a in Place::all().filter(|p| !p.is_box()) {
            for b in Place::all().filter(|p| !p.is_box() && *p > a) {
                let shared =
                    sides(a).iter().any(|&(x, y)| sides(b).contains(&(y, x)) || sides(b).contains(&(x, y)));
                let blocked = BLOCKED.contains(&(a, b)) || BLOCKED.contains(&(b, a));
                assert_eq!(shared, a.edge_to(b).is_some() || blocked, "{a} and {b}");
            }
        }
    }
}
