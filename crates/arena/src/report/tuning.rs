//! The page of a tuning run: the trade-offs between the goals, in the style of the balance report.

use super::text::{join_percent, thousands};
use super::{STYLE, svg};
use crate::tune::design::{DesignTuning, TunedDesign, TunedSetting};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::{Value, json};

/// Returns the whole page as HTML without external files. `command` is the command line that reproduces it.
/// Everything is escaped. `found` must have at least one setting.
pub fn page(tuning: &DesignTuning, found: &TunedDesign, command: &str) -> String {
    let info = tuning.game.info();
    let bots: Vec<String> = tuning.bots.iter().map(ToString::to_string).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (info.title) ": tuning" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    header {
                        p.eyebrow { "Tuning report" }
                        h1 { (info.title) }
                        ul.meta {
                            li { b { (thousands(found.games)) } " games" }
                            li { b { (thousands(found.tried as u64)) } " settings" }
                            li { b { (tuning.seats) } " seats" }
                            li { "played by " b { (bots.join(", ")) } }
                            li { "design: " (info.designer) }
                        }
                    }
                    (summary(tuning, found))
                    (trade_offs(tuning, found))
                    (cloud(found))
                    footer {
                        h3 { "How this was made" }
                        p {
                            "The optimiser (NTBEA) proposed settings near the designer's numbers, from seed " (tuning.seed)
                            ". All settings played the same dice with " (bots.first().map_or("", String::as_str)) "; one that was \
                            surely worse than the best so far was given up early. The settings below are those that no other one \
                            beats in all goals and in the distance from the designer's numbers. They were then confirmed on fresh \
                            dice by every bot. Bots are not people: let people play a setting before you print it."
                        }
                        p { "The same page again: " code { (join_percent(command)) } }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// Returns the section with the result in plain words: the goals, the best setting, and where bots disagree.
/// `found` must have at least one setting.
fn summary(tuning: &DesignTuning, found: &TunedDesign) -> Markup {
    let best = &found.settings[found.best];
    let met = |setting: &TunedSetting| {
        let met =
            |goal: &&crate::tune::goal::Goal| setting.confirmed.iter().all(|sample| goal.is_met(sample));
        tuning.goals.iter().filter(met).count()
    };
    let goals: Vec<String> = tuning.goals.iter().map(ToString::to_string).collect();
    let verdict = if found.best == 0 {
        "No other setting was confirmed as better than the designer's numbers.".to_string()
    } else {
        format!(
            "The best setting is {}: it meets {} of {} goals with every bot, the designer's numbers meet {}.",
            changes(best),
            met(best),
            tuning.goals.len(),
            met(&found.settings[0])
        )
    };
    html! {
        section {
            h2 { "In short" }
            ul.short {
                li.note { span.tag { "Goals" } span { (join_percent(&goals.join(", "))) } }
                li class=(if met(best) == tuning.goals.len() { "good" } else { "note" }) {
                    span.tag { "Result" }
                    span { (join_percent(&verdict)) }
                }
                @for sentence in disagreements(tuning, found) {
                    li.fault { span.tag { "Bots" } span { (join_percent(&sentence)) } }
                }
            }
        }
    }
}

/// Returns the section with a table of the confirmed settings, the best one in bold: what they change, their
/// distance, and the figure of every goal by bot, green if the goal is met.
fn trade_offs(tuning: &DesignTuning, found: &TunedDesign) -> Markup {
    html! {
        section {
            h2 { "Trade-offs" }
            p.lead {
                "Confirmed on fresh dice. Goals that are met are green. Distance is 0 for the designer's numbers and 1 if every \
                number is at the far end of its range."
            }
            div.scroll {
                table {
                    tr {
                        th { "Setting" }
                        th { "Distance" }
                        @for goal in &tuning.goals {
                            @for bot in &tuning.bots { th { (goal.kind.title()) br; small { (bot) } } }
                        }
                    }
                    @for (i, setting) in found.settings.iter().enumerate() {
                        tr {
                            td {
                                @if i == found.best { b { (changes(setting)) } } @else { (changes(setting)) }
                            }
                            td { (format!("{:.2}", setting.distance)) }
                            @for goal in &tuning.goals {
                                @for sample in &setting.confirmed {
                                    td {
                                        span class=(if goal.is_met(sample) { "up" } else { "down" }) {
                                            (goal.figure(sample).map_or("–".to_string(), |f| goal.kind.format(f)))
                                        }
                                        br;
                                        small { (thousands(sample.games())) " games" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Returns the plot of all settings by distance and loss; empty if none was played in full.
fn cloud(found: &TunedDesign) -> Markup {
    if found.cloud.is_empty() {
        return Markup::default();
    }
    html! {
        section {
            h2 { "All settings" }
            div.grid {
                figure {
                    h3 { "Distance and loss" }
                    (PreEscaped(svg::scatter(&found.cloud, "distance from the designer's numbers", "Settings by distance and loss")))
                    figcaption {
                        "Each dot is a setting that was played in full: to the right the distance from the designer's numbers, upwards \
                        how far its games are from the goals. 0 meets all of them."
                    }
                }
            }
        }
    }
}

/// Returns what a setting changes, as text: `tower_cost = 5, farm_cost = 2`, or `the designer's numbers` if
/// nothing.
fn changes(setting: &TunedSetting) -> String {
    let each: Vec<String> = setting.changes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if each.is_empty() { "the designer's numbers".to_string() } else { each.join(", ") }
}

/// Returns a sentence for each goal of the best setting that some bots meet and others do not, in the order
/// of the goals. Empty if there is none. `found` must have at least one setting.
pub fn disagreements(tuning: &DesignTuning, found: &TunedDesign) -> Vec<String> {
    let setting = &found.settings[found.best];
    let sentence = |goal: &crate::tune::goal::Goal| {
        let told = |met: bool| {
            let bots =
                tuning.bots.iter().zip(&setting.confirmed).filter(|(_, sample)| goal.is_met(sample) == met);
            let figure = |sample| goal.figure(sample).map_or("–".to_string(), |f| goal.kind.format(f));
            bots.map(|(bot, sample)| format!("{bot} ({})", figure(sample))).collect::<Vec<_>>()
        };
        let (met, missed) = (told(true), told(false));
        let disagree = !met.is_empty() && !missed.is_empty();
        disagree.then(|| {
            format!(
                "The bots disagree about `{goal}`: {} meets it, {} does not.",
                met.join(", "),
                missed.join(", ")
            )
        })
    };
    tuning.goals.iter().filter_map(sentence).collect()
}

/// Returns the result of a tuning run as one JSON object: parameters, all confirmed settings by bot and goal,
/// the index of the best one, and where bots disagree.
pub fn as_data(tuning: &DesignTuning, found: &TunedDesign) -> Value {
    let setting = |setting: &TunedSetting| {
        let by_bot = tuning.bots.iter().zip(&setting.confirmed).map(|(bot, sample)| {
            let goals = tuning.goals.iter().map(|goal| {
                json!({ "goal": goal.to_string(), "figure": goal.figure(sample), "met": goal.is_met(sample) })
            });
            json!({ "bot": bot.to_string(), "games": sample.games(), "goals": goals.collect::<Vec<_>>() })
        });
        let changes = setting.changes.iter().cloned().collect::<serde_json::Map<_, _>>();
        json!({ "changes": changes, "distance": setting.distance, "confirmed": by_bot.collect::<Vec<_>>() })
    };
    json!({
        "game": tuning.game.info().name,
        "seats": tuning.seats,
        "seed": tuning.seed,
        "bots": tuning.bots.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "goals": tuning.goals.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "games": found.games,
        "tried": found.tried,
        "best": found.best,
        "settings": found.settings.iter().map(setting).collect::<Vec<_>>(),
        "disagreements": disagreements(tuning, found),
    })
}
