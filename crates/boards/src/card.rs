//! Cards in three sizes and all states, the same for every game.

use crate::icons::ic;
use crate::markup::{El, Text, div, el, span};
use crate::ui::Ui;

/// The size of a card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardSize {
    /// In the hand and in dialogs: with everything.
    L,
    /// On the board: without the effect text.
    M,
    /// In the slots of others: edge and icon only.
    S,
}

impl CardSize {
    /// Returns the CSS classes of a card of this size: `card L`, `card M` or `card S`.
    fn class(self) -> &'static str {
        match self {
            CardSize::L => "card L",
            CardSize::M => "card M",
            CardSize::S => "card S",
        }
    }
}

/// The content of a card.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CardFace {
    /// Its key: `#17`.
    pub key: String,
    /// Further classes: the category (`mil`), `down`, `mine`, `off`.
    pub class: Text,
    /// Its name.
    pub name: Text,
    /// Text for screen readers besides the name: "Military, cost 2, face down, yours".
    pub spoken: String,
    /// The icon in the middle.
    pub icon: Text,
    /// The icon of its category, upper right.
    pub category: Option<&'static str>,
    /// The printed cost, upper left.
    pub cost: Option<String>,
    /// The current cost, where it differs.
    pub now: Option<String>,
    /// Its effect, in at most twelve words.
    pub text: Text,
    /// Its combat numbers: an icon and a value each.
    pub foot: Vec<(&'static str, String)>,
    /// A tag on its edge: "+2 Scalper".
    pub tag: Option<String>,
    /// Whether the player could use it: while it cannot be used it is greyed and says why.
    pub usable: bool,
}

/// Draws a card in a size, with cost, art, name, effect text, foot and tag; the style sheet hides what a size has no
/// room for. It is a piece and a token with the key of the face, marked as clickable, chosen or hinted from `ui`. If
/// `face.usable`, it is greyed while its key cannot be clicked and the player has to decide. A current cost that
/// differs from the printed one stands beside it, and the printed one is struck out. Screen readers get the name and
/// `face.spoken`.
pub fn card(face: &CardFace, size: CardSize, ui: &Ui) -> El {
    let cost = match (&face.cost, &face.now) {
        (Some(cost), Some(now)) if cost != now => {
            span("cost cut").kid(el("s").text(cost.clone())).text(now.clone())
        }
        (Some(cost), _) => span("cost").text(cost.clone()),
        (None, _) => span(""),
    };
    let foot = face.foot.iter().map(|(icon, value)| span("").kid(ic(icon)).text(value.clone()));
    let shape = div(size.class())
        .class(face.class.clone())
        .kid(div("top").kid(cost).kid_if(face.category.map(|icon| ic(icon).class("cat"))))
        .kid(div("art").kid_if((!face.icon.is_empty()).then(|| ic(&face.icon))))
        .kid(match size {
            CardSize::M => draw_name(&face.name),
            CardSize::L | CardSize::S => div("nm").set("title", face.name.clone()).text(face.name.clone()),
        })
        .kid_if(
            (!face.text.is_empty())
                .then(|| div("tx").set("title", face.text.clone()).text(face.text.clone())),
        )
        .kid(div("ft").kids(foot))
        .kid_if(face.tag.as_ref().map(|tag| span("ctag").text(tag.clone())));
    let said = if face.spoken.is_empty() {
        face.name.to_string()
    } else {
        format!("{}, {}", face.name, face.spoken)
    };
    let piece =
        if face.usable { ui.usable(shape, &face.key, said) } else { ui.piece(shape, &face.key, said) };
    piece.token(&face.key)
}

/// Draws the name on a card of size M, with soft hyphens. The CSS variable `--l` is the length in characters of its
/// longest part between spaces and soft hyphens; the style sheet derives the text size from it, so that no word is
/// broken at a random letter.
fn draw_name(name: &Text) -> El {
    let parts = hyphenate(name);
    let longest = parts.split([' ', '\u{ad}']).map(|part| part.chars().count()).max().unwrap_or(0);
    div("nm").set("title", name.clone()).set("style", format!("--l:{longest}")).text(parts)
}

/// Returns the name with a soft hyphen before the ending of its long words (more than 10 bytes). Known endings are
/// `ship`, `sional`, `cation`, `mination`, `tional` and `ment`; other words stay unchanged.
fn hyphenate(name: &str) -> Text {
    const ENDS: [&str; 6] = ["ship", "sional", "cation", "mination", "tional", "ment"];
    let word = |word: &str| match ENDS.iter().find_map(|end| word.strip_suffix(end).map(|stem| (stem, end))) {
        Some((stem, end)) if word.len() > 10 => format!("{stem}\u{ad}{end}"),
        _ => word.to_string(),
    };
    name.split(' ').map(word).collect::<Vec<_>>().join(" ").into()
}

/// Marks a drawn card as a twin of another one, with which it shares its key: replaces the class `sel` by `can`, so
/// that only one card looks selected while both can be clicked. A card without `sel` keeps its classes. Returns the
/// card.
pub fn twin(card: El) -> El {
    let class = card.get("class").unwrap_or_default();
    let class: Vec<&str> = class.split(' ').map(|word| if word == "sel" { "can" } else { word }).collect();
    let class = class.join(" ");
    card.set("class", class)
}
