// The first rounds of each game as a person plays them, at Normal speed: seconds to the first own click, clicks and seconds
// per own turn, waiting per round. Prints one JSON object a line, {row, figures}: node measure.mjs [game …]
import { close, GAMES, launch, open, serve } from "./lib.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 2);
const wanted = process.argv.slice(2).length ? process.argv.slice(2) : GAMES;
// At most so many clicks: a person who does all that can be done in a turn would not.
const MOST_CLICKS = 400;

/** What is shown now: whose turn, the round, and what a person would click next to go on with something. */
const state = (page) => page.evaluate(() => {
  const seen = (e) => { const b = e.getBoundingClientRect(); return b.width > 2 && b.height > 2; };
  const middle = (e) => {
    const b = e.getBoundingClientRect();
    for (const [u, v] of [[0.5, 0.5], [0.3, 0.3], [0.7, 0.7], [0.3, 0.7], [0.7, 0.3], [0.5, 0.2], [0.5, 0.8]]) {
      const [x, y] = [b.left + u * b.width, b.top + v * b.height], hit = document.elementFromPoint(x, y);
      if (hit && (e.contains(hit) || hit.closest("[data-key]") === e)) return [x, y];
    }
  };
  const spots = (selector) => [...document.querySelectorAll(selector)].filter(seen).map((e) => ({ key: e.dataset.key ?? e.dataset.do, label: e.textContent.slice(0, 40), at: middle(e) })).filter((s) => s.at);
  return {
    over: !!document.querySelector("#end"),
    mine: !!document.querySelector("#prompt .prompt.mine"),
    report: spots(".report [data-do=continue]")[0],
    round: document.querySelector(".steps .rd")?.textContent ?? "",
    step: document.querySelector(".steps [aria-current]")?.textContent ?? "",
    events: Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]),
    chosen: !!document.querySelector("#board .sel, #hand .sel"),
    lit: spots("#board .can[data-key], #hand .can[data-key], .chip[data-key]"),
    primary: spots("#prompt .btn.go")[0],
    buttons: spots("#prompt .acts .btn:not(.ghost)"),
  };
});

async function measure(browser, url, game) {
  const page = await open(browser, url, { settings: { speed: "Normal" } });
  const clock = () => performance.now();
  const home = clock();
  await page.click(`.cv[data-game=${game}] .bt .go`);
  await page.waitForSelector(".table");
  const rounds = [];
  let [first, clicks, own, waiting, turns, round, seed, wasMine, now] = [null, 0, 0, 0, 0, "", 7, false, null];
  const below = (n) => ((seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0), Math.floor((seed / 4294967296) * n));
  let since = clock();
  for (let i = 0; i < 6000 && clicks < MOST_CLICKS; i++) {
    const before = clock();
    now = await state(page);
    // What the script itself takes is nobody's time.
    since += clock() - before;
    if (now.over) break;
    // Where each turn has a number, a round ends with the turn before the player's next one.
    if (round && now.round !== round && turns > 0) {
      rounds.push({ clicks, own, waiting, turns });
      [clicks, own, waiting, turns] = [0, 0, 0, 0];
      if (rounds.length >= ROUNDS) break;
    }
    round = now.round;
    if (!now.mine && !now.report) {
      wasMine = false;
      await page.waitForTimeout(20);
      waiting += clock() - since;
      since = clock();
      continue;
    }
    if (!wasMine && now.mine) { wasMine = true; turns += 1; }
    first ??= clock() - home;
    // A person goes for a piece that is lit; now and then goes on.
    const goes = now.buttons.find((b) => /end|done|continue|pass|nothing/i.test(b.label));
    const pick = now.report ?? now.primary ?? (now.lit.length && !(goes && !now.chosen && below(3) === 0) ? now.lit[below(now.lit.length)] : goes ?? now.buttons[0]);
    if (!pick) { await page.keyboard.press("Escape"); await page.waitForTimeout(20); since = clock(); continue; }
    await page.mouse.click(...pick.at);
    clicks += 1;
    await page.waitForTimeout(15);
    own += clock() - since;
    since = clock();
  }
  const sum = (name) => rounds.reduce((sum, r) => sum + r[name], 0), n = Math.max(1, rounds.length);
  const seconds = (ms) => Math.round(ms / 100) / 10;
  await close(page);
  return {
    row: game,
    figures: {
      rounds: rounds.length,
      "seconds to the first click": seconds(first ?? 0),
      "clicks per round": Math.round((10 * sum("clicks")) / n) / 10,
      "own seconds per round": seconds(sum("own") / n),
      "waiting per round, seconds": seconds(sum("waiting") / n),
    },
  };
}

const server = process.env.SERVER ? { url: process.env.SERVER, stop: () => {} } : await serve();
const browser = await launch();
for (const game of wanted) console.log(JSON.stringify(await measure(browser, server.url, game)));
await browser.close();
server.stop();
