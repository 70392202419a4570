//! The dialog "Your identity": picture and names that others see; export, import, start over.

use super::{close_button, person};
use crate::app::App;
use crate::online::identity::{self, StoredIdentity};
use crate::online::save;
use crate::page;
use crate::qr::qr;
use crate::shell::{Drawn, glyph};
use leptos::prelude::*;
use pentarchy_identity::{Crest, IdentityFile, IdentityFileError, IdentityKey, key_fingerprint, short_name};
use wasm_bindgen_futures::spawn_local;

/// State of the dialog.
#[derive(Clone, Copy)]
struct Sheet {
    stored: RwSignal<Option<Result<StoredIdentity, String>>, LocalStorage>,
    /// The last result, and whether it is an error.
    says: RwSignal<(String, bool)>,
}

impl Sheet {
    /// Shows a message in the dialog as the result of the last command; an empty one removes it.
    fn show_message(self, text: impl Into<String>) {
        self.says.set((text.into(), false));
    }

    /// Shows an error in the dialog as the result of the last command.
    fn show_error(self, text: impl Into<String>) {
        self.says.set((text.into(), true));
    }

    /// Loads the stored identity in the background and shows it, or the error, in the dialog. Creates none.
    fn reload(self) {
        spawn_local(async move { self.stored.set(Some(identity::stored().await)) });
    }

    /// Stores an identity in place of the current one in the background, and shows the result: `done` and the
    /// short name, or the error. Then loads what is stored.
    fn replace(self, key: IdentityKey, done: &'static str) {
        spawn_local(async move {
            match identity::replace(&key).await {
                Ok(()) => self.show_message(format!("{done} {}.", short_name(&key.public()))),
                Err(why) => self.show_error(format!("It could not be stored: {why}.")),
            }
            self.reload();
        });
    }
}

/// Renders the dialog about the identity of this browser, which it loads in the background: shown with its
/// export, missing, damaged, or not readable; then the import and, if something is stored or cannot be read,
/// starting over.
pub fn identity(app: App) -> impl IntoView {
    let sheet = Sheet { stored: RwSignal::new_local(None), says: RwSignal::new((String::new(), false)) };
    sheet.reload();
    let inside = move || {
        sheet.stored.get().map(|stored| match stored {
            Ok(StoredIdentity::Key(key)) => view! { {shown(&key)} {export_section(sheet, key)} }.into_any(),
            Ok(StoredIdentity::None) => view! {
                <p id="no-identity">"You have no identity yet. It is created when you first play with friends."</p>
                <button class="btn" id="create-identity" on:click=move |_| sheet.replace(identity::fresh(), "Created")>"Create it now"</button>
            }
            .into_any(),
            Ok(StoredIdentity::Damaged(why, text)) => view! {
                <p class="bad" role="alert" id="damaged">{format!("The identity stored in this browser cannot be read: {why}. It was left as it is. Import a copy, or start over.")}</p>
                <button class="btn sm" on:click=move |_| save("damaged.identity", text.as_bytes())>{glyph("down", 16)} "Save what is stored"</button>
            }
            .into_any(),
            Err(why) => view! { <p class="bad" role="alert">{format!("This browser stores nothing: {why}.")}</p> }.into_any(),
        })
    };
    let has_some = move || !matches!(sheet.stored.get(), None | Some(Ok(StoredIdentity::None)));
    view! {
        <div class="dialog narrowd idd" role="dialog" aria-modal="true" aria-label="Your identity" id="identity-sheet">
            <div class="sheet-hd"><h1 class="title">"Your identity"</h1>{close_button(app)}</div>
            {inside}
            <p role="status" id="identity-says" class:bad=move || sheet.says.with(|says| says.1)>{move || sheet.says.with(|says| says.0.clone())}</p>
            {import_section(sheet, has_some)}
            {move || has_some().then(|| start_over_section(sheet))}
        </div>
    }
}

/// Renders picture, short name and fingerprint of an identity.
fn shown(key: &IdentityKey) -> impl IntoView + use<> {
    let public = key.public();
    let (name, fingerprint) = (short_name(&public), key_fingerprint(&public));
    view! {
        <div class="idcard">
            {person::crest(&public, "s96")}
            <div>
                <h2 class="title" id="short-name" translate="no">{name}</h2>
                <p class="mono" id="key-fingerprint">{fingerprint}</p>
                <p class="lbl2">{format!("{}.", crate::words::capital(&Crest::of(&public).description()))}</p>
            </div>
        </div>
        <p class="lbl2">"Others see this picture and these words at every table you sit at, and recognise you by them. The letters are the proof. The key is in this browser only: if you lose it, nobody can restore it."</p>
    }
}

/// Renders the export of the identity `key`: as a file or a QR code, encrypted if there is a
/// passphrase. Results are shown in the dialog `sheet`.
fn export_section(sheet: Sheet, key: IdentityKey) -> impl IntoView {
    let passphrase = RwSignal::new(String::new());
    let code = RwSignal::new(None::<String>);
    let key = StoredValue::new_local(key);
    let exported = move |then: fn(Sheet, RwSignal<Option<String>>, &IdentityFile)| {
        let (key, passphrase) = (key.get_value(), passphrase.get_untracked());
        sheet.show_message(if passphrase.is_empty() { "" } else { "Encrypting…" });
        spawn_local(async move {
            // Draw the message before the page is busy.
            page::sleep(30).await;
            match identity::exported(&key, &passphrase) {
                Ok(file) => then(sheet, code, &file),
                Err(why) => sheet.show_error(why),
            }
        });
    };
    let to_file = move |_| {
        exported(|sheet, _, file| {
            let name = format!("{}.identity", short_name(file.public()));
            save(&name, file.to_text().as_bytes());
            sheet.show_message(format!(
                "Saved {name}, {}.",
                if file.is_encrypted() { "encrypted" } else { "not encrypted: keep it secret" }
            ));
        });
    };
    let to_code = move |_| {
        exported(|sheet, code, file| {
            code.set(Some(file.to_line().to_string()));
            sheet.show_message(if file.is_encrypted() {
                "The code is encrypted."
            } else {
                "The code is not encrypted: let nobody else see it."
            });
        });
    };
    let shown = move || {
        code.get().map(|line| {
            let picture = qr(&line, "Your identity as a code for a camera").map(|el| {
                view! { <Drawn class="qrbox" nodes=Signal::derive(move || vec![el.clone().into()])/> }
            });
            view! {
                <div class="idcode">
                    {picture}
                    <textarea class="fld mono" id="identity-code" readonly=true rows="6" aria-label="The same as text" prop:value=line></textarea>
                    <p class="lbl2">"On the other device, scan the code with the camera and paste its text under Import."</p>
                </div>
            }
        })
    };
    view! {
        <section class="idbox" aria-label="Export">
            <h2>"Export"</h2>
            <p class="lbl2">"Keep a copy, or move to another device. With a passphrase the copy is encrypted."</p>
            <input class="fld" id="export-passphrase" type="password" autocomplete="new-password" placeholder="Passphrase (optional)" aria-label="Passphrase for the export, optional"
                prop:value=move || passphrase.get() on:input=move |event| { passphrase.set(event_target_value(&event)); code.set(None); }/>
            <div class="idacts">
                <button class="btn sm" id="export-file" on:click=to_file>{glyph("down", 16)} "Save to a file"</button>
                <button class="btn sm" id="export-code" on:click=to_code>"Show a QR code"</button>
            </div>
            {shown}
        </section>
    }
}

/// Renders the import of an identity from a file or a pasted text, with its picture as soon as the text is one,
/// and a field for the passphrase if it is encrypted. It replaces the stored identity; a failed import changes
/// nothing. `has_some` says whether it would replace an existing one; results are shown in the dialog `sheet`.
fn import_section(sheet: Sheet, has_some: impl Fn() -> bool + Copy + Send + Sync + 'static) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let passphrase = RwSignal::new(String::new());
    let parsed =
        move || text.with(|text| IdentityFile::parse(text).map(|file| (file.is_encrypted(), *file.public())));
    let encrypted = Memo::new(move |_| parsed().is_ok_and(|(encrypted, _)| encrypted));
    let found = move || {
        parsed().ok().map(|(_, public)| view! { <p class="idn">{person::crest(&public, "s32")} {person::short(&public)}</p> })
    };
    let choose = move |_| {
        spawn_local(async move {
            if let Some(chosen) = identity::chosen_text().await {
                text.set(chosen);
            }
        });
    };
    let open = move |_| {
        let (given, secret) = (text.get_untracked(), passphrase.get_untracked());
        sheet.show_message(if encrypted.get_untracked() { "Decrypting…" } else { "" });
        spawn_local(async move {
            page::sleep(30).await;
            match IdentityFile::parse(&given).and_then(|file| file.open(Some(&secret))) {
                Ok(key) => {
                    text.set(String::new());
                    passphrase.set(String::new());
                    sheet.replace(key, "You are now");
                }
                Err(IdentityFileError::WrongPassphrase) => {
                    sheet.show_error("The passphrase does not match this identity. Nothing was changed.");
                }
                Err(why) => sheet
                    .show_error(format!("{}. Nothing was changed.", crate::words::capital(&why.to_string()))),
            }
        });
    };
    view! {
        <section class="idbox" aria-label="Import">
            <h2>"Import"</h2>
            <div class="idacts">
                <button class="btn sm" id="import-file" on:click=choose>"Choose a file"</button>
            </div>
            <textarea class="fld mono" id="import-text" rows="2" placeholder="or paste the text of a file or QR code" aria-label="Text of the identity" spellcheck="false"
                prop:value=move || text.get() on:input=move |event| text.set(event_target_value(&event))></textarea>
            {found}
            {move || encrypted.get().then(|| view! {
                <input class="fld" id="import-passphrase" type="password" autocomplete="off" placeholder="Passphrase" aria-label="Passphrase of the import"
                    prop:value=move || passphrase.get() on:input=move |event| passphrase.set(event_target_value(&event))/>
            })}
            {move || (has_some() && parsed().is_ok()).then(|| view! { <p class="lbl2">"It replaces the identity above. Export that one first if you still need it. Tables you sit at go on as they are."</p> })}
            <div class="idacts">
                <button class="btn sm" id="import" prop:disabled=move || text.with(|text| text.trim().is_empty()) on:click=open>"Import"</button>
            </div>
        </section>
    }
}

/// Renders the button that replaces the stored identity by a new random one, after a second click, and shows
/// the result in the dialog `sheet`; after the first click, a further button takes it back.
fn start_over_section(sheet: Sheet) -> impl IntoView {
    let sure = RwSignal::new(false);
    let act = move |_| {
        if sure.get_untracked() {
            sure.set(false);
            sheet.replace(identity::fresh(), "You are now");
        } else {
            sure.set(true);
        }
    };
    view! {
        <section class="idbox" aria-label="Start over">
            <h2>"Start over"</h2>
            <p class="lbl2">"A new identity: nobody recognises you. Tables you sit at go on as they are."</p>
            <div class="idacts">
                <button class="btn sm" id="start-over" on:click=act>{move || if sure.get() { "Yes, replace my identity" } else { "Start over" }}</button>
                {move || sure.get().then(|| view! { <button class="btn sm" on:click=move |_| sure.set(false)>"Keep it"</button> })}
            </div>
        </section>
    }
}
