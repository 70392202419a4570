// Around a table with friends: links, the waiting room, spectators, late players, coming back, rematches.
import { begin, ended, guest, host, plays } from "./friends.mjs";
import { accessible, close, ensure, equal, events, legible, open, PHONE, shot, test, waits } from "./lib.mjs";
import { SIZES, inView, pageLaws } from "./pages.mjs";

const SHORT = [["Round cap", "4"]];
const OZY = { game: "ozymandias", options: SHORT };

/** Waits until the text of an element matches. */
const says = (page, selector, pattern) =>
  page.waitForFunction(([selector, pattern]) => new RegExp(pattern).test(document.querySelector(selector)?.textContent ?? ""), [selector, pattern.source]);

/** Waits until the player of one of these pages is asked; that page first, then the others. */
async function asked(pages) {
  const which = await Promise.race(pages.map((page, i) => page.waitForSelector("#prompt .prompt.mine").then(() => i)));
  return [pages[which], ...pages.filter((_, i) => i !== which)];
}

/** Plays Ozymandias on until a player begins a turn: their next moves have lines in the log. That page first, then the others. */
async function turnBegins(pages) {
  for (;;) {
    const [here, ...others] = await asked(pages);
    if (await here.locator(".act-row[data-act^=expand], .act-row[data-act^=explore]").count()) return [here, ...others];
    const next = (await events(here)) + 1;
    await Promise.all([here, ...others].map((page, i) => plays(page, i + 1, next)));
  }
}

/** Closes the page of a player, but keeps the browser with its storage. */
const leave = (page) => page.close();

/** Opens the page of a player again. */
async function comeBack(left, url) {
  const page = await left.context().newPage();
  // An hour later: shorter absences, such as a reload, are not worth a report.
  await page.addInitScript(() => { const now = Date.now; Date.now = () => now() + 3600000; });
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  await page.goto(url);
  return page;
}

/** On plain http a page has no locks between tabs. */
const noLocks = () => Object.defineProperty(navigator, "locks", { value: undefined });
/** And a tab that sleeps hears no messages of others. */
const deaf = () => { Object.defineProperty(navigator, "locks", { value: undefined }); delete globalThis.BroadcastChannel; };

/** Opens the table of a page in another tab of the same browser. */
async function secondTab(page) {
  const second = await page.context().newPage();
  second.errors = page.errors;
  second.on("pageerror", (error) => second.errors.push(String(error)));
  await second.goto(page.link);
  return second;
}

/** The second tab and the friend play on, nobody is accused, and the first tab has stopped. */
async function playsOn(first, second, friend) {
  const before = await events(second);
  await Promise.all([plays(second, 5, before + 12), plays(friend, 6, before + 12)]);
  ensure((await events(second)) >= before + 12, `the second tab plays on: ${await events(second)} events`);
  for (const page of [second, friend]) equal(await page.locator("#banner.bad").count(), 0, "accusations");
  equal(await first.locator(".table").count(), 0, "tables in the first tab");
}

export const tests = [
  test("friends: two tabs of one table without locks: the second offers to take over, and the first stops", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend"], before: noLocks });
    const b = await guest(browser, url, a.link, "Ben", 1);
    await begin([a, b]);
    await Promise.all([plays(a, 1, 8), plays(b, 2, 8)]);
    const second = await secondTab(a);
    await says(second, ".lone", /This table is open in another tab/);
    equal(await second.locator(".table").count(), 0, "tables in the second tab");
    await pageLaws(second, "a table that is open in another tab");
    await shot(second, "table-elsewhere");
    await second.click("#take-over");
    await second.waitForSelector(".table");
    await says(a, ".lone", /Taken over in another tab/);
    await playsOn(a, second, b);
    for (const page of [a, b]) await close(page);
  }),

  test("friends: a tab that slept while another opened the table signs nothing any more", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend"], before: deaf });
    const b = await guest(browser, url, a.link, "Ben", 1);
    await begin([a, b]);
    await Promise.all([plays(a, 1, 8), plays(b, 2, 8)]);
    const second = await secondTab(a);
    await second.waitForSelector(".table");
    // Both tabs play the seat now, until the first one finds out: when it stores its next message, or by its heartbeat.
    for (const [page, seed] of [[a, 3], [second, 5], [b, 6]]) plays(page, seed, 24);
    await says(a, ".lone", /Taken over in another tab/);
    await second.reload();
    await second.waitForSelector(".table");
    await playsOn(a, second, b);
    for (const page of [a, b]) await close(page);
  }),

  test("friends: the host removes a guest, whose seat is free again; who is muted is not heard", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend", "Friend"] });
    const b = await guest(browser, url, a.link, "Ben", 1);
    const c = await guest(browser, url, a.link, "Ben", 2);
    await says(a, ".chairs", /Ben.*Ben 2/);
    const speak = async (page, text) => {
      await page.fill("#say", text);
      await page.keyboard.press("Enter");
    };
    await speak(c, "spam");
    await says(a, ".said", /Ben 2spam/);
    await a.click(".mute");
    await says(a, ".muted", /Ben 2 is muted/);
    await speak(c, "more spam");
    await speak(b, "hello");
    await says(a, ".said", /Benhello/);
    ensure(!(await a.textContent(".said")).includes("spam"), "what somebody says who is muted");
    ensure((await b.textContent(".said")).includes("more spam"), "others hear it");
    // A message has 1024 bytes, which are 341 of these characters; the rest stays in the field.
    await speak(b, "漢".repeat(400));
    await says(a, ".said", /漢{341}/);
    ensure(!/漢{342}/.test(await a.textContent(".said")), "the length of a message");
    equal(await b.inputValue("#say"), "漢".repeat(59), "the rest of a long message");
    await accessible(a, "the chat with somebody muted", ".talk");
    await a.click("[aria-label='Remove Ben 2 from the table']");
    await says(c, ".lone", /The host has removed you from this table/);
    await says(b, "#says", /1 seat is free/);
    await pageLaws(a, "the waiting room without the guest");
    await shot(a, "removed");
    for (const page of [a, b, c]) await close(page);
  }),

  test("friends: every bad link says what is wrong with it", async (browser, url) => {
    const table = "a".repeat(26), key = "b".repeat(52);
    for (const [path, text] of [
      [`/t/${table}`, /Incomplete link: the part after # is missing/],
      [`/t/${table}#${key.slice(0, 20)}`, /Incomplete link: the part after # is too short or damaged/],
      [`/t/short#${key}`, /Damaged link: the part between/],
    ]) {
      const page = await open(browser, url, { path, size: PHONE });
      await says(page, ".lone", text);
      await pageLaws(page, `the bad link ${path}`);
      await page.click("text=Home");
      await page.waitForSelector(".home-pg");
      await close(page);
    }
  }),

  test("friends: the waiting room at all sizes; a guest learns the game and keeps the seat; a spectator is told so", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend", "Easy"] });
    const b = await guest(browser, url, a.link, "Ben", 1);
    const w = await open(browser, url, { path: a.link.slice(url.length) });
    await says(w, "#says", /All seats are taken. You watch the game/);
    await says(a, "#options", /Time per move10 minutes/);
    for (const [page, name] of [[a, "host"], [b, "guest"], [w, "spectator"]])
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await pageLaws(page, `the waiting room of the ${name} at ${size.width}×${size.height}`);
        await inView(page, page === a ? "#begin" : "#says", `${name} at ${size.width}×${size.height}`);
      }
    await accessible(b, "the waiting room of a guest");
    const [guide] = await Promise.all([b.context().waitForEvent("page"), b.click("#learn")]);
    await guide.waitForSelector(".table");
    await guide.waitForSelector("[data-game=ozymandias] #guide");
    await guide.close();
    ensure((await a.textContent(".chairs")).includes("Ben"), "the guest keeps the seat");
    await b.setViewportSize({ width: 1366, height: 768 });
    await begin([a, b, w]);
    await says(w, "#watching", /You watch this game/);
    equal(await w.locator(".act-row").count(), 0, "actions of a spectator");
    equal(await w.locator("#hand [data-key]").count(), 0, "cards of a spectator");
    await shot(w, "watching");
    for (const page of [a, b, w]) await close(page);
  }),

  test("friends: the host fills a free seat with a bot and starts", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend", "Friend"] });
    const b = await guest(browser, url, a.link, "Ben", 1);
    ensure(await a.isDisabled("#begin"), "nobody starts with a free seat");
    await a.click(".chair button:has-text('Add a bot')");
    await says(b, ".chairs", /Medium bot/);
    await says(b, "#says", /The host put a bot in seat 3\. Check the table, then press Ready again\./);
    ensure(await a.isDisabled("#begin"), "a guest is asked again after a change");
    await b.click("#ready");
    await begin([a, b]);
    await Promise.all([plays(a, 1, 10), plays(b, 2, 10)]);
    for (const page of [a, b]) await close(page);
  }),

  waits("friends: a late player has a clock, then choices; who comes back is told who ended the game", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend"], stall: 30_000 });
    const b = await guest(browser, url, a.link, "Ben", 1);
    await begin([a, b]);
    await Promise.all([plays(a, 1, 8), plays(b, 2, 8)]);
    const address = b.url(), playing = plays(a, 1);
    await b.waitForSelector("#prompt .prompt.mine");
    // Ben thinks: a key tells Ada that Ben is there, and the time begins again.
    await a.waitForSelector("#banner .clk, #banner.late", { timeout: 90_000 });
    await b.keyboard.press("Shift");
    await a.waitForFunction(() => !document.querySelector("#banner .clk, #banner.late"), null, { timeout: 60_000 });
    // Ben leaves in his turn, and his browser has stored that it is.
    await b.waitForTimeout(500);
    await leave(b);
    await says(a, "#banner", /Ben is offline\. .* left, then you decide/);
    await shot(a, "late-soon");
    await a.waitForSelector("#banner.late", { timeout: 90_000 });
    for (const size of SIZES) {
      await a.setViewportSize(size);
      await shot(a, `late-${size.width}`);
      await pageLaws(a, `a late player at ${size.width}×${size.height}`, "#banner");
      const board = await a.evaluate(() => document.querySelector(".board").getBoundingClientRect().height / innerHeight);
      ensure(board >= (size.width < 900 ? 0.25 : 0.5), `the board beside the choices at ${size.width}×${size.height}: ${(100 * board).toFixed(0)} % of the height`);
    }
    await a.setViewportSize({ width: 1366, height: 768 });
    await accessible(a, "a late player", "#banner");
    await a.click("#wait");
    await says(a, "#banner", /We ask again in/);
    await a.click("#banner button:has-text('Decide now')");
    await a.click("#end-game");
    await says(a, "#banner.bad", /You ended the game because Ben was late\. It has no winner\./);
    await playing;
    await shot(a, "late-ended");
    // Before Ben learns of it, home says that the time is over.
    const home = await comeBack(b, url);
    await says(home, ".cont", /Your time for this move is over/);
    await leave(home);
    // Ada closes the page, too: Ben learns it from the mailbox.
    await leave(a);
    const back = await comeBack(b, address);
    await says(back, "#ended", /Ada ended the game because you were late\. It has no winner\./);
    await shot(back, "ended-while-away");
    await accessible(back, "the end of a game while away", "#away");
    // Home says it, too, until the player deletes the entry.
    await back.goto(url);
    await says(back, ".cont", /Ada ended the game because you were late/);
    await back.click(".cn .x");
    await back.waitForSelector(".cn", { state: "detached" });
    const hostHome = await comeBack(a, url);
    await says(hostHome, ".cont", /You ended the game because Ben was late/);
    for (const page of [hostHome, back]) await close(page);
  }),

  test("friends: a second click while a move is on its way is ignored without a word", async (browser, url) => {
    const pages = [await host(browser, url, { ...OZY, others: ["Friend"] })];
    pages.push(await guest(browser, url, pages[0].link, "Ben", 1));
    await begin(pages);
    const [here, other] = await asked(pages), waits = plays(other, 2, 12);
    let twice = 0;
    for (let i = 0; i < 40 && twice < 4 && (await events(here)) < 12; i++) {
      twice += await here.evaluate(() => {
        const row = document.querySelector(".act-row");
        if (!row || !document.querySelector("#prompt .prompt.mine")) return 0;
        // Asked first where the move cannot be undone; then twice more.
        for (let n = 0; n < 3; n++) row.click();
        return 1;
      });
      await here.waitForTimeout(50);
      equal(await here.locator(".notice").count(), 0, `notices: ${await here.locator(".notice").allInnerTexts()}`);
      equal(await here.locator("#banner.bad").count(), 0, "accusations");
    }
    ensure(twice >= 2, `${twice} moves were clicked twice`);
    await plays(here, 1, 12);
    await waits;
    for (const page of pages) await close(page);
  }),

  test("friends: moves are saved for who is offline; who comes back is told what happened; home says whose turn it is", async (browser, url) => {
    const pages = [await host(browser, url, { ...OZY, others: ["Friend"] })];
    pages.push(await guest(browser, url, pages[0].link, "Ben", 1));
    await begin(pages);
    await Promise.all([plays(pages[0], 1, 8), plays(pages[1], 2, 8)]);
    const [here, gone] = await turnBegins(pages);
    const [me, other] = here === pages[0] ? ["Ada", "Ben"] : ["Ben", "Ada"];
    const address = gone.url();
    await leave(gone);
    await says(here, "#banner", new RegExp(`${other} is offline`));
    ensure(!(await here.textContent("#seats")).includes("online"), "nobody is called online who has left");
    const playing = plays(here, 5, 200);
    await says(here, "#banner", new RegExp(`Saved for ${other}, who is offline\\.`));
    await shot(here, "unseen");
    await here.goto(url);
    await playing;
    await says(here, ".cont", new RegExp(`Waiting for ${other}|Your turn`));
    ensure(!(await here.textContent(".cont")).includes("online"), "home calls nobody online");
    await shot(here, "home-table");
    await here.goBack();
    await here.waitForSelector(".table");
    await says(here, "#banner", new RegExp(`Saved for ${other}, who is offline\\.`));
    const back = await comeBack(gone, address);
    await says(back, "#away", /While you were away/);
    await says(back, "#away", /1 h away/);
    ensure((await back.textContent("#away .missed")).includes(me), `it says what ${me} did: ${await back.textContent("#away")}`);
    ensure((await back.locator("#away .missed li").count()) <= 5, "at most five lines");
    await pageLaws(back, "while you were away", "#away");
    await accessible(back, "while you were away", "#away");
    await shot(back, "while-away");
    await back.click("#away button:has-text('Continue')");
    await here.waitForFunction(() => !document.querySelector("#banner")?.textContent.includes("offline"), null);
    for (const page of [here, back]) await close(page);
  }),

  waits("friends: players who are never online together play on; who opens the page next sees all moves", async (browser, url) => {
    const pages = [await host(browser, url, { ...OZY, others: ["Friend"] })];
    pages.push(await guest(browser, url, pages[0].link, "Ben", 1));
    await begin(pages);
    await Promise.all([plays(pages[0], 1, 8), plays(pages[1], 2, 8)]);
    // All pages are closed, when the browsers have stored whose turn it is.
    let [next, other] = await turnBegins(pages);
    await next.waitForTimeout(500);
    const begun = await events(next);
    for (const page of [other, next]) await leave(page);
    let seen = begun, told = false;
    for (let visit = 0; visit < 5; visit++) {
      const name = next.context() === pages[0].context() ? "Ada" : "Ben", friend = name === "Ada" ? "Ben" : "Ada";
      const page = await comeBack(next, pages[0].link);
      await page.waitForSelector(".table");
      await page.waitForFunction((seen) => Number(document.querySelector(".trust").getAttribute("aria-label").match(/\d+/)[0]) >= seen, seen);
      // A hidden choice is no news: then there is nothing to read until the next visit.
      if (visit && !told) told = await page.waitForSelector("#away", { timeout: 20_000 }).then(() => true, () => false);
      if (await page.locator("#away").count()) {
        await says(page, "#away", /While you were away/);
        ensure((await page.textContent("#away .missed")).includes(friend), `it says what ${friend} did: ${await page.textContent("#away")}`);
        await shot(page, "away-by-mail");
        await page.click("#away button:has-text('Continue')");
      }
      const playing = plays(page, 7 + visit, (await events(page)) + 4);
      if (!visit) {
        await says(page, "#banner", new RegExp(`Saved for ${friend}, who is offline\\.`));
        await shot(page, "saved");
      }
      // Until nothing more happens without the other player.
      for (let before = -1; before !== (await events(page)); await page.waitForTimeout(2000)) before = await events(page);
      seen = await events(page);
      if (!visit) ensure(seen > begun, `${name} plays alone: ${seen} events`);
      await page.goto(url);
      await says(page, ".cont", new RegExp(`Your turn|Waiting for ${friend}`));
      await leave(page);
      await playing;
      [next, other] = [other, next];
    }
    ensure(told, "a player who comes back is told what happened");
    ensure(seen > begun + 4, `they play on: ${seen} of ${begun} events`);
    for (const page of pages) await page.context().close();
  }),

  test("friends: after the end one asks for a rematch, the others accept, and the same seats play on", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend", "Easy"] });
    const b = await guest(browser, url, a.link, "Ben", 1);
    const w = await open(browser, url, { path: a.link.slice(url.length) });
    await begin([a, b, w]);
    await Promise.all([plays(a, 1), plays(b, 2)]);
    await ended([a, b], "before-the-rematch");
    for (const size of SIZES) {
      await b.setViewportSize(size);
      await pageLaws(b, `the end at ${size.width}×${size.height}`);
    }
    // The guest asks, so that the host of the new table is another than before.
    await b.click("#rematch");
    await says(a, "#again", /Ben wants a rematch/);
    await says(b, "#again", /Waiting for Ada/);
    await says(w, "#again", /Ben starts a rematch/);
    await accessible(a, "a rematch", "#again");
    await shot(a, "rematch");
    const before = a.url();
    await a.click("#rematch");
    await Promise.all([a, b].map((page) => page.waitForSelector(".table")));
    for (const page of [a, b]) {
      ensure(page.url() !== before, "a new table");
      const seats = await page.locator("#seats .player").allTextContents();
      ensure(/Ada|You/.test(seats[0]) && /Ben|You/.test(seats[1]), `seats as before: ${seats.join(" | ")}`);
    }
    await Promise.all([plays(a, 3, 10), plays(b, 4, 10)]);
    for (const page of [a, b, w]) await close(page);
  }),

  test("friends: a rematch can be declined, and two who ask at once meet at one table", async (browser, url) => {
    const a = await host(browser, url, { ...OZY, others: ["Friend"] });
    const b = await guest(browser, url, a.link, "Ben", 1, { size: PHONE });
    await begin([a, b]);
    await Promise.all([plays(a, 1), plays(b, 2)]);
    await Promise.all([a, b].map((page) => page.waitForSelector("#rematch")));
    await legible(b, "the end on a phone");
    await a.click("#rematch");
    await b.click("#decline");
    await says(a, "#again", /Ben is not available/);
    await a.reload();
    await a.waitForSelector("#rematch");
    await Promise.all([a.click("#rematch"), b.click("#rematch")]);
    await Promise.all([a, b].map((page) => page.waitForFunction((old) => location.href !== old && document.querySelector(".table"), a.link)));
    equal(a.url(), b.url(), "the tables of both");
    for (const page of [a, b]) await close(page);
  }),
];
