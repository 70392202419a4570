// The page in Firefox, driven by its own protocol (WebDriver BiDi): every game is begun and played by clicking.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import WebSocket from "ws";
import { DESK, ensure, equal, GAMES, HANGS, numbers, SHOTS, waits } from "./lib.mjs";

const SETTINGS = JSON.stringify({ speed: "Instant" });
const DECISIONS = 10;

/** A Firefox with a profile of its own, and one page in it. */
async function start() {
  const profile = mkdtempSync(join(tmpdir(), "pentarchy-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
  const firefox = spawn(process.env.FIREFOX, args, { stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((done, fail) => {
    let said = "";
    firefox.stderr.on("data", (data) => {
      said += data;
      const found = said.match(/BiDi listening on (ws:\S+)/);
      if (found) done(found[1]);
    });
    firefox.on("exit", (code) => fail(new Error(`Firefox ended with ${code}: ${said}`)));
    setTimeout(() => fail(new Error(`Firefox does not answer: ${said}`)), 60000).unref();
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((done, fail) => socket.once("open", done).once("error", fail));
  const [waiting, errors] = [new Map(), []];
  // Leaving a page aborts what the browser was still writing for it, and Firefox reports that.
  const nav = { leaving: false };
  socket.on("message", (data) => {
    const { id, type, result, method, params, error, message } = JSON.parse(data);
    if (type === "event") {
      const isAborted = nav.leaving && /^AbortError/.test(params.text ?? "");
      if (method === "log.entryAdded" && params.level === "error" && !isAborted) errors.push(params.text);
      return;
    }
    const { done, fail } = waiting.get(id);
    waiting.delete(id);
    type === "success" ? done(result) : fail(new Error(`${error}: ${message}`));
  });
  let last = 0;
  const send = (method, params = {}) =>
    new Promise((done, fail) => {
      waiting.set(++last, { done, fail });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  const { capabilities } = await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts: [{ context }] } = await send("browsingContext.getTree");
  await send("browsingContext.setViewport", { context, viewport: DESK });
  const stop = async () => {
    await send("browser.close").catch(() => {});
    socket.terminate();
    await new Promise((done) => (firefox.exitCode === null ? firefox.once("exit", done) : done()));
    rmSync(profile, { recursive: true, force: true });
  };
  return { ...page(send, context, nav), errors, stop, version: capabilities.browserVersion };
}

/** What is done with the page. */
function page(send, context, nav) {
  const leave = async (method, params = {}) => {
    nav.leaving = true;
    await send(method, { context, wait: "complete", ...params });
    nav.leaving = false;
  };
  const goto = (url) => leave("browsingContext.navigate", { url });
  const reload = () => leave("browsingContext.reload");
  /** The value of a function in the page. */
  const ask = async (f, ...args) => {
    const expression = `(async () => JSON.stringify(await (${f})(...${JSON.stringify(args)})))()`;
    const answer = await send("script.evaluate", { expression, target: { context }, awaitPromise: true });
    ensure(answer.type === "success", `the page: ${answer.exceptionDetails?.text}`);
    return answer.result.value === undefined ? undefined : JSON.parse(answer.result.value);
  };
  const until = async (what, f, ...args) => {
    for (const end = Date.now() + HANGS; Date.now() < end; ) {
      const value = await ask(f, ...args);
      if (value) return value;
      await new Promise((done) => setTimeout(done, 50));
    }
    await shot("failure");
    const shown = await ask(() => `${location.hash}: ${document.body.innerText.replace(/\s+/g, " ").slice(0, 400)}`);
    throw new Error(`it did not come to this: ${what}. The page shows ${shown}`);
  };
  /** A click of the mouse at a point of the page. */
  const click = ([x, y]) => {
    const actions = [{ type: "pointerMove", x, y }, { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
    return send("input.performActions", { context, actions: [{ type: "pointer", id: "mouse", actions }] });
  };
  const shot = async (name) => {
    const { data } = await send("browsingContext.captureScreenshot", { context });
    writeFileSync(`${SHOTS}/firefox-${name}.png`, Buffer.from(data, "base64"));
  };
  return { goto, reload, ask, until, click, shot };
}

/** Where something is that can be hit there, brought into sight first. */
const spot = (selector, nth = 0) => {
  const all = [...document.querySelectorAll(selector)];
  const found = all[nth % Math.max(1, all.length)];
  found?.scrollIntoView({ block: "center", inline: "center" });
  const box = found?.getBoundingClientRect();
  const at = box && [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
  return at && found.contains(document.elementFromPoint(...at)) ? at : null;
};
const asked = () => !!document.querySelector("#end") || !!document.querySelector("#prompt .prompt.mine");
const events = () => Number(document.querySelector(".trust span:last-child")?.textContent.match(/\d+/)?.[0] ?? 0);

/** Where something can be hit as soon as it stays there: the matches in progress appear after the games. */
async function steady(page, selector) {
  for (let before, now; ; before = now) {
    now = await page.until(selector, spot, selector);
    if (String(now) === String(before)) return now;
    await new Promise((done) => setTimeout(done, 300));
  }
}

/** One decision by clicking, on a lit piece where there is one, else in the list. */
async function decide(page, random) {
  const before = await page.ask(events);
  for (let i = 0; i < 4 && (await page.ask(events)) === before; i++) {
    const primary = i ? await page.ask(spot, "#prompt .btn.go") : null;
    const piece = primary ?? (await page.ask(spot, "[data-key].can, .chip[data-key]", random(50)));
    if (!piece) break;
    await page.click(piece);
  }
  if ((await page.ask(events)) === before) {
    const row = await page.ask(spot, ".act-row", random(20));
    if (row) await page.click(row);
  }
  await page.until("the player is asked", asked);
  return (await page.ask(events)) !== before;
}

export const tests = process.env.FIREFOX ? [
  waits("Firefox: every game is begun, played by clicking, and goes on after a reload", async (_, url) => {
    const page = await start();
    try {
      await page.goto(url);
      await page.ask((settings) => localStorage.setItem("pentarchy.settings", settings), SETTINGS);
      for (const game of GAMES) {
        await page.goto(url);
        await page.until("home", (games) => document.querySelectorAll(".cv").length === games, GAMES.length);
        if (game === GAMES[0]) await page.shot("home");
        await page.click(await steady(page, `.cv[data-game=${game}] .bt .go`));
        await page.until(`the player of ${game} is asked`, asked);
        const random = numbers(11);
        let decisions = 0;
        for (let i = 0; i < 60 && decisions < DECISIONS; i++) {
          decisions += await decide(page, random);
          // Over already: once more.
          if (!(await page.ask(() => !!document.querySelector("#end")))) continue;
          await page.click(await steady(page, "#rematch"));
          await page.until("the rematch", () => !document.querySelector("#end") && !!document.querySelector("#prompt .prompt.mine"));
        }
        equal(decisions, DECISIONS, `decisions of ${game}`);
        const count = await page.ask(events);
        await new Promise((done) => setTimeout(done, 300));
        await page.reload();
        await page.until("the table", () => document.querySelector(".table"));
        await page.until("the player is asked", asked);
        equal(await page.ask(events), count, `events of ${game} after the reload`);
        await page.shot(game);
      }
      equal(page.errors.join(" | "), "", "errors of the page");
      console.log(`     Firefox ${page.version}: ${GAMES.length} games, ${DECISIONS} decisions each`);
    } finally {
      await page.stop();
    }
  }),
] : [];
if (!tests.length) console.log("     there is no Firefox here: the page is tried in Chromium only");
