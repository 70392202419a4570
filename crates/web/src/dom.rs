//! Updates a part of the page to a tree of elements, changing only what differs.
//!
//! Elements are matched by position, so focus and running transitions survive. Elements that move are found again
//! by their `data-token`, see `motion`.

use crate::markup::{El, MarkupNode};
use wasm_bindgen::JsCast;
use web_sys::{Document, Element};

const SVG: &str = "http://www.w3.org/2000/svg";

/// A part of the page that shows a tree.
pub struct Mounted {
    root: Element,
    shown: Vec<MarkupNode>,
}

impl Mounted {
    /// Takes over an element and removes its content. Nothing else may change its children from then on.
    pub fn new(root: Element) -> Self {
        root.set_text_content(None);
        Mounted { root, shown: Vec::new() }
    }

    /// Updates the element to show this tree, changing only what differs. If the update takes the focus from
    /// an element with a key, the first element below this one that has the key now gets it; if there is
    /// none, the focus is lost.
    pub fn show(&mut self, next: Vec<MarkupNode>) {
        let Some(document) = self.root.owner_document() else { return };
        let focused = focused_key(&document);
        patch(&document, &self.root, &self.shown, &next, false);
        self.shown = next;
        if let Some(key) = focused
            && focused_key(&document).as_deref() != Some(&key)
        {
            focus_key(&self.root, &key);
        }
    }
}

/// Builds an element and appends it to another. Does nothing if the browser rejects its tag.
pub fn add(parent: &Element, el: El) {
    let made = parent.owner_document().and_then(|document| build(&document, &el.into(), false));
    if let Some(made) = made {
        let _ = parent.append_child(&made);
    }
}

/// Returns the `data-key` of the focused element; `None` if nothing is focused or it has no key.
pub fn focused_key(document: &Document) -> Option<String> {
    document.active_element().and_then(|e| e.get_attribute("data-key"))
}

/// Returns the first element below `root` with this `data-key`; `None` if there is none.
pub fn find_key(root: &Element, key: &str) -> Option<Element> {
    let list = root.query_selector_all("[data-key]").ok()?;
    (0..list.length())
        .filter_map(|i| list.item(i)?.dyn_into::<Element>().ok())
        .find(|e| e.get_attribute("data-key").as_deref() == Some(key))
}

/// Focuses the first element below `root` with this `data-key`. Returns whether there is one.
pub fn focus_key(root: &Element, key: &str) -> bool {
    let found = find_key(root, key);
    if let Some(found) = &found {
        focus(found);
    }
    found.is_some()
}

/// Focuses an HTML or SVG element. Does nothing if it cannot have the focus.
pub fn focus(element: &Element) {
    let _ = match element.dyn_ref::<web_sys::SvgElement>() {
        Some(svg) => svg.focus(),
        None => element.unchecked_ref::<web_sys::HtmlElement>().focus(),
    };
}

/// Updates the children of `parent` from `old` to `new`, matched by position. `parent` must show `old`; `svg`
/// says whether new elements are SVG.
fn patch(document: &Document, parent: &Element, old: &[MarkupNode], new: &[MarkupNode], svg: bool) {
    for (i, next) in new.iter().enumerate() {
        let there = parent.child_nodes().item(i as u32);
        match (old.get(i), next, there) {
            (Some(MarkupNode::Text(a)), MarkupNode::Text(b), Some(there)) => {
                if a != b {
                    there.set_text_content(Some(b));
                }
            }
            (Some(MarkupNode::El(a)), MarkupNode::El(b), Some(there)) if a.tag == b.tag => {
                patch_element(document, there.unchecked_ref(), a, b, svg);
            }
            (_, next, there) => {
                let Some(made) = build(document, next, svg) else { continue };
                let _ = match there.filter(|_| i < old.len()) {
                    Some(there) => parent.replace_child(&made, &there),
                    None => parent.append_child(&made),
                };
            }
        }
    }
    for _ in new.len()..old.len() {
        if let Some(last) = parent.last_child() {
            let _ = parent.remove_child(&last);
        }
    }
}

/// Updates the attributes and children of an element that shows `old` to `new`. Both must have the same tag;
/// `svg` says whether the parent is SVG.
fn patch_element(document: &Document, there: &Element, old: &El, new: &El, svg: bool) {
    if old == new {
        return;
    }
    for (name, _) in old.attrs.iter().filter(|(name, _)| new.get(name).is_none()) {
        let _ = there.remove_attribute(name);
    }
    for (name, value) in new.attrs.iter().filter(|(name, value)| old.get(name) != Some(value)) {
        let _ = there.set_attribute(name, value);
    }
    // The content of a foreign object is HTML again.
    let svg = (svg || new.tag == "svg") && new.tag != "foreignObject";
    patch(document, there, &old.kids, &new.kids, svg);
}

/// Creates the nodes of a tree, not yet in the document; `None` if the browser rejects the tag. Children that
/// it rejects are left out. `svg` says whether the parent is SVG.
fn build(document: &Document, node: &MarkupNode, svg: bool) -> Option<web_sys::Node> {
    match node {
        MarkupNode::Text(text) => Some(document.create_text_node(text).into()),
        MarkupNode::El(el) => {
            let svg = svg || el.tag == "svg";
            let made = if svg {
                document.create_element_ns(Some(SVG), el.tag)
            } else {
                document.create_element(el.tag)
            };
            let made = made.ok()?;
            for (name, value) in &el.attrs {
                let _ = made.set_attribute(name, value);
            }
            // The content of a foreign object is HTML again.
            let svg = svg && el.tag != "foreignObject";
            for kid in &el.kids {
                if let Some(kid) = build(document, kid, svg) {
                    let _ = made.append_child(&kid);
                }
            }
            Some(made.into())
        }
    }
}
