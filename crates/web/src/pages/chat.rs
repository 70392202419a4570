//! The chat of an online table.

use super::close_button;
use crate::app::App;
use crate::online::Stage;
use crate::shell::glyph;
use leptos::prelude::*;
use pentarchy_table::MAX_CHAT;

/// Renders the button that opens the chat, with the number of unread lines; nothing outside an online table.
pub fn chat_button(app: App) -> impl IntoView {
    let online = app.online;
    move || {
        (online.stage.get() != Stage::Alone).then(|| {
            let unread =
                move || online.chat.with(Vec::len) - online.read.get().min(online.chat.with(Vec::len));
            let label = move || match unread() {
                0 => "Chat".to_string(),
                n => format!("Chat, {n} new"),
            };
            view! {
                <button class="iconbtn chatb" data-do="chat" aria-label=label title="Chat">
                    {glyph("chat", 20)}
                    {move || (unread() > 0).then(|| view! { <span class="badge">{unread()}</span> })}
                </button>
            }
        })
    }
}

/// Renders the chat as a drawer over the screen.
pub fn chat(app: App) -> impl IntoView {
    view! {
        <div class="dialog drawer chatd" role="dialog" aria-modal="true" aria-label="Chat">
            <div class="drawer-hd"><h1 class="title">"Chat"</h1>{close_button(app)}</div>
            <div class="talk">{talk(app)}</div>
        </div>
    }
}

/// Renders the lines of the chat, each of others with a button that mutes its sender, the muted players with
/// buttons that unmute them, and the input. While it is shown, all lines count as read and it scrolls to the
/// newest one. Of a line that is too long for one message, the rest stays in the input.
pub fn talk(app: App) -> impl IntoView {
    let online = app.online;
    let line = RwSignal::new(String::new());
    let list = NodeRef::<leptos::html::Div>::new();
    Effect::new(move |_| {
        online.read.set(online.chat.with(Vec::len));
        if let Some(list) = list.get() {
            request_animation_frame(move || list.set_scroll_top(list.scroll_height()));
        }
    });
    let colour = move |seat: Option<u8>| {
        let players = app.play.players.with(|p| seat.and_then(|s| p.get(usize::from(s))).map(|p| p.colour));
        players.unwrap_or(0)
    };
    let lines = move || {
        let all = online.chat.get();
        if all.is_empty() {
            return view! { <li class="lbl">"No messages yet."</li> }.into_any();
        }
        let each = all.into_iter().map(|said| {
            let name = said.name.clone();
            let mute = (!said.mine).then(|| {
                let label = format!("Mute {name}: hide what they say");
                let click = move |_| online.set_muted(said.from, &name, true);
                view! { <button class="link mute" aria-label=label on:click=click>"Mute"</button> }
            });
            view! {
                <li class=format!("c{}", colour(said.seat)) class:mine=said.mine>
                    <b class="who">{said.name}</b>
                    <span>{said.text}</span>
                    {mute}
                </li>
            }
        });
        each.collect_view().into_any()
    };
    let muted = move || {
        let each = online.muted.get().into_iter().map(|(identity, name)| {
            let label = format!("Unmute {name}");
            let click = move |_| online.set_muted(identity, "", false);
            view! {
                <p class="lbl2 muted">
                    {format!("{name} is muted. ")}
                    <button class="link" aria-label=label on:click=click>"Unmute"</button>
                </p>
            }
        });
        each.collect_view()
    };
    let say = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        // The part of a long line that does not fit in one message stays in the field.
        line.set(online.send_chat(&line.get_untracked()));
    };
    view! {
        <div class="saids" role="log" aria-label="Messages" tabindex="0" node_ref=list><ol class="said">{lines}</ol></div>
        {muted}
        <form class="sayrow" on:submit=say>
            <input
                class="fld"
                id="say"
                maxlength=MAX_CHAT.to_string()
                placeholder="Write a message"
                aria-label="Message"
                autocomplete="off"
                prop:value=move || line.get()
                on:input=move |event| line.set(event_target_value(&event))
            />
            <button class="btn" type="submit">"Send"</button>
        </form>
    }
}
