//! Amounts: the amount of a click, the stepper for other amounts, and automatic selection.

use super::Sight;
use crate::app::App;
use crate::board::Key;
use crate::dom;
use crate::page;
use crate::play::Stepper;
use crate::table::ListedAction;
use crate::ui::Amount;
use crate::words::plain;
use leptos::prelude::*;
use pentarchy_engine::sorting::sort_by_key;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Element, HtmlInputElement};

/// A turn with nothing left to do ends after this time without a choice, in milliseconds.
const IDLE: i32 = 3_000;
/// Digits typed within this time form one number, in milliseconds.
const TYPING: f64 = 1_000.0;
/// Size of the stepper, in pixels.
const SIZE: (f64, f64) = (244.0, 208.0);

thread_local! {
    /// The digits typed so far, and the time of the last one.
    static TYPED: RefCell<(String, f64)> = const { RefCell::new((String::new(), 0.0)) };
    /// The piece under the pointer.
    static HOVERED: RefCell<Option<Key>> = const { RefCell::new(None) };
}

/// Returns the number that an action takes directly after the keys `places`, as its last key;
/// `None` if it takes none there.
fn number(choice: &ListedAction, places: &[Key]) -> Option<u32> {
    let ends = choice.path.len() == places.len() + 1 && choice.path.starts_with(places);
    choice.path.last().filter(|_| ends)?.strip_prefix("n ")?.parse().ok()
}

/// Returns those of `choices` that take a number directly after the keys `places`, each with its number,
/// ascending.
fn offered<'a>(choices: &'a [ListedAction], places: &[Key]) -> Vec<(u32, &'a ListedAction)> {
    let mut all: Vec<_> = choices.iter().filter_map(|c| Some((number(c, places)?, c))).collect();
    sort_by_key(&mut all, |(n, _)| *n);
    all
}

/// Returns the one of `choices` that continues the selection `chosen` with the number that a click with this
/// amount gives. `None` if nothing is selected, more than the number is open after the selection, no action
/// continues it, or all its numbers are larger than the amount.
pub fn usual<'a>(choices: &'a [ListedAction], chosen: &[Key], amount: Amount) -> Option<&'a ListedAction> {
    if chosen.is_empty() || choices.iter().any(|c| c.path.starts_with(chosen) && number(c, chosen).is_none())
    {
        return None;
    }
    let all = offered(choices, chosen);
    let n = amount.of(&all.iter().map(|(n, _)| *n).collect::<Vec<_>>());
    all.into_iter().find(|(m, _)| *m == n).map(|(_, choice)| choice)
}

/// Returns the rows of the list, in the order of `choices`: of actions that differ only in the number after
/// other keys, the one that a click with `amount` gives; none if all their numbers are larger.
pub fn listed(choices: &[ListedAction], amount: Amount) -> Vec<ListedAction> {
    let mut out: Vec<ListedAction> = Vec::new();
    let mut done: Vec<&[Key]> = Vec::new();
    for choice in choices {
        let Some((last, places)) = choice.path.split_last() else {
            out.push(choice.clone());
            continue;
        };
        if !last.starts_with("n ") || places.is_empty() {
            out.push(choice.clone());
        } else if !done.contains(&places) {
            done.push(places);
            let all = offered(choices, places);
            let n = amount.of(&all.iter().map(|(n, _)| *n).collect::<Vec<_>>());
            out.extend(all.into_iter().find(|(m, _)| *m == n).map(|(_, choice)| choice.clone()));
        }
    }
    out
}

/// Returns the path of an action without a number at its end; the whole path if the number is its only key.
fn places_of(choice: &ListedAction) -> &[Key] {
    match choice.path.split_last() {
        Some((last, places)) if last.starts_with("n ") && !places.is_empty() => places,
        _ => &choice.path[..],
    }
}

/// Returns the key of the amount whose click gives the number of this action. `None` if the action takes no
/// number, the current amount already gives it, or no amount with a button on the page does.
pub fn other_amount(app: App, choice: &ListedAction) -> Option<&'static str> {
    let places = places_of(choice);
    let wanted = number(choice, places)?;
    let numbers: Vec<u32> = offered(&app.play.legal_actions(), places).iter().map(|(n, _)| *n).collect();
    if app.play.click_amount().of(&numbers) == wanted {
        return None;
    }
    let other = Amount::ALL.into_iter().filter(|a| a.of(&numbers) == wanted);
    // The first one whose button exists.
    other.map(Amount::key).find(|key| piece(key).is_some())
}

/// Returns the key of the piece or button to click next in order to play this action: a button for its amount
/// if another one is set, the key that follows the selection, or its first key if the selection does not lead
/// to it. `None` if the action has no keys.
pub fn next_click(app: App, choice: &ListedAction) -> Option<Key> {
    let play = app.play;
    let (choices, chosen) = (play.legal_actions(), play.chosen.get());
    if let Some(key) = other_amount(app, choice) {
        return Some(key.to_string());
    }
    let places = places_of(choice);
    let next = places.get(chosen.len()).filter(|_| places.starts_with(&chosen));
    let begins = |key: &Key| choices.iter().any(|c| c.path.first() == Some(key));
    match next {
        // The click would replace the page's preselection.
        Some(key) if play.preselected.get() && begins(key) => places.first().cloned(),
        Some(key) => Some(key.clone()),
        None => places.first().cloned(),
    }
}

/// Returns the first element of the page with this `data-key`; `None` if there is none.
fn piece(key: &str) -> Option<Element> {
    let selector = format!("[data-key={}]", serde_json::to_string(key).ok()?);
    page::document()?.query_selector(&selector).ok().flatten()
}

/// Returns the keys that lead to a number at the piece with this key: the selection and the piece if an action
/// takes a number there, otherwise the piece alone. `None` if no number can be chosen there.
fn places(app: App, key: &str) -> Option<Vec<Key>> {
    let choices = app.play.legal_actions();
    let mut path = app.play.chosen.get_untracked();
    path.push(key.to_string());
    [path, vec![key.to_string()]].into_iter().find(|path| !offered(&choices, path).is_empty())
}

/// Returns whether the player at the screen has to decide and a number can be chosen at this piece.
pub fn is_target(app: App, key: &str) -> bool {
    app.play.is_own_decision() && places(app, key).is_some()
}

/// Opens the stepper at the piece with this key, with the largest allowed number up to `wanted`, otherwise
/// the smallest, or with the amount of a click for `None`; selects the keys before it and hides the tooltip.
/// Returns `false`, and changes nothing, if the player does not have to decide, no number can be chosen there
/// or the piece is not on the page.
pub fn open_stepper(app: App, key: &str, wanted: Option<u32>) -> bool {
    let play = app.play;
    let Some(path) = places(app, key).filter(|_| play.is_own_decision()) else { return false };
    let Some(target) = piece(key) else { return false };
    let choices = play.legal_actions();
    let numbers: Vec<u32> = offered(&choices, &path).iter().map(|(n, _)| *n).collect();
    let n = wanted.map_or_else(|| play.click_amount().of(&numbers), |wanted| nearest(&numbers, wanted));
    let source = path.split_last().and_then(|(_, before)| piece(before.last()?));
    let (left, top) = beside(&target, source.as_ref());
    play.chosen.set(path[..path.len() - 1].to_vec());
    play.preselected.set(false);
    super::about::hide(app);
    play.stepper.set(Some(Stepper { path, n, left, top }));
    true
}

/// Returns the largest of these ascending numbers that is at most `wanted`, otherwise the smallest; 0 if
/// there are none.
fn nearest(numbers: &[u32], wanted: u32) -> u32 {
    numbers.iter().copied().rfind(|&n| n <= wanted).or(numbers.first().copied()).unwrap_or(0)
}

/// Returns the position (left, top) of the stepper in pixels: right of the target, otherwise left, below or
/// above it. It is the first place within the board that does not cover the source; if there is none, above
/// the target.
fn beside(target: &Element, source: Option<&Element>) -> (f64, f64) {
    let (place, (wide, high)) = (target.get_bounding_client_rect(), SIZE);
    let board = page::document().and_then(|d| d.query_selector("#board").ok().flatten());
    let frame = board.map_or_else(|| target.get_bounding_client_rect(), |b| b.get_bounding_client_rect());
    let within = |at: f64, low: f64, high: f64| at.max(low).min(high.max(low));
    let middle = within(
        place.top() + place.height() / 2.0 - high / 2.0,
        frame.top() + 8.0,
        frame.bottom() - high - 8.0,
    );
    let centre = within(
        place.left() + place.width() / 2.0 - wide / 2.0,
        frame.left() + 8.0,
        frame.right() - wide - 8.0,
    );
    let spots = [
        (place.right() + 10.0, middle),
        (place.left() - wide - 10.0, middle),
        (centre, place.bottom() + 10.0),
        (centre, place.top() - high - 10.0),
    ];
    let from = source.map(|source| source.get_bounding_client_rect());
    let free = |&&(x, y): &&(f64, f64)| {
        let inside =
            x >= frame.left() && x + wide <= frame.right() && y >= frame.top() && y + high <= frame.bottom();
        let clear = from
            .as_ref()
            .is_none_or(|r| x > r.right() || x + wide < r.left() || y > r.bottom() || y + high < r.top());
        inside && clear
    };
    let found = spots.iter().find(free).copied();
    found.unwrap_or((centre, (place.top() - high - 10.0).max(8.0)))
}

/// Closes the stepper. Returns `false` if it was not open.
pub fn close_stepper(app: App) -> bool {
    let any = app.play.stepper.with_untracked(Option::is_some);
    if any {
        app.play.stepper.set(None);
    }
    any
}

/// Runs a button of the stepper: `less` and `more` go to the next allowed number, `all` to the largest; `go`
/// closes the stepper, remembers the piece where the action begins for the next decision, and plays the action
/// without a confirmation. Anything else is the index of a number among the allowed ones, from the slider; one
/// that does not exist changes nothing. Does nothing if the stepper is not open.
pub fn run_stepper(app: App, how: &str) {
    let play = app.play;
    let Some(stepper) = play.stepper.get_untracked() else { return };
    let choices = play.legal_actions();
    let all = offered(&choices, &stepper.path);
    let numbers: Vec<u32> = all.iter().map(|(n, _)| *n).collect();
    let at = numbers.iter().position(|&n| n == stepper.n).unwrap_or(0);
    let next = match how {
        "go" => {
            let chosen = all.iter().find(|(n, _)| *n == stepper.n).map(|(_, c)| c.action.clone());
            play.last.set_value(stepper.path.first().filter(|_| stepper.path.len() > 1).cloned());
            play.stepper.set(None);
            return chosen.iter().for_each(|action| app.play_action(action));
        }
        "less" => at.saturating_sub(1),
        "more" => (at + 1).min(numbers.len().saturating_sub(1)),
        "all" => numbers.len().saturating_sub(1),
        other => other.parse().unwrap_or(at),
    };
    if let Some(&n) = numbers.get(next) {
        play.stepper.set(Some(Stepper { n, ..stepper }));
    }
}

/// Handles a digit: opens the stepper with the typed number, at the piece where it is open, otherwise the
/// focused piece or the piece under the pointer. Digits within [`TYPING`] milliseconds form one number.
/// Returns `false` if no number can be chosen there, or the number is 0; a 0 is still remembered as a digit.
pub fn typed(app: App, digit: &str) -> bool {
    let open_at = app.play.stepper.with_untracked(|s| s.as_ref().and_then(|s| s.path.last().cloned()));
    let focused = page::document().and_then(|d| dom::focused_key(&d));
    let hovered = HOVERED.with_borrow(Clone::clone);
    let target = [open_at, focused, hovered].into_iter().flatten().find(|key| is_target(app, key));
    let Some(key) = target else { return false };
    let wanted = TYPED.with_borrow_mut(|(text, when)| {
        let now = crate::clock::now();
        if now - *when > TYPING {
            text.clear();
        }
        *when = now;
        text.push_str(digit);
        text.parse::<u32>().unwrap_or(u32::MAX)
    });
    wanted > 0 && open_stepper(app, &key, Some(wanted))
}

/// Handles the wheel over the piece with this key: opens the stepper there and changes its number by one
/// allowed number, to a larger one if `up`. Returns `false`, and does nothing, if no number can be chosen
/// there.
pub fn turned(app: App, key: &str, up: bool) -> bool {
    let is_open = app
        .play
        .stepper
        .with_untracked(|s| s.as_ref().is_some_and(|s| s.path.last().is_some_and(|k| k == key)));
    if is_open || open_stepper(app, key, None) {
        run_stepper(app, if up { "more" } else { "less" });
        return true;
    }
    false
}

/// Sets the piece under the pointer, for typed digits; `None` if there is none.
pub fn hover(key: Option<Key>) {
    HOVERED.set(key);
}

/// Sets the amount of a click for the current step of the turn, by the word after `amount` in the amount's
/// key: `one`, `five`, `half` or `all`. It holds until it is changed or another match begins. Other words are
/// ignored.
pub fn choose_amount(app: App, word: &str) {
    let play = app.play;
    let chosen = Amount::ALL.into_iter().find(|a| a.key().strip_prefix("amount ") == Some(word));
    let step = play.with_match_untracked(|table| table.usual_amount().0).unwrap_or(0);
    if let Some(amount) = chosen {
        play.amounts.update(|amounts| {
            amounts.insert(step, amount);
        });
    }
}

/// Starts an effect that runs at every decision of the player. If nothing is selected, it selects the piece
/// where the last move began, if an action of more than two keys begins there, or preselects what the board
/// proposes. If the preferences say so, it ends a turn with nothing left to do after [`IDLE`] milliseconds,
/// unless the player has chosen to stay or follows the guide, bots are paused, or the match has changed
/// meanwhile. Call it once per screen.
pub fn watch(app: App, sight: Sight) {
    let play = app.play;
    Effect::new(move |_| {
        let version = play.version.get();
        let _ = (play.at.get(), play.curtain.get());
        if !play.is_own_decision()
            || !play.chosen.with_untracked(Vec::is_empty)
            || play.at.get_untracked().is_some()
        {
            return;
        }
        let last = play.last.get_value();
        let begins = |key: &Key| {
            sight
                .choices
                .with_untracked(|all| all.iter().any(|c| c.path.len() > 2 && c.path.first() == Some(key)))
        };
        if let Some(key) = last.clone().filter(|key| begins(key)) {
            play.chosen.set(vec![key]);
        } else if let Some(key) =
            play.with_match_untracked(|table| table.preselect(last.as_deref())).flatten()
        {
            play.chosen.set(vec![key]);
            play.preselected.set(true);
        }
        // End the turn automatically.
        let idle = sight.scene.with_untracked(|s| s.as_ref().and_then(|s| s.idle.clone()));
        let ends = app.settings.get_untracked().auto_end && app.guide.get_untracked().is_none();
        let Some(done) = idle.filter(|_| ends && untrack(|| may_end(app, sight))) else { return };
        spawn_local(async move {
            page::sleep(IDLE).await;
            let waits =
                play.version.get_untracked() == version && play.stays.get_untracked() != Some(version);
            if waits && untrack(|| play.is_own_decision()) && !play.paused.get_untracked() {
                app.play_action(&done);
            }
        });
    });
}

/// Returns whether the page may end the turn by itself: always at a local match, whose player can undo it; at
/// an online table only if one action is legal. Does not check the preferences.
fn may_end(app: App, sight: Sight) -> bool {
    !app.online.is_online() || sight.choices.with(|choices| choices.len() == 1)
}

/// Returns whether the turn is about to end automatically: the setting is on, the page may end it, there is
/// no guide, and the player has not chosen to stay at this position. `idle` is the action that ends the turn;
/// `None` while there is something to do, and then the result is `false`.
pub fn ends_soon(app: App, sight: Sight, idle: Option<&String>) -> bool {
    let play = app.play;
    idle.is_some()
        && may_end(app, sight)
        && app.settings.get().auto_end
        && app.guide.get().is_none()
        && play.stays.get() != Some(play.version.get())
}

/// Renders the stepper while it is open and its number is legal: the number with buttons for more and fewer,
/// a slider whose losing part is red, the first number that wins, the outcome, and buttons to go back and to
/// play.
pub fn stepper(app: App) -> impl IntoView {
    let play = app.play;
    move || {
        let stepper = play.stepper.get()?;
        let choices = untrack(|| play.legal_actions());
        let all = offered(&choices, &stepper.path);
        let (most, _) = *all.last()?;
        let at = all.iter().position(|(n, _)| *n == stepper.n)?;
        let (n, choice) = all[at];
        let ui = untrack(|| play.ui(&[]));
        let last = all.len() - 1;
        // The part of the slider that loses, and the first number that wins.
        let first_win = all.iter().position(|(_, c)| !c.fails).filter(|&i| i > 0);
        let part = |i: usize| if last == 0 { 100.0 } else { 100.0 * i as f64 / last as f64 };
        let red = if all.iter().all(|(_, c)| c.fails) { 100.0 } else { first_win.map_or(0.0, part) };
        let style = format!("left:{}px;top:{}px", stepper.left, stepper.top);
        let slide = move |event: web_sys::Event| {
            let input = event.target().and_then(|t| t.dyn_into::<HtmlInputElement>().ok());
            if let Some(input) = input {
                run_stepper(app, &input.value());
            }
        };
        let mark = first_win
            .map(|i| view! { <b style=format!("left:{}%", part(i))>{format!("{} wins", all[i].0)}</b> });
        let (consequence, verb) = (plain(&choice.ask.consequence, &ui), choice.ask.verb.clone());
        Some(view! {
            <div class="stepper" role="dialog" aria-label="How many" style=style>
                <div class="r1">
                    <button class="rb" data-do="step less" aria-label="Fewer" aria-disabled=(at == 0).to_string()>"−"</button>
                    <span class="num" role="status">{n}" "<small>{format!("of {most}")}</small></span>
                    <button class="rb" data-do="step more" aria-label="More" aria-disabled=(at == last).to_string()>"+"</button>
                </div>
                <div class="slide" style=format!("--red:{red}%")>
                    <input type="range" min="0" max=last.to_string() prop:value=at.to_string() aria-label="How many" aria-valuetext=n.to_string() on:input=slide/>
                    {mark}
                </div>
                <p class="out">{consequence}</p>
                <div class="r3">
                    <button class="btn ghost" data-do="step close">"Back"</button>
                    <button class="btn go" data-do="step go">{verb}</button>
                </div>
            </div>
        })
    }
}
