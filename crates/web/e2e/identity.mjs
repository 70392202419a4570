// The identity of a browser: created, shown, exported, imported, recognised.
import { readFileSync } from "node:fs";
import { accessible, close, ensure, equal, fits, more, open, PHONE, shot } from "./lib.mjs";
import { guest, host } from "./friends.mjs";

const LAPTOP = { width: 1366, height: 768 };

/** Opens "Your identity". */
async function sheet(page) {
  await page.click("#identity");
  await page.waitForSelector("#short-name, #no-identity, #damaged");
}

/** The picture without the name of its clip path, which differs from drawing to drawing. */
const picture = async (page, selector) => (await page.locator(selector).first().innerHTML()).replace(/crest\d+/g, "");
const text = async (page, selector) => (await page.textContent(selector)).trim();

/** Waits until an element says this. */
const says = (page, selector, words) =>
  page.waitForFunction(([selector, words]) => document.querySelector(selector)?.textContent.includes(words), [selector, words]);

/** Imports what is pasted. */
async function paste(page, line, passphrase) {
  await page.fill("#import-text", line);
  if (passphrase !== undefined) await page.fill("#import-passphrase", passphrase);
  await page.click("#import");
}

/** Opens another table in a page that is open already. */
async function hostAgain(page, url, game, name) {
  await page.goto(url);
  await page.waitForSelector(".home-pg");
  await more(page, game, "Play with friends");
  await page.fill("#my-name", name);
  await page.click("#open-table");
  await page.waitForSelector("#link");
  return page.inputValue("#link");
}

async function moves(browser, url) {
  const a = await open(browser, url, { size: LAPTOP });
  await sheet(a);
  ensure(await a.isVisible("#no-identity"), "nothing is created before it is needed");
  await a.keyboard.press("Escape");
  await more(a, "hestia", "Play with friends");
  await a.waitForSelector(".youare .shortn");
  const name = await text(a, ".youare .shortn");
  ensure(/^[a-z]{5}-[a-z]{5}-[a-z]{5}$/.test(name), `the short name is ${name}`);
  await a.keyboard.press("Escape");
  await a.reload();
  await a.waitForSelector(".home-pg");
  await sheet(a);
  equal(await text(a, "#short-name"), name, "after a reload");
  const drawn = await picture(a, "#identity-sheet .crest.s96");
  // Exported with a passphrase, as a file and as a code.
  await a.fill("#export-passphrase", "correct horse");
  const [download] = await Promise.all([a.waitForEvent("download"), a.click("#export-file")]);
  equal(download.suggestedFilename(), `${name}.identity`, "the file");
  const file = readFileSync(await download.path(), "utf8");
  const began = Date.now();
  await a.click("#export-code");
  await a.waitForSelector("#identity-code");
  console.log(`  encrypting an identity took ${Date.now() - began} ms`);
  const code = await a.inputValue("#identity-code");
  ensure(await a.isVisible("#identity-sheet svg.qr"), "there is a QR code");
  ensure(code.startsWith("PENTARCHY-IDENTITY:") && file.includes("Encrypted"), "the export");
  await accessible(a, "identity", "#identity-sheet");
  await shot(a, "identity");

  // Imported in another browser: not with a wrong passphrase, not from a damaged text.
  const b = await open(browser, url, { size: PHONE });
  await sheet(b);
  await paste(b, file, "wrong horse");
  await says(b, "#identity-says", "does not match this identity. Nothing was changed.");
  ensure(await b.isVisible("#no-identity"), "nothing was changed");
  await paste(b, code.slice(0, -3));
  await says(b, "#identity-says", "damaged");
  await paste(b, "hello");
  await says(b, "#identity-says", "not a Pentarchy identity");
  const chooser = b.waitForEvent("filechooser");
  await b.click("#import-file");
  await (await chooser).setFiles({ name: "x.identity", mimeType: "text/plain", buffer: Buffer.from(file) });
  await b.fill("#import-passphrase", "correct horse");
  await b.click("#import");
  await b.waitForSelector("#short-name");
  equal(await text(b, "#short-name"), name, "the imported identity");
  equal(await picture(b, "#identity-sheet .crest.s96"), drawn, "its picture");
  await fits(b, "identity on a phone");
  await shot(b, "identity-phone");
  await b.reload();
  await b.waitForSelector(".home-pg");

  // Another player's waiting room shows the same picture.
  const h = await host(browser, url, { game: "hestia", others: ["Friend"], name: "Ada", size: LAPTOP });
  await b.goto(h.link);
  await b.waitForSelector("#name");
  await b.fill("#name", "Ben");
  await b.click("[data-seat='1']");
  await says(h, ".chairs", name);
  equal(await picture(h, ".chair:not(.mine) .crest"), drawn, "the picture in the waiting room");
  await says(h, ".chair:not(.mine)", "first time you meet");
  await accessible(h, "waiting room");
  await shot(h, "identity-waiting");
  await fits(b, "waiting room on a phone");
  await shot(b, "identity-waiting-phone");
  // The first browser has the same identity: it says so, and the seat stays where it is.
  await a.goto(h.link);
  await says(a, "#waiting", "Your identity is at this table already");
  await shot(a, "identity-twin");
  await says(h, ".chair:not(.mine)", "Ben");
  await h.waitForSelector("#begin:not([disabled])");
  await h.click("#begin");
  await Promise.all([h, b].map((page) => page.waitForSelector(".table")));
  await h.click("[data-do=trust]");
  await says(h, "#trust .peers", name);
  await shot(h, "identity-trust");
  // Nor does the second device start the game when the first is gone: it has agreed to nothing.
  await b.goto(url);
  await a.goto(h.link);
  await a.reload();
  await says(a, "#waiting", "plays at this table on another device");
  // The host's own link in the host's browser is the host's table.
  const again = await h.context().newPage();
  await again.goto(h.link);
  await says(again, "#waiting", "open in another tab");
  await again.close();
  for (const page of [a, b, h]) await close(page);
}

async function recognises(browser, url) {
  const h = await host(browser, url, { game: "hestia", others: ["Friend"], name: "Ada" });
  const b = await guest(browser, url, h.link, "Ben", 1);
  await h.waitForSelector("#begin:not([disabled])");
  await h.click("#begin");
  await Promise.all([h, b].map((page) => page.waitForSelector(".table")));
  const second = await hostAgain(h, url, "hestia", "Ada");
  // Another player under a known name, then the known player under another name.
  const c = await guest(browser, url, second, "ben", 1);
  await says(h, ".chair:not(.mine) .warn", "Not the ben you know");
  await shot(h, "identity-namesake");
  await close(c);
  await b.goto(second);
  await b.waitForSelector("#name");
  await b.fill("#name", "Eve");
  await b.click("[data-seat='1']");
  await says(h, ".chair:not(.mine)", "met at 1 table");
  await says(h, ".chair:not(.mine) .warn", "Was called Ben before");
  for (const page of [b, h]) await close(page);
}

async function damaged(browser, url) {
  const a = await open(browser, url);
  await sheet(a);
  await a.click("#create-identity");
  await a.waitForSelector("#short-name");
  const rows = (value) =>
    a.evaluate((value) => new Promise((done) => {
      indexedDB.open("pentarchy-identity").onsuccess = ({ target }) => {
        const kept = target.result.transaction("kept", "readwrite").objectStore("kept");
        if (value) kept.put(value, "identity");
        kept.getAll().onsuccess = ({ target }) => done(target.result);
      };
    }), value);
  const name = await text(a, "#short-name");
  const [good] = await rows();
  const bad = good.slice(0, -9);
  await rows(bad);
  await a.reload();
  await a.waitForSelector(".home-pg");
  await more(a, "hestia", "Play with friends");
  await says(a, ".youare", "cannot be read");
  await a.fill("#my-name", "Ada");
  await a.click("#open-table");
  await says(a, ".friends .end", "cannot be read");
  await a.keyboard.press("Escape");
  await sheet(a);
  ensure(await a.isVisible("#damaged"), "the damage is shown");
  equal(JSON.stringify(await rows()), JSON.stringify([bad]), "nothing was overwritten");
  // The copy is imported; what was there is kept.
  await paste(a, good);
  await a.waitForSelector("#short-name");
  equal(await text(a, "#short-name"), name, "the copy");
  ensure((await rows()).includes(bad), "what was damaged is kept");
  // Starting over asks first.
  await a.click("#start-over");
  equal(await text(a, "#short-name"), name, "one click changes nothing");
  await a.click("#start-over");
  await a.waitForFunction((name) => document.querySelector("#short-name")?.textContent !== name, name);
  ensure((await rows()).includes(good), "the old identity is kept");
  await close(a);
}

export const tests = [
  { name: "identity moves to another browser and is recognised there", run: moves },
  { name: "identity of known players, changed names and namesakes", run: recognises },
  { name: "identity that is damaged is never overwritten silently", run: damaged },
];
