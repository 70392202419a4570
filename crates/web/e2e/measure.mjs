// The first rounds of each game as a sensible person plays them, at Normal speed: the player does what the hint says, by
// clicking the pieces. Prints one JSON object a line, {row, figures}: node measure.mjs [game …]. TRACE=1 lists every move.
//
// A round is the time from one own turn to the next. The time of the search for the hint is nobody's: a person thinks.
import { close, ensure, GAMES, launch, open, serve } from "./lib.mjs";

const ROUNDS = Number(process.env.ROUNDS ?? 4);
const wanted = process.argv.slice(2).length ? process.argv.slice(2) : GAMES;

/** What is shown now. */
const look = (page) => page.evaluate(() => ({
  over: !!document.querySelector("#end"),
  mine: !!document.querySelector("#prompt .prompt.mine"),
  reacts: ["React", "Your answer"].includes(document.querySelector("#prompt .flag .nm")?.textContent),
  // Who is waited for; nothing while cards are dealt.
  other: document.querySelector("#prompt .prompt.wait:not(.forced) .flag .nm")?.textContent.replace("Dealing", "") ?? "",
  // A brief report closes by itself.
  report: !!document.querySelector(".report:not(.brief) #continue"),
  brief: !!document.querySelector(".report.brief"),
  step: document.querySelector(".steps [aria-current]")?.textContent ?? "",
  events: Number(document.querySelector(".trust")?.dataset.events ?? 0),
}));

/** The move that the hint recommends: its action, and the pieces to click. Nothing if the turn is over meanwhile. */
async function hint(page) {
  const answer = () => document.querySelector(".notice.advice [data-path]") || !document.querySelector("#prompt .prompt.mine");
  // A hint for a decision that the page has made meanwhile is dropped: ask again.
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("h");
    if (await page.waitForFunction(answer, null, { timeout: 10000 }).then(() => true, () => false)) break;
  }
  const move = await page.evaluate(() => {
    const button = document.querySelector(".notice.advice [data-path]");
    return button && { action: button.dataset.hint, path: button.dataset.path.split("|").filter(Boolean) };
  });
  await page.evaluate(() => document.querySelector(".notice [aria-label=Close]")?.click());
  return move;
}

/** The pieces that can be played. A tile in a player's panel has the key of its card, but only explains it. */
const PIECES = ".chip[data-key], #board [data-key], .dock [data-key], .over [data-key]";

/** Where a click hits the first of these elements; nothing if none can be hit. Those that are selected already are skipped. */
const spot = (page, selector, key, next) => page.evaluate(([selector, key, next]) => {
  const find = (key) => [...document.querySelectorAll("[data-key]")].find((e) => e.dataset.key === key);
  for (const e of document.querySelectorAll(selector)) {
    if (key !== undefined && e.dataset.key !== key) continue;
    // What the page has selected by itself need not be clicked if the next piece is one of its targets.
    if (e.classList.contains("maybe") ? find(next)?.classList.contains("to") : e.classList.contains("sel") || e.classList.contains("from")) return "selected";
    const b = e.getBoundingClientRect();
    for (let i = 1; i < 10; i++) for (let j = 1; j < 10; j++) {
      // From the middle outwards.
      const part = (n) => 0.5 + (n % 2 ? -1 : 1) * Math.floor(n / 2) * 0.1;
      const [x, y] = [b.left + part(i) * b.width, b.top + part(j) * b.height], hit = document.elementFromPoint(x, y);
      if (hit && (e.contains(hit) || hit.closest("[data-key]") === e)) return [x, y];
    }
  }
  return null;
}, [selector, key, next]);

async function measure(browser, url, game) {
  const page = await open(browser, url, { settings: { speed: "Normal" }, reports: true });
  const home = performance.now();
  await page.click(`.cv[data-game=${game}] .bt .go`);
  const rounds = [];
  let [round, moves, moveClicks, first, othersPlayed] = [null, 0, 0, null, true];
  const began = () => ({ clicks: 0, own: 0, waiting: 0 });
  let since = performance.now();
  /** The time since it was asked for last. */
  const lap = () => { const now = performance.now(), gone = now - since; since = now; return gone; };
  const click = async (at) => { round.clicks += 1; await page.mouse.click(...at); };
  /** Whether the page has done something since. */
  const done = (events) => page.waitForFunction((events) => document.querySelector("#end, .report") || !document.querySelector("#prompt .prompt.mine") || Number(document.querySelector(".trust").dataset.events) !== events
    // A question, or pieces that light up after the first.
    || document.querySelector("#prompt .btn.ghost, .chip[data-key], #board .sel, #hand .sel"), events);
  for (;;) {
    const now = await look(page);
    if (now.over) break;
    if (now.report) {
      if (process.env.TRACE) console.error(`${game} ${rounds.length + 1} ${now.step}: Continue below "${await page.evaluate(() => document.querySelector(".report")?.getAttribute("aria-label"))}"`);
      if (round) { round.waiting += lap(); await click(await spot(page, "#continue")); }
      else await page.click("#continue");
      await page.waitForTimeout(20);
      continue;
    }
    if (!now.mine || now.brief) {
      othersPlayed ||= now.other !== "";
      await page.waitForTimeout(20);
      if (round) round.waiting += lap();
      continue;
    }
    first ??= performance.now() - home;
    if (othersPlayed && !now.reacts) {
      if (round) rounds.push(round);
      if (rounds.length >= ROUNDS) break;
      [round, othersPlayed] = [began(), false];
    }
    round ??= began();
    round.own += lap();
    const move = await hint(page);
    lap();
    if (!move) continue;
    const before = round.clicks;
    const events = now.events, acted = async () => { const then = await look(page); return then.over || then.report || then.brief || !then.mine || then.events !== events; };
    for (const [i, key] of move.path.entries()) {
      if (await acted()) break;
      const at = await spot(page, PIECES, key, move.path[i + 1]);
      if (at === "selected" || (!at && key.startsWith("n "))) continue;
      ensure(at, `${game}: ${key} of ${move.action} cannot be clicked`);
      await click(at);
      await done(events);
    }
    if (!(await acted())) {
      // A button without a place, a question, or one of several with the same places.
      const own = `#prompt [data-act=${JSON.stringify(move.action)}]`, listed = `.act-row[data-act=${JSON.stringify(move.action)}]`;
      const at = (await spot(page, own)) ?? (await spot(page, "#prompt .btn.go")) ?? (await spot(page, listed));
      ensure(at, `${game}: ${move.action} has no button`);
      await click(at);
      await done(events);
      if (!(await acted())) {
        const yes = (await spot(page, own)) ?? (await spot(page, "#prompt .btn.go"));
        if (yes) { await click(yes); await done(events); }
      }
    }
    if (process.env.TRACE) console.error(`${game} ${rounds.length + 1} ${now.step}: ${move.action} [${move.path.join(" | ")}] ${round.clicks - before} clicks`);
    if (move.path.length) { moves += 1; moveClicks += round.clicks - before; }
    round.own += lap();
  }
  const sum = (name) => rounds.reduce((sum, r) => sum + r[name], 0), n = rounds.length;
  ensure(n > 0, `${game}: no round was played`);
  const tenth = (x) => Math.round(10 * x) / 10;
  await close(page);
  return {
    row: game,
    figures: Object.entries({
      "own turns": n,
      "seconds to the first decision": tenth(first / 1000),
      "clicks per own turn": tenth(sum("clicks") / n),
      "most clicks in a turn": Math.max(...rounds.map((r) => r.clicks)),
      "clicks per move on the board": Math.round((100 * moveClicks) / Math.max(1, moves)) / 100,
      "page's seconds per own turn": tenth(sum("own") / n / 1000),
      "waiting per round, seconds": tenth(sum("waiting") / n / 1000),
    }),
  };
}

const server = process.env.SERVER ? { url: process.env.SERVER, stop: () => {} } : await serve();
const browser = await launch();
for (const game of wanted) console.log(JSON.stringify(await measure(browser, server.url, game)));
await browser.close();
server.stop();
