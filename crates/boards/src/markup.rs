//! Elements as data. Boards build a tree, and `dom` updates the page to it.
//!
//! So a board is a pure function of the position. It holds no handler and no signal: what can be clicked carries a
//! `data-key`, what moves carries a `data-token`, and the shell does the rest.

use std::borrow::Cow;

/// A text that is mostly known at compile time.
pub type Text = Cow<'static, str>;

/// An element.
#[derive(Clone, PartialEq, Debug)]
pub struct El {
    /// Its tag. Inside an `svg` all tags are those of SVG.
    pub tag: &'static str,
    /// Its attributes, each at most once.
    pub attrs: Vec<(&'static str, Text)>,
    /// Its children.
    pub kids: Vec<MarkupNode>,
}

/// An element or a text.
#[derive(Clone, PartialEq, Debug)]
pub enum MarkupNode {
    /// An element.
    El(El),
    /// A text; never markup, so nothing needs escaping.
    Text(Text),
}

/// Creates an element with this tag, without attributes and children.
pub fn el(tag: &'static str) -> El {
    El { tag, attrs: Vec::new(), kids: Vec::new() }
}

/// Creates a `div` with these classes, separated by spaces; no class attribute if `class` is empty.
pub fn div(class: impl Into<Text>) -> El {
    el("div").class(class)
}

/// Creates a `span` with these classes, separated by spaces; no class attribute if `class` is empty.
pub fn span(class: impl Into<Text>) -> El {
    el("span").class(class)
}

/// Creates an SVG `g` with these classes, separated by spaces; no class attribute if `class` is empty.
pub fn g(class: impl Into<Text>) -> El {
    el("g").class(class)
}

/// Creates a bold text: a `b` element with one text node.
pub fn b(text: impl Into<Text>) -> El {
    el("b").text(text)
}

/// Creates an SVG `path` with these classes (none if `class` is empty) and the path data `d`.
pub fn path(class: impl Into<Text>, d: impl Into<Text>) -> El {
    el("path").class(class).set("d", d)
}

impl El {
    /// Sets an attribute and returns the element. Replaces an earlier value of that name.
    pub fn set(mut self, name: &'static str, value: impl Into<Text>) -> Self {
        let value = value.into();
        match self.attrs.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => self.attrs.push((name, value)),
        }
        self
    }

    /// Sets a number as an attribute, rounded to one decimal ([`short`]), and returns the element.
    pub fn num(self, name: &'static str, value: f32) -> Self {
        self.set(name, short(value))
    }

    /// Sets an attribute if the condition holds; otherwise leaves the element, with an earlier value, as it is.
    /// Returns the element.
    pub fn set_if(self, holds: bool, name: &'static str, value: impl Into<Text>) -> Self {
        if holds { self.set(name, value) } else { self }
    }

    /// Returns the value of the attribute of this name; `None` if it is not set.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_ref())
    }

    /// Adds classes, separated by spaces, to those that the element has; nothing if `class` is empty. Repeated
    /// classes are not removed. Returns the element.
    pub fn class(self, class: impl Into<Text>) -> Self {
        let class = class.into();
        if class.is_empty() {
            return self;
        }
        match self.get("class") {
            Some(old) => {
                let both = format!("{old} {class}");
                self.set("class", both)
            }
            None => self.set("class", class),
        }
    }

    /// Adds classes if the condition holds; otherwise changes nothing. Returns the element.
    pub fn class_if(self, holds: bool, class: impl Into<Text>) -> Self {
        if holds { self.class(class) } else { self }
    }

    /// Names a piece (`data-token`), so that the page animates its move when the name appears elsewhere in the next
    /// drawing. The name must be unique on the board. Returns the element.
    pub fn token(self, name: impl std::fmt::Display) -> Self {
        self.set("data-token", name.to_string())
    }

    /// Names a number (`data-tick`), so that a change counts up or down and shows the difference for a moment.
    /// Returns the element.
    pub fn tick(self, name: impl std::fmt::Display) -> Self {
        self.set("data-tick", name.to_string())
    }

    /// Names a die (`data-die`) with this number of sides, so that a new roll tumbles to its value. Returns the
    /// element.
    pub fn die(self, name: impl std::fmt::Display, sides: u32) -> Self {
        self.set("data-die", name.to_string()).set("data-sides", sides.to_string())
    }

    /// Adds a child, an element or a text, after the others. Returns the element.
    pub fn kid(mut self, kid: impl Into<MarkupNode>) -> Self {
        self.kids.push(kid.into());
        self
    }

    /// Adds a child after the others if it is `Some`. Returns the element.
    pub fn kid_if(self, kid: Option<impl Into<MarkupNode>>) -> Self {
        match kid {
            Some(kid) => self.kid(kid),
            None => self,
        }
    }

    /// Adds children after the others, in their order. Returns the element.
    pub fn kids(mut self, kids: impl IntoIterator<Item = impl Into<MarkupNode>>) -> Self {
        self.kids.extend(kids.into_iter().map(Into::into));
        self
    }

    /// Adds a text node after the other children; markup in it is shown as it is. Returns the element.
    pub fn text(self, text: impl Into<Text>) -> Self {
        self.kid(MarkupNode::Text(text.into()))
    }
}

impl From<El> for MarkupNode {
    /// Wraps an element as a node.
    fn from(el: El) -> Self {
        MarkupNode::El(el)
    }
}
impl From<String> for MarkupNode {
    /// Makes a text node of a string; markup in it is shown as it is.
    fn from(text: String) -> Self {
        MarkupNode::Text(text.into())
    }
}
impl From<&'static str> for MarkupNode {
    /// Makes a text node of a static string, without a copy; markup in it is shown as it is.
    fn from(text: &'static str) -> Self {
        MarkupNode::Text(text.into())
    }
}

/// Formats a number rounded to one decimal, without the decimal if it is 0, as for coordinates: `1.3`, `-1.5`, `12`.
/// The minus is a hyphen.
pub fn short(value: f32) -> String {
    let tenths = (value * 10.0).round() as i64;
    if tenths % 10 == 0 {
        return (tenths / 10).to_string();
    }
    let sign = if tenths < 0 { "-" } else { "" };
    format!("{sign}{}.{}", (tenths / 10).abs(), (tenths % 10).abs())
}

/// Formats a number with its sign: `+3`, `+0`, `−3`. The minus is the typographic one (U+2212).
pub fn signed(n: i64) -> String {
    if n < 0 { format!("−{}", -n) } else { format!("+{n}") }
}

/// Formats points for the SVG attribute `points`: `0,1.5 2,-3`.
pub fn points(list: impl IntoIterator<Item = (f32, f32)>) -> String {
    let each: Vec<String> = list.into_iter().map(|(x, y)| format!("{},{}", short(x), short(y))).collect();
    each.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_there_once_and_classes_add_up() {
        let made = el("g").set("x", "1").set("x", "2").class("a").class("").class_if(false, "b").class("c");
        assert_eq!((made.get("x"), made.get("class")), (Some("2"), Some("a c")));
        assert_eq!(made.attrs.len(), 2);
    }

    #[test]
    fn numbers_are_short() {
        let all: Vec<String> = [0.0, -0.04, 1.25, -1.5, 12.0, -0.55].into_iter().map(short).collect();
        assert_eq!(all, ["0", "0", "1.3", "-1.5", "12", "-0.6"]);
        assert_eq!(points([(0.0, 1.5), (2.0, -3.0)]), "0,1.5 2,-3");
        assert_eq!((signed(-3), signed(0)), ("−3".to_string(), "+0".to_string()));
    }
}
