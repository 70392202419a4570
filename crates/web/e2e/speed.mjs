// Measures how fast the page is and prints one JSON object a line, {row, figures}: node speed.mjs [measurement]
// Variables as for run.mjs (PENTARCHY, DIST, CHROMIUM); NATIVE names the program that random games are compared with,
// built like the page; EVENTS is the length of the table that a page returns to. No figure here fails anything: what the
// machine does besides weighs on them.
import { execFileSync } from "node:child_process";
import { begin, guest, host, plays } from "./friends.mjs";
import { GAMES, launch, open, serve, setUp } from "./lib.mjs";

const shipped = Boolean(process.env.RELEASE);
/** Events of the table that a page returns to. */
const EVENTS = Number(process.env.EVENTS ?? 5000);
const round = (number, digits = 0) => Number(number.toFixed(digits));

/** How soon home is ready after the navigation, and how much is transferred. */
async function loading(browser, url) {
  const page = await open(browser, url);
  const found = await page.evaluate(() => {
    const entries = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
    return { ready_ms: performance.now(), bytes: entries.reduce((sum, e) => sum + e.encodedBodySize, 0), files: entries.length };
  });
  await page.context().close();
  return { ...found, ready_ms: round(found.ready_ms) };
}

/** How long a message to the page itself waits while Hard bots think, in milliseconds. */
async function answers(browser, url) {
  const page = await open(browser, url, { settings: { speed: "Normal", think_seconds: 3 } });
  await setUp(page, "numeral");
  for (const row of await page.locator(".srow").all()) await row.locator("button:has-text('Hard')").click();
  await page.click("#start");
  await page.waitForSelector("[data-do=pause]");
  await page.waitForTimeout(500);
  const late = await page.evaluate(async () => {
    const late = [];
    for (let i = 0; i < 100; i++) {
      const asked = performance.now();
      await new Promise((done) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = done;
        channel.port2.postMessage(0);
      });
      late.push(performance.now() - asked);
      await new Promise((done) => setTimeout(done, 10));
    }
    return late.sort((a, b) => a - b);
  });
  await page.context().close();
  return { median_ms: round(late[50], 1), p95_ms: round(late[95], 1), most_ms: round(late.at(-1), 1) };
}

/** Random games per processor second, in the page and in the program. */
async function playouts(browser, url) {
  const page = await open(browser, url);
  const system = await browser.newBrowserCDPSession();
  const used = async () => {
    const { processInfo } = await system.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const made = await page.evaluate(() => document.querySelector("link[rel=modulepreload]").href);
  const play = (game, ms) => page.evaluate(async ([made, game, ms]) => (await import(made)).playouts(game, ms), [made, game, ms]);
  const spend = async (game, most) => {
    const began = await used();
    let [games, time] = [0, 0];
    for (; time < most; time = (await used()) - began) {
      const clock = performance.now();
      games += ((await play(game, 120)) * (performance.now() - clock)) / 1000;
    }
    return games / time;
  };
  const found = {};
  for (const game of GAMES) {
    // First for the browser's compiler, which works in the background; then to measure.
    await spend(game, shipped ? 1.5 : 0.7);
    const here = Math.max(await spend(game, 0.4), await spend(game, 0.4));
    const args = ["sim", game, "--games", String(Math.ceil(here)), "--threads", "1", "--json"];
    const there = JSON.parse(execFileSync(process.env.NATIVE ?? process.env.PENTARCHY, args, { encoding: "utf8" })).games_per_cpu_second;
    found[game] = { page: round(here), program: round(there), ratio: round(here / there, 2) };
  }
  await page.context().close();
  return found;
}

/** A table of six pages with a deck of 110 cards: from Start to the first decision. */
async function opening(browser, url) {
  const a = await host(browser, url, { game: "vires", others: Array(5).fill("Friend") });
  const pages = [a];
  for (let seat = 1; seat < 6; seat++) pages.push(await guest(browser, url, a.link, `Guest ${seat}`, seat));
  await a.waitForSelector("#begin:not([disabled])");
  // People take longer than this to sit down; meanwhile the pages get ready, too.
  await a.waitForTimeout(1500);
  const system = await browser.newBrowserCDPSession();
  const used = async () => (await system.send("SystemInfo.getProcessInfo")).processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  // By the pages' own clocks: from the click itself.
  await a.evaluate(() => document.addEventListener("click", () => (window.clicked ??= Date.now()), true));
  const spent = await used();
  await a.click("#begin");
  const seen = await Promise.all(pages.map((page) => page.waitForFunction(() => document.querySelector("#seats .act") && Date.now(), null, { polling: 25, timeout: 300000 })));
  const took = Math.max(...(await Promise.all(seen.map((time) => time.jsonValue())))) - (await a.evaluate(() => window.clicked));
  const work = (await used()) - spent;
  for (const page of pages) await page.context().close();
  return { first_decision_ms: took, cpu_s: round(work, 1) };
}

/**
 * A page returns to a table of Numeral with EVENTS events, alone, so that all of it comes from this browser's storage: from
 * the navigation until the board shows the last of them.
 */
async function returning(browser, url) {
  // A game of usual length has fewer events.
  const options = [["Round limit", "0"], ["A game without a round limit ends after this round", "1000"]];
  const a = await host(browser, url, { game: "numeral", others: ["Friend"], options });
  const b = await guest(browser, url, a.link, "Guest", 1);
  await begin([a, b]);
  await Promise.all([plays(a, 1, EVENTS), plays(b, 2, EVENTS)]);
  await b.context().close();
  // What the guest has sent last is stored.
  await a.waitForTimeout(1000);
  const events = await a.evaluate(() => Number(document.querySelector(".trust")?.dataset.events ?? 0));
  if (events < EVENTS) throw new Error(`the game ended before event ${EVENTS}`);
  const times = [];
  for (let i = 0; i < 3; i++) {
    await a.reload({ waitUntil: "commit" });
    const back = await a.waitForFunction((events) => {
      const shown = Number(document.querySelector(".trust")?.dataset.events ?? 0);
      return document.querySelector(".table") && shown >= events && performance.now();
    }, events, { polling: "raf" });
    times.push(await back.jsonValue());
  }
  await a.context().close();
  return { events, ready_ms: round(times.sort((x, y) => x - y)[1]) };
}

/** Each measurement, and its rows of the table. */
const MEASUREMENTS = {
  loading: [loading, ({ ready_ms, bytes, files }) => [["Home is ready", `${ready_ms} ms`], ["Transferred for home", `${round(bytes / 1000)} kB in ${files} files`]]],
  answers: [answers, ({ median_ms, p95_ms, most_ms }) => [["The page answers while Hard bots think", `median ${median_ms} ms, 95 % ${p95_ms} ms, at most ${most_ms} ms`]]],
  playouts: [playouts, (games) => Object.entries(games).map(([game, { page, program, ratio }]) => [`Random games of ${game} per CPU second`, `${page} in the page, ${program} in the program (ratio ${ratio})`])],
  opening: [opening, ({ first_decision_ms, cpu_s }) => [["A table of six opens: from Start to the first decision", `${first_decision_ms} ms, ${cpu_s} s of CPU time in all pages`]]],
  returning: [returning, ({ events, ready_ms }) => [[`A page is back at a table of Numeral with ${events} events`, `${ready_ms} ms after the navigation (compare "Home is ready")`]]],
};

const [wanted] = process.argv.slice(2);
const server = await serve();
const browser = await launch();
for (const [name, [measure, rows]] of Object.entries(MEASUREMENTS)) {
  if (wanted && wanted !== name) continue;
  for (const [row, figure] of rows(await measure(browser, server.url))) console.log(JSON.stringify({ row, figures: [[shipped ? "release build" : "test build", figure]] }));
}
await browser.close();
server.stop();
process.exit(0);
