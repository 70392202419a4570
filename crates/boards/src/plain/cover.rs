//! The cover of a game without a drawing of its own: its grid after a few moves, three of its cards, or its dice, on a
//! ground whose colour follows from its name.

use super::{grid, is_dice_game, pieces};
use crate::board::Board;
use crate::markup::{El, MarkupNode, el, g};
use crate::ui::Ui;
use pentarchy_engine::{Describe, Face, FaceLook, Node, Position, Rng};
use std::fmt::Write;

/// Number of random decisions after which the grid is drawn.
const MOVES: usize = 15;

/// Draws the cover as the inside of an SVG element with the view box `0 0 300 400`: the first grid of the game after
/// some moves, or else its cards or dice, on a ground whose colour follows from its name. Equal for every call.
pub(crate) fn cover<G: Board>() -> String {
    let hash = G::INFO.name.bytes().fold(17_u64, |hash, byte| hash.wrapping_mul(31) ^ u64::from(byte));
    let colour = 1 + hash % 6;
    let tone = |part: u32| format!("color-mix(in srgb,var(--s{colour}) {part}%,var(--bg))");
    let ground = el("rect").set("width", "300").set("height", "400").set("fill", tone(16));
    let ring = |radius: f32, part: u32| {
        el("circle").set("cx", "150").set("cy", "196").num("r", radius).set("fill", tone(part))
    };
    let subject = first_grid::<G>(hash).unwrap_or_else(tokens::<G>);
    let all = [ground, ring(190.0, 21), ring(150.0, 27), ring(110.0, 34), subject];
    all.iter().map(markup).collect()
}

/// Draws the first grid of a game after [`MOVES`] random decisions from this seed, or the last position before the
/// end if that comes first, centred on the cover. The match has the default seats and options. `None` if the game has
/// no grid or cannot be played so far.
fn first_grid<G: Board>(seed: u64) -> Option<El> {
    let options = G::Options::default();
    let mut position = Position::<G>::new(G::INFO.default_seats, &options).ok()?;
    let (mut rng, mut list, mut moves) = (Rng::stream(seed, 0), Vec::new(), 0);
    while moves < MOVES && G::layout(&position).is_some() {
        let mut next = position.clone();
        match next.node() {
            Node::Over => break,
            Node::Decide(_) => {
                next.legal(&mut list).ok()?;
                next.play(*list.get(rng.below(list.len() as u32) as usize)?).ok()?;
                moves += 1;
            }
            _ => drop(next.advance(&mut rng, &mut list).ok()?),
        }
        if next.node() == Node::Over {
            break;
        }
        position = next;
    }
    let layout = G::layout(&position)?;
    let drawn = grid::grid(layout.grids.first()?, &Ui { colours: G::LOOK.colours.to_vec(), ..Ui::default() });
    Some(drawn.num("x", 42.0).num("y", 88.0).num("width", 216.0).num("height", 216.0))
}

/// Draws the first, the middle and the last of a game's faces, for a cover: three dice if it is a dice game,
/// otherwise a fan of three cards with their signs. A game without faces has empty cards.
fn tokens<G: Describe>() -> El {
    let looks: Vec<FaceLook> =
        (0..G::Face::KINDS).map(|index| G::face_look(G::Face::nth(index as u8))).collect();
    let pick = |i: usize| looks.get(looks.len().saturating_sub(1) * i / 2);
    let dice = is_dice_game::<G>();
    g("").kids((0..3_u8).map(|i| {
        let turn = f32::from(i) - 1.0;
        match pick(usize::from(i)) {
            Some(FaceLook::Die(shows)) if dice => {
                let [x, y] = [150.0 + 62.0 * turn, 200.0 - 56.0 * f32::from(i % 2)];
                let die = pieces::die_drawing(Some(*shows)).num("x", -50.0).num("y", -50.0);
                let die = die.num("width", 100.0).num("height", 100.0);
                g("").set("transform", format!("translate({x} {y}) rotate({})", 14.0 * turn)).kid(die)
            }
            Some(FaceLook::Card { sign, .. }) => card(sign, turn),
            _ => card("", turn),
        }
    }))
}

/// Draws a card of the fan with this sign, turned to the left (`turn` is -1), not (0) or to the right (1). A sign
/// that ends with a suit has the rank in the corner and the suit large, any other is written large.
fn card(sign: &str, turn: f32) -> El {
    let (rank, suit) = pieces::split_sign(sign);
    let paper =
        el("rect").class("dpaper").set("x", "-62").set("y", "-88").set("width", "124").set("height", "176");
    let text = |class: &'static str, x: &'static str, y: &'static str| {
        el("text").class(class).set("x", x).set("y", y).text(rank.to_string())
    };
    let drawn = g("dfan")
        .class_if(matches!(suit, Some('♥' | '♦')), "red")
        .set("transform", format!("rotate({} 150 420) translate(150 200)", 17.0 * turn))
        .kid(paper.set("rx", "12"));
    match suit {
        Some(suit) => {
            let large = pieces::suit_path(suit).set("transform", "translate(-32 -22) scale(4)");
            drawn.kid(text("dcorner", "-46", "-54")).kid(large)
        }
        None => drawn.kid(text("dlarge", "0", "30")),
    }
}

/// Writes an element and its descendants as SVG text, without what belongs to a board only: attributes `data-…` and
/// `aria-…`, roles and focus. Escapes texts and values.
fn markup(el: &El) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let mut out = format!("<{}", el.tag);
    for (name, value) in &el.attrs {
        if !name.starts_with("data-") && !name.starts_with("aria-") && !matches!(*name, "role" | "tabindex") {
            // Writing to a string does not fail.
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
    }
    out.push('>');
    for kid in &el.kids {
        match kid {
            MarkupNode::El(kid) => out += &markup(kid),
            MarkupNode::Text(text) => out += &escaped(text),
        }
    }
    let _ = write!(out, "</{}>", el.tag);
    out
}
