// How a game moves on: moves without a choice, bots' turns, questions, undo, hints, tabs, Back and Forward, replay.
import { accessible, act, close, digest, ensure, equal, events, look, numbers, open, shot, test, turn, waits } from "./lib.mjs";

const start = async (page, game) => {
  await page.click(`.cv[data-game=${game}] .bt .go`);
  await page.waitForSelector(".table");
  return turn(page);
};

const asks = (page) => page.locator("#prompt .prompt.mine .btn.go").count();

/** A decision at random, until the game is over. */
async function any(page, random) {
  const { rows, over } = await turn(page);
  if (over) return false;
  await act(page, random(rows));
  return !(await turn(page)).over;
}

export const tests = [
  test("nobody is asked a question with one answer, unless they want to be", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    const random = numbers(11);
    let decisions = 0;
    for (; decisions < 40; decisions++) {
      const { rows } = await turn(page);
      ensure(rows !== 1, `one action is offered: ${await page.locator(".act-row").first().innerText().catch(() => "")}`);
      if (!(await any(page, random))) break;
    }
    await close(page);

    const asked = await open(browser, url, { settings: { ask_single: true } });
    await start(asked, "vires");
    let single = 0;
    for (let i = 0; i < 60 && !single; i++) {
      if ((await turn(asked)).rows === 1) single += 1;
      if (!(await any(asked, random))) break;
    }
    ensure(single, "with the setting, decisions with one option are asked");
    await close(asked);
  }),

  waits("the only move is shown for a moment; a key ends it early, a button asks next time", async (browser, url) => {
    const page = await open(browser, url, { settings: { speed: "Slow" } });
    await start(page, "hestia");
    const random = numbers(3);
    const shown = () => page.locator("#prompt .prompt.forced").count();
    let seen = 0;
    for (let i = 0; i < 80 && !seen; i++) {
      await page.waitForFunction(() => document.querySelector("#end, #prompt .prompt.mine, #prompt .prompt.forced, #prompt [data-do=skip]"));
      if ((seen = await shown())) break;
      if (await page.locator("#end").count()) break;
      if ((await look(page)).mine) await act(page, random((await look(page)).rows)).catch(() => {});
      else await page.waitForTimeout(50);
    }
    if (seen) {
      ensure((await page.locator("#prompt .flag").innerText()).includes("Only move"), "the flag says so");
      await shot(page, "only-move");
      await accessible(page, "the only move");
      const before = await events(page);
      await page.keyboard.press("x");
      await page.waitForFunction((n) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) > n, before);
    }
    await close(page);
  }),

  waits("a bot's turn takes two seconds at most; Skip leads to the next decision", async (browser, url) => {
    // The pauses that the page asks the browser for, in order. On a busy machine they are shorter, never longer. The offer to
    // undo checks every 250 ms whether the pointer is over it.
    const before = () => {
      window.pauses = [];
      const wait = window.setTimeout.bind(window);
      window.setTimeout = (f, ms, ...more) => { if (ms >= 60 && ms !== 250) window.pauses.push(ms); return wait(f, ms, ...more); };
    };
    const page = await open(browser, url, { settings: { speed: "Normal" }, before });
    await start(page, "numeral");
    // Whose turn it is, sampled.
    await page.evaluate(() => {
      window.turns = [];
      let last = "", since = performance.now();
      setInterval(() => {
        const now = document.querySelector("#prompt .prompt.wait .flag")?.textContent ?? "";
        if (now === last) return;
        if (last) window.turns.push([last, performance.now() - since, window.pauses.reduce((sum, ms) => sum + ms, 0)]);
        [last, since, window.pauses] = [now, performance.now(), []];
      }, 10);
    });
    const end = page.locator("#prompt [data-do^='act']:has-text('End'), #prompt [data-do^='act']:has-text('Done')").last();
    for (let i = 0; i < 12 && !(await page.locator("#prompt .prompt.wait").count()); i++) await end.click({ timeout: 3000 }).catch(() => act(page, 0));
    await page.waitForSelector("#prompt [data-do=skip]");
    await shot(page, "bots-turn");
    await turn(page);
    const turns = await page.evaluate(() => window.turns);
    console.log(`     bots' turns: ${turns.map(([who, ms]) => `${who} ${(ms / 1000).toFixed(1)} s`).join(", ")}`);
    ensure(turns.length > 0, "bots have played");
    for (const [who, , pauses] of turns) ensure(pauses <= 2000, `the page pauses ${pauses} ms in a turn of ${who}`);
    ensure(turns.some(([, , pauses]) => pauses > 0), "the page pauses in a bot's turn");
    for (let i = 0; i < 12 && !(await page.locator("#prompt .prompt.wait").count()); i++) await end.click({ timeout: 3000 }).catch(() => act(page, 0));
    await page.click("#prompt [data-do=skip]").catch(() => {});
    await turn(page);
    const still = await page.evaluate(() => document.getAnimations().filter((a) => a.effect?.target?.closest?.("#board")).length);
    ensure(still < 40, `${still} animations after Skip`);
    await close(page);
  }),

  test("undo takes back one's own move, also after the bots' replies; then the same move leads to the same game", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "numeral");
    const end = () => page.locator(".act-row").last();
    // Up to a decision after which the bots reply.
    let [before, first, action] = [];
    for (let i = 0; i < 60; i++) {
      [before, first] = [await digest(page), await events(page)];
      action = await end().getAttribute("data-act");
      await act(page, (await look(page)).rows - 1);
      await turn(page);
      if ((await events(page)) > first + 3) break;
    }
    const [after, reached] = [await digest(page), await events(page)];
    ensure(reached > first + 3, "the bots have replied");
    const said = await page.getAttribute("#undo", "aria-label");
    ensure(said.startsWith("Undo: "), `undo says what it takes back: ${said}`);
    await page.keyboard.press("u");
    await page.waitForFunction((n) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) === n, first);
    equal(await digest(page), before, "the state after undo");
    await page.locator(`.act-row[data-act=${JSON.stringify(action)}]`).click();
    await turn(page);
    await page.waitForFunction((n) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) >= n, reached);
    equal(await digest(page), after, "the state after the same move");
    await close(page);
  }),

  test("a question is asked where undo is impossible, alike for pieces, list and keyboard", async (browser, url) => {
    for (const game of ["hegemony", "ozymandias", "numeral"]) {
      const page = await open(browser, url);
      await start(page, game);
      const random = numbers(5);
      let [asked, done, compared] = [0, 0, 0];
      for (let i = 0; i < 14; i++) {
        const { rows, over } = await turn(page);
        if (over) break;
        const n = random(rows), row = page.locator(".act-row").nth(n);
        const [action, path] = [await row.getAttribute("data-act"), (await row.getAttribute("data-path")).split("|").filter(Boolean)];
        const clickable = await page.evaluate((path) => path.length > 0 && path.every((key) => !key.startsWith("n ")), path);
        const before = await events(page);
        const question = await act(page, n);
        question ? asked++ : done++;
        await turn(page);
        if ((await page.locator("#end").count()) || question || !clickable) continue;
        // Undo, then the same with the pieces: it is done without a question, too.
        if ((await page.getAttribute("#undo", "aria-disabled")) === "true") continue;
        await page.keyboard.press("u");
        await page.waitForFunction((n) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) === n, before);
        const seen = await page.evaluate((path) => { const e = [...document.querySelectorAll("[data-key]")].find((e) => e.dataset.key === path[0]); return !!e; }, path);
        if (!seen) { await act(page, n); continue; }
        for (const key of path) await page.evaluate((key) => [...document.querySelectorAll("[data-key]")].find((e) => e.dataset.key === key)?.dispatchEvent(new MouseEvent("click", { bubbles: true })), key);
        await page.waitForFunction((n) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) > n || document.querySelectorAll("#prompt [data-act]").length > 1, before).catch(() => { throw new Error(`${game}: ${action} by its pieces ${path} was not done`); });
        compared++;
      }
      console.log(`     ${game}: ${done} done at once, ${asked} asked, ${compared} compared with pieces`);
      ensure(done > 0, `${game}: something is done at once`);
      await close(page);
    }
  }),

  test("a hint is one move with its chance and a reason, and plays it", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "numeral");
    const before = await events(page);
    await page.keyboard.press("h");
    await page.waitForSelector(".notice.advice .btn");
    equal(await page.locator(".notice.advice li").count(), 1, "moves that are advised");
    const text = await page.locator(".notice.advice").innerText();
    ensure(/Best move, (about \d+ % to win|(wins|loses) in every line that was tried)\./.test(text), `the chance: ${text}`);
    ensure(/\. |\.$/m.test(text.split("\n").slice(1).join(" ")), `the reason: ${text}`);
    ensure(!/@\d|undefined/.test(text), `no placeholder: ${text}`);
    await accessible(page, "a hint");
    await shot(page, "hint");
    await page.click(".notice .btn:has-text('Play it')");
    await page.waitForFunction((n) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) > n, before);
    await close(page);
  }),

  test("two tabs of one game: the second offers to take over, the first stops, nothing is overwritten", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    const random = numbers(9);
    for (let i = 0; i < 4; i++) await any(page, random);
    await turn(page);
    const [reached, state, address] = [await events(page), await digest(page), page.url()];
    await page.waitForTimeout(300);
    const second = await page.context().newPage();
    await second.goto(address);
    await second.waitForSelector("#elsewhere");
    ensure((await second.locator("#elsewhere").innerText()).includes("This game is open in another tab"), "it says so");
    equal(await second.locator(".table").count(), 0, "tables in the second tab");
    await accessible(second, "the game is elsewhere");
    await shot(second, "elsewhere");
    await second.click("#take-over");
    await second.waitForSelector(".table");
    await turn(second);
    equal(await events(second), reached, "events in the second tab");
    equal(await digest(second), state, "the state in the second tab");
    await page.waitForSelector("#elsewhere");
    ensure((await page.locator("#elsewhere").innerText()).includes("Taken over in another tab"), "the first tab says so");
    equal(await page.locator(".table").count(), 0, "tables in the first tab");
    await any(second, random);
    await close(page);
  }),

  test("a tab that slept while another took over writes nothing any more", async (browser, url) => {
    // Without messages between tabs, as if the first did not hear.
    const deaf = () => { delete globalThis.BroadcastChannel; };
    const page = await open(browser, url, { before: deaf });
    await start(page, "numeral");
    await act(page, 0);
    await turn(page);
    const reached = await events(page);
    await page.waitForTimeout(400);
    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.waitForSelector(".table");
    await turn(second);
    equal(await events(second), reached, "events in the second tab");
    await act(second, 0);
    await turn(second);
    const state = await digest(second);
    await second.waitForTimeout(400);
    await page.locator(".act-row").first().click({ timeout: 3000 }).catch(() => {});
    if (await asks(page)) await page.click("#prompt .btn.go");
    await page.waitForSelector("#elsewhere");
    await second.reload();
    await second.waitForSelector(".table");
    await turn(second);
    equal(await digest(second), state, "the state of the tab that took over, after a reload");
    await close(page);
  }),

  test("Back and Forward go between home, game and end, and close sheets", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "hestia");
    const address = page.url();
    ensure(new URL(address).hash.length > 1, "the address names the game");
    await page.goBack();
    await page.waitForSelector(".home-pg");
    equal(new URL(page.url()).hash, "", "the address of home");
    await page.goForward();
    await page.waitForSelector(".table");
    equal(page.url(), address, "the address of the game");
    await turn(page);
    await page.click("[data-do=settings]");
    await page.waitForSelector("#settings");
    await page.goBack();
    await page.waitForSelector("#settings", { state: "detached" });
    ensure(await page.locator(".table").count(), "the table is still there");
    equal(page.url(), address, "the address after closing the sheet");
    await page.click("[data-do=settings]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#settings", { state: "detached" });
    await page.click("[data-do=home]");
    await page.waitForSelector(".home-pg");
    await page.goBack();
    await page.waitForSelector(".table");
    equal(page.url(), address, "the address after home and Back");
    await turn(page);
    await close(page);
  }),

  waits("the replay plays by itself and stops", async (browser, url) => {
    const page = await open(browser, url, { settings: { speed: "Fast" } });
    await start(page, "ozymandias");
    await act(page, 0);
    await turn(page);
    await page.click("#replay-play");
    await page.waitForFunction(() => Number(document.querySelector("#slider").value) >= 2 && document.querySelector("#prompt .prompt.past"));
    await page.click("#replay-play");
    const at = await page.locator("#slider").inputValue();
    await page.waitForTimeout(600);
    equal(await page.locator("#slider").inputValue(), at, "the event while paused");
    await page.click("#replay-play");
    await page.waitForSelector("#prompt .prompt.mine");
    await close(page);
  }),

  test("bots' levels have a plain name and their title", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    const tags = await page.locator("#seats .tag").evaluateAll((all) => all.map((e) => `${e.textContent}: ${e.title}`));
    ensure(tags.includes("Medium: Medium (Captain)"), `tags: ${tags}`);
    await close(page);
  }),
];
