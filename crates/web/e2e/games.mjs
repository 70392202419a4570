// Every game is played through the page to its end screen, and its record is checked by the program.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { accessible, close, digest, ensure, equal, GAMES, look, numbers, open, PHONE, record, setUp, shot, test, turn } from "./lib.mjs";

const RECORDS = process.env.RECORDS ?? "records";
mkdirSync(RECORDS, { recursive: true });

// Options that make a whole game short enough for every run, as one types them into the set-up sheet.
const SHORT = {
  hegemony: [["Round cap", "4"]],
  numeral: [["Round limit", "4"]],
};

// Shorter still, where every key is pressed.
const SHORTEST = { ...SHORT, hegemony: [["Round cap", "3"]], numeral: [["Round limit", "2"]], vires: [["Max rounds", "6"]] };

/** Sets a game up so that it is short, and starts it. */
async function begin(page, game) {
  await setUp(page, game);
  await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((d) => (d.open = true)));
  for (const [name, value] of SHORT[game] ?? []) {
    const field = page.locator(`.sheet input[aria-label='${name}']`);
    await field.fill(value);
    await field.blur();
  }
  await page.click("#start");
  await page.waitForSelector(".table");
}

/** One decision by clicking: on pieces of the board and the hand where they are lit, else in the list. */
const decide = (page, seed, most = 400) =>
  page.evaluate(async ([seed, most]) => {
    let state = seed;
    const below = (n) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0), Math.floor((state / 4294967296) * n));
    const events = () => document.querySelector(".trust span:last-child")?.textContent;
    const idle = () => new Promise((done) => setTimeout(done, 0));
    const hit = (e) => e.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    let [steps, direct] = [0, 0];
    for (; steps < most && document.querySelector("#prompt .prompt.mine"); steps++) {
      const before = events();
      if (below(3)) {
        // A piece, then one of those that it lights up, until something is done or nothing more is lit.
        for (let i = 0; i < 4 && events() === before && document.querySelector("#prompt .prompt.mine"); i++) {
          const primary = document.querySelector("#prompt .btn.go");
          const lit = [...document.querySelectorAll("[data-key].can, .chip[data-key]")];
          if (primary && i) { hit(primary); direct++; }
          else if (lit.length) hit(lit[below(lit.length)]);
          else break;
          await idle();
        }
      }
      if (events() === before) {
        const rows = [...document.querySelectorAll(".act-row")];
        if (rows.length) hit(rows[below(rows.length)]);
      }
      await idle();
      if (events() === before) await new Promise((done) => setTimeout(done, 20));
    }
    return { steps, direct };
  }, [seed, most]);

/** Goes with the Tab key to something. */
async function tabTo(page, selector, most = 250) {
  for (let i = 0; i < most; i++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${selector}`);
}

/** One decision with keys alone: on the pieces, by typing its name, or in the list. */
async function press(page, random, { events, rows }) {
  const done = async () => { const now = await look(page); return now.over || !now.mine || now.events !== events; };
  const key = (...keys) => keys.reduce((before, name) => before.then(() => page.keyboard.press(name)), Promise.resolve());
  const way = random(4);
  if (way === 0 && (await page.locator("[data-key].can[tabindex='0']").count())) {
    await tabTo(page, "[data-key].can[tabindex='0']");
    for (let i = random(3); i > 0; i--) await key(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"][random(4)]);
    // Once to choose it; then another that lights up, or once more to do it.
    await key("Enter");
    if (!(await done()) && (await page.locator("#prompt .btn.go").count())) await key("Enter");
    for (let i = 0; i < 3 && !(await done()); i++) {
      const next = ".chip, [data-key].can[tabindex='0']";
      if (!(await page.locator(next).count())) break;
      await key("Tab");
      await tabTo(page, next);
      await key("Enter");
      if (!(await done()) && (await page.locator("#prompt .btn.go").count())) await tabTo(page, "#prompt .btn.go"), await key("Enter");
    }
    if (await done()) return "pieces";
    await key("Escape", "Escape", "Escape");
  }
  await key("/");
  if (way === 1) {
    const row = page.locator(".act-row").nth(random(rows));
    const word = (await row.locator("span").first().innerText()).split(" ").at(-1);
    await page.keyboard.type(word);
    await key("Enter");
    // Once more if it is asked about.
    if (!(await done())) await key("Enter");
    if (await done()) return "typed";
    await key("Escape", "/");
  }
  for (let i = random(Math.min(8, rows)); i >= 0; i--) await key("ArrowDown");
  await key("Enter");
  if (!(await done())) await key("Enter");
  ensure(await done(), `nothing came of ${rows} actions`);
  return "list";
}

export const tests = GAMES.flatMap((game) => [
  test(`${game}: a whole game by clicking, to the end screen; the program agrees with the record`, async (browser, url) => {
    const page = await open(browser, url);
    await begin(page, game);
    const random = numbers(7);
    let [decisions, seen] = [0, false];
    let state = await turn(page, 90000);
    await shot(page, `${game}-start`);
    for (let i = 0; i < 3000 && !state.over; i++) {
      const { steps } = await decide(page, random(2 ** 31), 30);
      decisions += steps;
      state = await turn(page, 90000);
      if (!seen && !state.over && decisions > 20) {
        seen = true;
        await shot(page, game);
        await accessible(page, game);
      }
    }
    ensure(state.over, `the game is over after ${decisions} decisions`);
    await page.waitForSelector("#rematch");
    await shot(page, `end-${game}`);
    await accessible(page, `the end of ${game}`);
    await page.click("#replay-it");
    await page.click(".replay [aria-label=Live]");
    const [text, here] = [await record(page), await digest(page)];
    const file = `${RECORDS}/${game}.jsonl`;
    writeFileSync(file, text);
    equal(JSON.parse(text.trim().split("\n").at(-1)).digest, here, "the digest in the page and in the record");
    execFileSync(process.env.PENTARCHY, ["verify", file]);
    console.log(`     ${game}: ${decisions} decisions, ${text.split("\n").length - 2} events, verified by the program`);
    await page.click("[data-do=end]");
    await page.click("#rematch");
    await page.waitForSelector(".table");
    await turn(page);
    await close(page);
  }),

  test(`${game}: on a phone and in the light, accessible`, async (browser, url) => {
    for (const [size, theme, name] of [[PHONE, "Dark", `${game}-phone`], [undefined, "Light", `${game}-light`]]) {
      const page = await open(browser, url, { ...(size ? { size } : {}), settings: { theme } });
      await begin(page, game);
      const random = numbers(3);
      for (let i = 0; i < 3 && !(await turn(page)).over; i++) await decide(page, random(2 ** 31), 6);
      await turn(page);
      await shot(page, name);
      await accessible(page, name);
      await close(page);
    }
  }),

  test(`${game}: a whole game with the keyboard alone, from home to a rematch`, async (browser, url) => {
    const page = await open(browser, url);
    await tabTo(page, `.cv[data-game=${game}] .mb`);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.textContent === "Set up");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".sheet");
    for (const [name, value] of SHORTEST[game] ?? []) {
      if (await page.locator(`.sheet details:not([open]) input[aria-label='${name}']`).count()) {
        await tabTo(page, `.sheet details:has(input[aria-label='${name}']) summary`);
        await page.keyboard.press("Enter");
      }
      await tabTo(page, `.sheet input[aria-label='${name}']`);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(value);
    }
    await tabTo(page, "#start");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".table");
    const random = numbers(5), ways = { list: 0, typed: 0, pieces: 0 };
    let state = await turn(page), lit = 0;
    for (let i = 0; i < 600 && !state.over; i++) {
      lit += await page.locator("[data-key].can").count();
      ways[await press(page, random, state)]++;
      state = await turn(page, 90000);
    }
    ensure(state.over, `the game is over after ${JSON.stringify(ways)}`);
    const all = ways.list + ways.typed + ways.pieces;
    // The actions of some games are words only: nothing lights up.
    ensure(all < 20 || (ways.list && ways.typed && (ways.pieces || !lit)), `all ways were used: ${JSON.stringify(ways)}`);
    console.log(`     ${game}: decisions by the list ${ways.list}, by typing ${ways.typed}, on the pieces ${ways.pieces}`);
    await shot(page, `keys-${game}`);
    await tabTo(page, "#rematch");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".table");
    await turn(page);
    await close(page);
  }),
]);
