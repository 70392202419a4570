// What a visitor meets on the way: saved games, presets, advanced settings, tooltips by touch, the offer to undo, dice,
// and the history of the browser.
import { readFileSync } from "node:fs";
import { accessible, act, close, digest, ensure, equal, events, fits, look, open, PHONE, setUp, shot, test, turn, waits } from "./lib.mjs";
import { inView } from "./pages.mjs";

const start = async (page, game) => {
  await page.click(`.cv[data-game=${game}] .bt .go`);
  await page.waitForSelector(".table");
  return turn(page);
};

const home = async (page) => {
  await page.click(".bar .home");
  await page.waitForSelector(".home-pg");
};

/** Whether two elements of the page lie over each other. */
const overlap = (page, a, b) => page.evaluate(([a, b]) => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility({ visibilityProperty: true })).map((e) => e.getBoundingClientRect());
  return boxes(a).some((a) => boxes(b).some((b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1));
}, [a, b]);

export const tests = [
  test("home lists the newest games; Show all lists every one", async (browser, url) => {
    const page = await open(browser, url);
    for (const game of ["numeral", "vires", "hestia", "hegemony", "ozymandias", "vires"]) {
      await start(page, game);
      await home(page);
    }
    await page.waitForSelector(".cn");
    const listed = await page.locator(".cn").count();
    ensure(listed < 6, `${listed} of 6 games are listed`);
    ensure((await page.textContent(".cont .all")).includes("Show all (6)"), "the button says how many there are");
    await accessible(page, "home with many games");
    await page.click(".cont .all");
    await page.waitForFunction(() => document.querySelectorAll(".cn").length === 6);
    equal(await page.locator(".cont .all").count(), 0, "buttons that show all, after that");
    await close(page);
  }),

  test("options are loaded from a preset file, and saved as one", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await page.locator(".cv[data-game=vires] .mb").scrollIntoViewIfNeeded();
    await setUp(page, "vires");
    const says = page.locator("#preset-files [role=status]");
    const load = async (name, content, expected) => {
      const chooser = page.waitForEvent("filechooser");
      await page.click("#load-preset");
      await (await chooser).setFiles({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
      await page.waitForFunction((expected) => document.querySelector("#preset-files [role=status]").textContent.includes(expected), expected);
    };
    const rules = (expected) => page.waitForFunction((expected) => document.querySelector(".sheet .end p").textContent.includes(expected), expected);
    // A file as `pentarchy tune --preset-out` writes it.
    await load("short.toml", 'game = "vires"\nrules_version = 1\nname = "Short"\nabout = ""\n[options]\nblocks = 4\n[options.tuning]\ndraw = 3\n', "Loaded “Short”.");
    await rules("2 rules changed");
    // Other games, unknown names and other files are rejected and change nothing.
    await load("other.toml", 'game = "hestia"\n[options]\n', "Cannot load other.toml: it is a preset of hestia, not of vires.");
    await load("typo.json", '{"game":"vires","options":{"blcks":4}}', "did you mean `blocks`?");
    await load("photo.jpg", "\u0000\u0001", "it is no preset");
    ensure(await says.evaluate((element) => element.classList.contains("bad")), "an error is marked");
    await rules("2 rules changed");
    await accessible(page, "set-up with a preset file", ".sheet");
    await fits(page, "set-up with a preset file on a phone");
    await shot(page, "setup-preset-file");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-preset")]);
    equal(file.suggestedFilename(), "vires-preset.json", "the name of the file");
    const saved = readFileSync(await file.path(), "utf8");
    equal(JSON.stringify(JSON.parse(saved).options), '{"blocks":4,"tuning":{"draw":3}}', "the saved options");
    await page.click(".sheet .end button:has-text('Reset')");
    await rules("Standard rules");
    await load("vires-preset.json", saved, "Loaded “My options”.");
    await rules("2 rules changed");
    await close(page);
  }),

  test("presets are in view on a phone, and one tap chooses one", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await page.locator(".cv[data-game=numeral] .mb").scrollIntoViewIfNeeded();
    await setUp(page, "numeral");
    const chips = page.locator(".presets .chip");
    ensure((await chips.count()) >= 2, "there are presets");
    for (let i = 0; i < (await chips.count()); i++) {
      await chips.nth(i).scrollIntoViewIfNeeded();
      const box = await chips.nth(i).boundingBox();
      ensure(box.x >= 0 && box.x + box.width <= PHONE.width, `preset ${i} is ${JSON.stringify(box)}`);
    }
    equal(await overlap(page, ".presets .chip", ".presets small"), false, "chips lie over what they say");
    await page.locator(".presets .chip", { hasText: "Classic" }).tap();
    equal(await page.locator(".presets .chip", { hasText: "Classic" }).getAttribute("aria-checked"), "true", "Classic is chosen");
    ensure((await page.textContent(".sheet .end")).includes("Classic rules"), "the summary says so");
    await inView(page, "#start", "Start");
    await shot(page, "setup-presets-phone");
    await close(page);
  }),

  test("advanced settings are folded by group, and a search finds one; Start stays in view", async (browser, url) => {
    for (const size of [{ width: 1366, height: 768 }, PHONE]) {
      const page = await open(browser, url, { size });
      await page.locator(".cv[data-game=hegemony] .mb").scrollIntoViewIfNeeded();
      await setUp(page, "hegemony");
      await page.click("#advanced > summary");
      const groups = page.locator("#advanced .groups > details");
      ensure((await groups.count()) > 10, "there is a group for each card");
      equal(await page.locator("#advanced .groups > details[open]").count(), 0, "groups that are open at first");
      await inView(page, "#start", "Start with open settings");
      await accessible(page, "advanced settings", "#advanced");
      await shot(page, `setup-advanced-${size.width}`);
      await page.fill("#advanced .find", "archer cost");
      await page.waitForSelector("#advanced > .opts .opt");
      const found = await page.locator("#advanced > .opts .opt").allInnerTexts();
      ensure(found.length >= 1 && found.every((text) => /archer/i.test(text) && /cost/i.test(text)), `found: ${found}`);
      const field = page.locator("#advanced > .opts .opt input").first();
      await field.fill("7");
      await field.blur();
      ensure((await page.textContent(".sheet .end")).includes("1 rule changed"), "the summary counts it");
      await page.fill("#advanced .find", "no such thing");
      await page.waitForSelector("#advanced p[role=status]");
      await page.fill("#advanced .find", "");
      await page.waitForSelector("#advanced .groups");
      ensure((await page.textContent("#advanced > summary")).includes("1 changed"), "the change is kept");
      await inView(page, "#start", "Start after a search");
      await close(page);
    }
  }),

  test("a tap on a piece that cannot be used says why, clear of the prompt; the next tap elsewhere ends it", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await start(page, "vires");
    const card = page.locator("#hand [data-key][aria-disabled=true], .handbox [data-key].no").first();
    await card.scrollIntoViewIfNeeded();
    // It is disabled, but can be asked about.
    await card.tap({ force: true });
    await page.waitForSelector(".bubble");
    ensure((await page.textContent(".bubble")).trim().length > 10, "it says something");
    equal(await overlap(page, ".bubble", "#prompt"), false, "the tooltip lies over the prompt");
    await shot(page, "tooltip-phone");
    await page.touchscreen.tap(195, 60);
    await page.waitForSelector(".bubble", { state: "detached" });
    await close(page);
  }),

  test("after Play again, Back leads to the end of the first game and Forward to the second", async (browser, url) => {
    const page = await open(browser, url);
    await setUp(page, "numeral");
    await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((fold) => (fold.open = true)));
    const limit = page.locator(".sheet input[aria-label='Round limit']");
    await limit.fill("1");
    await limit.blur();
    await page.click("#start");
    await page.waitForSelector(".table");
    for (let i = 0; i < 40; i++) {
      const { over, rows } = await turn(page);
      if (over) break;
      await act(page, rows - 1);
    }
    await page.waitForSelector("#rematch");
    const first = page.url();
    ensure(first.endsWith("/end"), `the address of the end: ${first}`);
    await page.click("#rematch");
    await page.waitForSelector(".table");
    await turn(page);
    const second = page.url();
    ensure(second !== first && !second.endsWith("/end"), `the address of the second game: ${second}`);
    await page.goBack();
    await page.waitForSelector("#end");
    equal(page.url(), first, "the address after Back");
    await page.goForward();
    await page.waitForSelector(".table");
    await page.waitForSelector("#end", { state: "detached" });
    equal(page.url(), second, "the address after Forward");
    equal((await turn(page)).over, false, "the second game is over");
    await close(page);
  }),

  waits("after a move a line offers to undo it; it covers nothing that can be used, and leaves by itself", async (browser, url) => {
    for (const [game, size] of [["hestia", { width: 1366, height: 768 }], ["hestia", PHONE], ["vires", PHONE]]) {
      const page = await open(browser, url, { size });
      await start(page, game);
      let shown = 0;
      for (let i = 0; i < 30 && !shown; i++) {
        const { over, rows } = await turn(page);
        if (over) break;
        const [before, state] = [await events(page), await digest(page)];
        await page.evaluate((n) => document.querySelectorAll(".act-row")[n].click(), i % rows);
        await page.waitForFunction((n) => Number(document.querySelector(".trust")?.dataset.events ?? n) > n || document.querySelector("#prompt .btn.ghost"), before);
        if ((await events(page)) === before) await page.click("#prompt .btn.go");
        await turn(page);
        // It is there unless a card or a die was revealed, or there is no room.
        await page.waitForTimeout(100);
        if (!(await page.locator(".toast:not(.away)").count())) continue;
        shown += 1;
        equal(await overlap(page, ".toast", "#board .can, #board .rch, #board .lane, #prompt, .handbox"), false, `${game}: the offer lies over what can be used`);
        ensure(/^You |^Your /.test(await page.textContent(".toast p")), `it says what was done: ${await page.textContent(".toast p")}`);
        await accessible(page, "the offer to undo", ".toast");
        await page.screenshot({ path: `${process.env.SHOTS ?? "shots"}/undo-toast-${game}-${size.width}.png` });
        await page.click(".toast [data-do=undo]");
        await page.waitForFunction((n) => Number(document.querySelector(".trust").dataset.events) === n, before);
        equal(await digest(page), state, "the state after undo");
        equal(await page.locator(".toast").count(), 0, "offers after undo");
        // Once more, and this time nobody touches it.
        if (game !== "vires") continue;
        await page.evaluate((n) => document.querySelectorAll(".act-row")[n].click(), i % rows);
        await page.waitForFunction((n) => Number(document.querySelector(".trust").dataset.events) > n, before);
        await page.waitForSelector(".toast");
        await page.waitForSelector(".toast", { state: "detached" });
      }
      ensure(shown, `${game}: undo was not offered at ${size.width} px`);
      await close(page);
    }
  }),

  waits("a game can be left while a report closes by itself", async (browser, url) => {
    const page = await open(browser, url, { settings: { speed: "Fast" }, reports: true });
    await start(page, "hegemony");
    const shown = () => page.locator(".report-note, .report.brief").count();
    for (let i = 0; i < 400 && !(await shown()); i++) {
      await page.evaluate(() => {
        document.querySelector(".report:not(.brief) #continue")?.click();
        const rows = document.querySelectorAll(".act-row");
        if (!document.querySelector("#prompt .prompt.mine") || !rows.length) return;
        rows[rows.length - 1].click();
        document.querySelector("#prompt .btn.go")?.click();
      });
      await page.waitForTimeout(30);
      if (await page.locator("#end").count()) break;
    }
    ensure(await shown(), "a report closes by itself");
    await page.evaluate(() => document.querySelector(".bar .home").click());
    await page.waitForSelector(".home-pg");
    // Longer than any report is shown.
    await page.waitForTimeout(4500);
    await close(page);
  }),

  waits("dice of a report tumble, unless the system asks for reduced motion", async (browser, url) => {
    for (const still of [false, true]) {
      // On a busy machine the dice could lie still again before anybody looks: their animations are counted as they begin.
      const before = () => {
        const animate = Element.prototype.animate;
        window.tumbled = 0;
        Element.prototype.animate = function (...how) {
          if (this.matches(".report [data-die]")) window.tumbled += 1;
          return animate.apply(this, how);
        };
      };
      const page = await open(browser, url, { settings: { speed: "Normal" }, reports: true, still, before });
      await start(page, "hegemony");
      const dice = () => page.evaluate(() => document.querySelectorAll(".report [data-die]").length);
      for (let i = 0; i < 200 && !(await dice()); i++) {
        if (await page.locator("#continue").count()) await page.click("#continue");
        const now = await look(page);
        if (now.over) break;
        if (now.mine) await page.evaluate(() => { const rows = document.querySelectorAll(".act-row"); rows[rows.length - 1].click(); document.querySelector("#prompt .btn.go")?.click(); });
        else if (!(await dice())) await page.evaluate(() => document.querySelector("[data-do=details]")?.click());
        await page.waitForTimeout(30);
      }
      ensure(await dice(), "a report with dice is shown");
      const moves = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.tumbled)))));
      equal(moves > 0, !still, `dice that move with${still ? "" : "out"} reduced motion`);
      // A click shows the end at once.
      await page.evaluate(() => document.querySelector(".report-body")?.click());
      await page.waitForFunction(() => !document.getAnimations().some((a) => a.effect?.target?.matches?.("[data-die]")));
      await shot(page, `report-dice${still ? "-still" : ""}`);
      await close(page);
    }
  }),
];
