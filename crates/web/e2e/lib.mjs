// The server, the browser, and what all tests do with them.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
export const SHOTS = process.env.SHOTS ?? "shots";
mkdirSync(SHOTS, { recursive: true });

/** Deals and ids of local games follow from this number: a failing test fails again. E2E_SEED tries others. */
export const SEED = Number(process.env.E2E_SEED ?? 1);

/** Timeouts only catch hangs: a busy machine may be many times slower than an idle one. In milliseconds. */
export const HANGS = 120000;

const PROGRAM = process.env.PENTARCHY ?? "pentarchy";

/** The games of the page in their order, as the program lists them: name, title, seats, whether it is a classic. */
export const LISTED = JSON.parse(execFileSync(PROGRAM, ["games", "--json"], { encoding: "utf8" }));
/** Their names. */
export const GAMES = LISTED.map(({ name }) => name);
/** The names of those that the home page lists under "Classics". */
export const CLASSICS = LISTED.filter(({ classic }) => classic).map(({ name }) => name);
export const DESK = { width: 1440, height: 900 }, PHONE = { width: 390, height: 844 };

/** A test of a name; `run` gets a browser and the address of the server. */
export const test = (name, run) => ({ name, run });
/** A test that mostly waits, for a clock or for a bot's pace, and leaves the machine to others. */
export const waits = (name, run) => ({ name, run, waits: true });

/** The folder in which the servers of this run store mail. */
const DATA = mkdtempSync(join(tmpdir(), "pentarchy-data-"));
process.on("exit", () => rmSync(DATA, { recursive: true, force: true }));

/** Starts the program's server, at a free port unless one is named. All servers of a run store mail in one folder, unless they name another. */
export async function serve(port = 0, ...more) {
  const args = ["serve", "--port", String(port), ...(more.includes("--data") ? [] : ["--data", DATA]), ...more];
  if (process.env.DIST) args.push("--page", process.env.DIST);
  const server = spawn(PROGRAM, args, { stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise((done, fail) => {
    let text = "";
    server.stdout.on("data", (data) => {
      text += data;
      const found = text.match(/http:\/\/\S+/);
      if (found) done(found[0].replace(/\/$/, ""));
    });
    server.on("exit", (code) => fail(new Error(`the server ended with ${code}`)));
  });
  return { url, port: Number(new URL(url).port), process: server, stop: (signal = "SIGINT") => server.kill(signal) };
}

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
      // Pages on one machine find each other without a network.
      "--disable-features=WebRtcHideLocalIpsWithMdns", "--allow-loopback-in-peer-connection"],
  });

/** A fresh browser profile with these settings; every error of the page fails the test. */
export async function open(browser, url, { size = DESK, settings = {}, path = "/", before, still = false, text = 16, reports = false, scale = 1, seed = SEED } = {}) {
  const context = await browser.newContext({ viewport: size, deviceScaleFactor: scale, acceptDownloads: true, hasTouch: size.width < 500, reducedMotion: still ? "reduce" : "no-preference" });
  context.setDefaultTimeout(HANGS);
  await context.addInitScript((settings) => {
    if (!localStorage.getItem("pentarchy.settings")) localStorage.setItem("pentarchy.settings", JSON.stringify(settings));
  }, { speed: "Instant", ...settings });
  await context.addInitScript((seed) => {
    // Each load of a page has numbers of its own, so that a second game is another one.
    const loads = Number(localStorage.getItem("e2e.loads") ?? 0);
    localStorage.setItem("e2e.loads", String(loads + 1));
    let state = (Math.imul(seed, 0x9e3779b1) + Math.imul(loads, 0x85ebca6b)) >>> 0;
    Math.random = () => {
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  }, seed);
  // Reports wait for Continue: tests of other things close them.
  if (!reports) await context.addInitScript(() => setInterval(() => document.querySelector("#continue")?.click(), 40));
  if (before) await context.addInitScript(before);
  const page = await context.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  // Pages ask whether the server has notifications, and which turn it knows: 404 is an answer.
  const isAnswer = (message) => /\/api\/notify\//.test(message.location().url) && message.text().includes("404");
  // A page installs its service worker some seconds after it was opened. A test may have cut the network or ended by then;
  // the page handles that, but the browser reports it.
  const isLate = (message) => message.text().includes("error occurred when fetching the script");
  page.on("console", (message) => message.type() === "error" && !isAnswer(message) && !isLate(message) && page.errors.push(message.text()));
  if (text !== 16) {
    const session = await context.newCDPSession(page);
    await session.send("Page.enable");
    await session.send("Page.setFontSizes", { fontSizes: { standard: text, fixed: Math.round(text * 0.8) } });
  }
  await page.goto(url + path);
  await page.waitForSelector(".home-pg, .table, .wait-pg, .club-pg");
  return page;
}

/** Chooses an entry of a game's menu on the home page: "Set up", "Play with friends", "Rules", "Watch bots". */
export async function more(page, game, item) {
  await page.click(`.cv[data-game=${game}] .mb`);
  await page.click(`.cv[data-game=${game}] .menu .mi:has-text('${item}')`);
}

/** Opens the set-up of a game. */
export async function setUp(page, game) {
  await more(page, game, "Set up");
  await page.waitForSelector(".sheet");
}

export const close = async (page) => {
  // Not those of requests that the end of the page cuts off.
  const errors = [...page.errors];
  await page.context().close();
  ensure(errors.length === 0, `the page reported: ${errors.slice(0, 3).join(" | ")}`);
};

/** Forgets the errors of a page that match: a failed request is one, also where it is expected. */
export const expects = (page, pattern) => (page.errors = page.errors.filter((error) => !pattern.test(error)));

export function ensure(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}

export const equal = (a, b, what) => ensure(a === b, `${what}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`);

export const shot = (page, name) => page.screenshot({ path: `${SHOTS}/${name}.png`, animations: "disabled" });

/** No serious finding of axe-core on what is shown now, or on a part of it. */
export async function accessible(page, name, part) {
  await page.evaluate(AXE);
  const found = await page.evaluate((part) => axe.run(part ? document.querySelector(part) : document, { resultTypes: ["violations"] }), part);
  const serious = found.violations.filter((v) => v.impact === "serious" || v.impact === "critical");
  const said = serious.map((v) => `${v.id} (${v.nodes.length}): ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 150)} ${n.any[0]?.message ?? ""}`).join(" ; ")}`);
  ensure(serious.length === 0, `axe-core on ${name}: ${said.join(" || ")}`);
}

/** Nothing is wider than the screen. */
export async function fits(page, name) {
  const wide = await page.evaluate(() => {
    const root = document.scrollingElement;
    return root.scrollWidth > root.clientWidth + 1 ? `${root.scrollWidth} > ${root.clientWidth}` : "";
  });
  ensure(!wide, `${name} is wider than the screen: ${wide}`);
}

/** No text is cut off by what it stands in, and none lies over another; map labels and stacked cards may. */
export async function legible(page, name) {
  const found = await page.evaluate(() => {
    const wrong = [], texts = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    while (walk.nextNode()) {
      const text = walk.currentNode, parent = text.parentElement;
      if (!text.data.trim() || parent.closest("svg, .vh, .stack, .delta, script, noscript, option")) continue;
      const style = getComputedStyle(parent);
      if (style.visibility === "hidden" || style.opacity === "0") continue;
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        if (rect.width < 2 || rect.height < 2) continue;
        // What scrolls shows it in time; what does not, must not cut it.
        let seen = { left: Math.max(0, rect.left), top: Math.max(0, rect.top), right: Math.min(innerWidth, rect.right), bottom: Math.min(innerHeight, rect.bottom) }, cut = "";
        for (let box = parent, free = { x: false, y: false }; box && box !== document.body; box = box.parentElement) {
          const { overflowX, overflowY, textOverflow, position } = getComputedStyle(box), frame = box.getBoundingClientRect();
          // An ellipsis says that there is more.
          if (textOverflow === "ellipsis" && (overflowX === "hidden" || overflowX === "clip")) free.x = true;
          if (getComputedStyle(box).webkitLineClamp !== "none") free.y = true;
          const [wide, high] = [rect.right > frame.right + 3 || rect.left < frame.left - 3, rect.bottom > frame.bottom + 4 || rect.top < frame.top - 4];
          const hides = (flow) => flow === "hidden" || flow === "clip";
          if (textOverflow !== "ellipsis" && ((hides(overflowX) && wide && !free.x) || (hides(overflowY) && high && !free.y))) cut = box.className;
          if (overflowX !== "visible") { seen.left = Math.max(seen.left, frame.left); seen.right = Math.min(seen.right, frame.right); }
          if (overflowY !== "visible") { seen.top = Math.max(seen.top, frame.top); seen.bottom = Math.min(seen.bottom, frame.bottom); }
          free.x ||= overflowX === "auto" || overflowX === "scroll";
          free.y ||= overflowY === "auto" || overflowY === "scroll";
          if (position === "fixed") break;
        }
        if (cut) wrong.push(`"${text.data.trim().slice(0, 30)}" is cut by .${cut}`);
        if (seen.right - seen.left > 2 && seen.bottom - seen.top > 4) texts.push({ text, parent, ...seen });
      }
    }
    for (const [i, a] of texts.entries())
      for (const b of texts.slice(i + 1)) {
        if (a.text === b.text) continue;
        const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
        if (wide < 4 || high < 0.35 * Math.min(a.bottom - a.top, b.bottom - b.top)) continue;
        // Only if both are really to be seen there, none behind a panel.
        const at = [Math.max(a.left, b.left) + wide / 2, Math.max(a.top, b.top) + high / 2];
        const hit = document.elementsFromPoint(...at);
        const shows = (element) => {
          const behind = hit.findIndex((e) => e === element);
          return behind >= 0 && hit.slice(0, behind).every((e) => element.contains(e) || getComputedStyle(e).backgroundColor === "rgba(0, 0, 0, 0)");
        };
        if (shows(a.parent) && shows(b.parent)) wrong.push(`"${a.text.data.trim().slice(0, 30)}" lies over "${b.text.data.trim().slice(0, 30)}"`);
      }
    return [...new Set(wrong)];
  });
  ensure(found.length === 0, `${name}: ${found.slice(0, 12).join("; ")}${found.length > 12 ? `; and ${found.length - 12} more` : ""}`);
}

/** What the table says: whose turn, how many events, the digest. */
export const look = (page) =>
  page.evaluate(() => ({
    mine: !!document.querySelector("#prompt .prompt.mine"),
    over: !!document.querySelector("#end"),
    curtain: !!document.querySelector(".table.covered"),
    events: Number(document.querySelector(".trust")?.dataset.events ?? 0),
    prompt: document.querySelector("#prompt p")?.textContent ?? "",
    rows: document.querySelectorAll(".act-row").length,
  }));

/** Waits until the player is asked, or the game is over. */
export async function turn(page, timeout = HANGS) {
  await page.waitForFunction(() => document.querySelector("#end") || document.querySelector("#prompt .prompt.mine"), null, { timeout });
  return look(page);
}

/** Opens the trust panel for the digest of the state. */
export async function digest(page) {
  await page.click(".trust");
  const digest = await page.getAttribute("#digest", "data-digest");
  await page.keyboard.press("Escape");
  return digest;
}

/** The text of the record that the page saves. */
export async function record(page) {
  await page.click("[data-do=settings]");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#settings button:has-text('Save record')")]);
  await page.keyboard.press("Escape");
  return readFileSync(await file.path(), "utf8");
}

/** A generator of the same numbers each time. */
export function numbers(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * below);
  };
}

/** Drops a text, or bytes, on the page as a file. */
export const drop = (page, what, name = "a.jsonl") =>
  page.evaluate(([what, name]) => {
    const data = new DataTransfer();
    data.items.add(new File([typeof what === "string" ? what : new Uint8Array(what)], name));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [typeof what === "string" ? what : [...what], name]);

/** How many events have happened, as the page says it. */
export const events = (page) => page.evaluate(() => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]));

/** Does the n-th action of the list; answers the question if there is one. Returns whether there was. */
export async function act(page, n = 0) {
  const row = page.locator(".act-row").nth(n), action = await row.getAttribute("data-act"), before = await events(page);
  await row.click();
  const asked = await page.waitForFunction(([before, action]) => {
    // At the end, and while a report is read, there may be no table.
    const now = Number(document.querySelector(".trust")?.getAttribute("aria-label").match(/\d+/)[0] ?? before);
    if (now !== before || document.querySelector("#end")) return "done";
    // A question can be taken back. The risky answer is not the primary button.
    const answers = [...document.querySelectorAll("#prompt .btn[data-act]")].map((button) => button.dataset.act);
    return document.querySelector("#prompt .btn.ghost") && answers.includes(action) && "asked";
  }, [before, action]).then((handle) => handle.jsonValue());
  if (asked === "asked") await page.click(`#prompt .btn[data-act=${JSON.stringify(action)}]`);
  return asked === "asked";
}
