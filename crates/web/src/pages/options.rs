//! The options of a game in the set-up: presets, rules, and tuning numbers, which are folded by group and can be
//! searched.

use crate::option_names::{described, groups, spoken, title};
use crate::{boards, files};
use leptos::prelude::*;
use pentarchy_engine::options::{OptionKind, get};
use pentarchy_engine::{Field, Preset};
use serde_json::{Map, Value};

/// The options that the player has changed.
type Changes = RwSignal<Map<String, Value>>;

/// Renders the options of a game: its presets, those for players under "Rules", tuning numbers under "Advanced
/// settings", and the buttons for preset files. The player's changes go to `changes`, which has only options
/// that differ from their defaults; `defaults` is the object of the default values of all options.
pub fn rules_of(
    game: &'static boards::GameListing,
    changes: Changes,
    defaults: StoredValue<Value>,
) -> impl IntoView {
    let part =
        |tuning: bool| game.fields.iter().filter(|f| f.tuning == tuning).collect::<Vec<&'static Field>>();
    let (rules, numbers) = (part(false), part(true));
    let presets_of = game.presets;
    let rules = (!rules.is_empty()).then(|| fold("Rules".to_string(), rules, changes, defaults, presets_of));
    let numbers = (!numbers.is_empty()).then(|| advanced(numbers, changes, defaults, presets_of));
    let files = (!game.fields.is_empty()).then(|| preset_files(game, changes));
    view! { {presets(game.presets, changes)} {rules} {numbers} {files} }
}

/// Renders the buttons that load options from a preset file, which replaces all of `changes`, and that save
/// `changes` as one, with a line that says what has happened. A file that cannot be read changes nothing.
fn preset_files(game: &'static boards::GameListing, changes: Changes) -> impl IntoView {
    let said = RwSignal::new(Ok(String::new()));
    let load = move |_| {
        files::pick_text(".toml,.json", move |file, text| {
            let result = game.read_preset(&text).map_err(|error| format!("Cannot load {file}: {error}."));
            let result = result.map(|preset| {
                let name = if preset.name.is_empty() { file } else { preset.name };
                // The set-up may have been closed in the meantime.
                let _ = changes.try_set(preset.changes);
                format!("Loaded “{name}”.")
            });
            let _ = said.try_set(result);
        });
    };
    let save = move |_| {
        let name = format!("{}-preset.json", game.info.name);
        files::download(&name, &changes.with_untracked(|all| game.preset_text("My options", all)));
        said.set(Ok(format!("Saved as {name}.")));
    };
    view! {
        <div class="under" id="preset-files">
            <button class="btn sm add" id="load-preset" on:click=load>"Load preset file…"</button>
            <button class="btn sm add" id="save-preset" on:click=save>"Save preset file"</button>
            <p class="lbl2" role="status" class:bad=move || said.with(Result::is_err)>{move || said.get().unwrap_or_else(|error| error)}</p>
        </div>
    }
}

/// Renders the options `fields` folded under a title, with the name of the preset or the number of
/// changed ones. The player's changes go to `changes`; `defaults` are the default values of all
/// options.
fn fold(
    title: String,
    fields: Vec<&'static Field>,
    changes: Changes,
    defaults: StoredValue<Value>,
    presets: &'static [Preset],
) -> impl IntoView {
    let changed = changed(fields.clone(), changes, presets);
    let options = fields.into_iter().map(|field| option(field, changes, defaults)).collect_view();
    view! {
        <details class="fold">
            <summary>{title} <small>{changed}</small></summary>
            <div class="opts">{options}</div>
        </details>
    }
}

/// Returns a function that formats the state of these options: the name of the preset that equals all of
/// `changes`, in lower case; otherwise `standard`, or the number of changed options among `fields`, as in `2
/// changed`. It tracks `changes`.
fn changed(
    fields: Vec<&'static Field>,
    changes: Changes,
    presets: &'static [Preset],
) -> impl Fn() -> String + Clone + Send + 'static {
    move || {
        let preset = presets.iter().find(|preset| changes.with(|changes| *changes == values(preset)));
        if let Some(preset) = preset {
            return preset.name.to_lowercase();
        }
        match changes.with(|all| fields.iter().filter(|field| all.contains_key(field.name)).count()) {
            0 => "standard".to_string(),
            n => format!("{n} changed"),
        }
    }
}

/// Returns the options that a preset sets, by name: those that differ from the defaults.
fn values(preset: &Preset) -> Map<String, Value> {
    (preset.options)().as_object().cloned().unwrap_or_default()
}

/// Renders the tuning options `fields`: a search field and collapsed groups. A search replaces the
/// groups by a list of the options that contain all its words. The player's changes go to
/// `changes`; `defaults` are the default values of all options, and `presets` name the state of a
/// group.
fn advanced(
    fields: Vec<&'static Field>,
    changes: Changes,
    defaults: StoredValue<Value>,
    presets: &'static [Preset],
) -> impl IntoView {
    let wanted = RwSignal::new(String::new());
    let is_found = |field: &Field, wanted: &str| {
        let text = format!("{} {}", spoken(field.name), field.doc).to_lowercase();
        wanted.to_lowercase().split_whitespace().all(|word| text.contains(word))
    };
    let total = fields.len();
    let of_all = changed(fields.clone(), changes, presets);
    let groups = StoredValue::new(groups(&fields));
    let searched = StoredValue::new(fields);
    let list = move || {
        let wanted = wanted.get();
        if wanted.trim().is_empty() {
            let folds = groups
                .get_value()
                .into_iter()
                .map(|(title, fields)| fold(title, fields, changes, defaults, presets));
            return view! { <div class="groups">{folds.collect_view()}</div> }.into_any();
        }
        let found: Vec<&'static Field> =
            searched.with_value(|all| all.iter().copied().filter(|f| is_found(f, &wanted)).collect());
        if found.is_empty() {
            return view! { <p class="lbl2" role="status">{format!("No setting has “{}”.", wanted.trim())}</p> }.into_any();
        }
        let options = found.into_iter().map(|field| option(field, changes, defaults)).collect_view();
        view! { <div class="opts">{options}</div> }.into_any()
    };
    view! {
        <details class="fold" id="advanced">
            <summary>"Advanced settings" <small>{of_all}</small></summary>
            <input
                class="fld find"
                type="search"
                placeholder=format!("Search {total} settings")
                aria-label="Search the advanced settings"
                autocomplete="off"
                on:input=move |event| wanted.set(event_target_value(&event))
            />
            {list}
        </details>
    }
}

/// Renders the presets; nothing if there are none. Choosing one replaces all of `changes`; the one that
/// equals them is marked.
pub fn presets(all: &'static [Preset], changes: Changes) -> impl IntoView {
    let chips = all.iter().map(move |preset| {
        let on = move || changes.with(|changes| *changes == values(preset));
        view! {
            <button
                class="chip"
                class:on=on
                role="radio"
                aria-checked=move || on().to_string()
                title=preset.about
                on:click=move |_| changes.set(values(preset))
            >
                {preset.name}
            </button>
        }
    });
    let about = move || {
        let on = all.iter().find(|preset| changes.with(|changes| *changes == values(preset)));
        on.map_or("Your own options.", |preset| preset.about)
    };
    (!all.is_empty()).then(|| {
        view! {
            <div class="chips presets" role="radiogroup" aria-label="Preset">
                <span class="lbl">"Preset"</span>
                {chips.collect_view()}
                <small>{about}</small>
            </div>
        }
    })
}

/// Renders one option: its name, effect, default, and input. Its value goes to `changes`; one equal to the
/// default of `defaults` is removed from there. Numbers are limited to their range. A text that is no number
/// sets an option that may be automatic to automatic, and is ignored otherwise.
pub fn option(field: &'static Field, changes: Changes, defaults: StoredValue<Value>) -> impl IntoView {
    let default = defaults.with_value(|all| get(all, field.name).cloned().unwrap_or(Value::Null));
    let usual = default.clone();
    let value =
        Signal::derive(move || changes.with(|c| c.get(field.name).cloned()).unwrap_or_else(|| usual.clone()));
    let usual = default.clone();
    let set = move |value: Value| {
        changes.update(|changes| {
            if value == usual {
                changes.remove(field.name);
            } else {
                changes.insert(field.name.to_string(), value);
            }
        });
    };
    let changed = move || changes.with(|c| c.contains_key(field.name));
    let label = title(field);
    let name = label.clone();
    let about = (label != described(field)).then(|| format!("{}. ", described(field)));
    let control = match field.kind {
        OptionKind::Flag => {
            let on = move || value.get() == Value::Bool(true);
            view! {
                <button class="tog" class:on=on role="switch" aria-label=name aria-checked=move || on().to_string() on:click=move |_| set(Value::Bool(!on()))><i></i></button>
            }
            .into_any()
        }
        OptionKind::Choice(words) => {
            let entries = words.iter().map(|word| {
                let chosen = move || value.get() == *word;
                view! { <option value=*word prop:selected=chosen>{spoken(word)}</option> }
            });
            view! {
                <select class="fld sel" aria-label=name on:change=move |event| set(Value::from(event_target_value(&event)))>{entries.collect_view()}</select>
            }
            .into_any()
        }
        OptionKind::Int { min, max } | OptionKind::Maybe { min, max } => {
            let maybe = matches!(field.kind, OptionKind::Maybe { .. });
            let shown = move || value.get().as_i64().map_or(String::new(), |n| n.to_string());
            let read = move |event: web_sys::Event| {
                let text = event_target_value(&event);
                match text.trim().parse::<i64>() {
                    Ok(n) => set(Value::from(n.clamp(min, max))),
                    Err(_) if maybe => set(Value::Null),
                    Err(_) => {}
                }
            };
            view! {
                <input
                    class="fld num"
                    type="number"
                    min=min.to_string()
                    max=max.to_string()
                    placeholder=if maybe { "automatic" } else { "" }
                    aria-label=name
                    prop:value=shown
                    on:change=read
                />
            }
            .into_any()
        }
    };
    let said = match &default {
        Value::Null => "automatic".to_string(),
        Value::Bool(on) => if *on { "on" } else { "off" }.to_string(),
        Value::String(word) => spoken(word).to_lowercase(),
        other => other.to_string(),
    };
    view! {
        <div class="opt" class:ch=changed>
            <span>{label}<small>{about} "Standard: " {said} "."</small></span>
            {control}
        </div>
    }
}
