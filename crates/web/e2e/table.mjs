// The shared table: acting, undo, replay, hints, hotseat, watching, saving, and what goes wrong.
import { accessible, close, digest, drop, ensure, equal, fits, look, open, PHONE, record, shot, SHOTS, turn } from "./lib.mjs";

const test = (name, run) => ({ name, run });
const aside = (name, run) => ({ name, run, aside: true });

const start = async (page, game) => {
  await page.click(`.cv[data-game=${game}] .bt .go`);
  await page.waitForSelector(".table");
  return turn(page);
};

export const tests = [
  test("clicking lights up, a second click does it, and undo takes it back", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "numeral");
    const before = await digest(page);
    const { events } = await look(page);
    await page.click("#board [data-key].can, #hand [data-key].can, .act-row");
    await page.waitForFunction((n) => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) > n, events);
    ensure((await digest(page)) !== before, "something has changed");
    ensure((await page.getAttribute("#undo", "aria-label")).startsWith("Undo: "), "undo says what it takes back");
    await page.keyboard.press("u");
    await page.waitForFunction((n) => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) === n, events);
    equal(await digest(page), before, "the state after undo");
    await close(page);
  }),

  test("a card is dragged to its place, and what happened since can be stepped through", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "hegemony");
    const middle = (key) => page.evaluate((key) => {
      const box = [...document.querySelectorAll("[data-key]")].find((e) => e.dataset.key === key)?.getBoundingClientRect();
      return box && [box.left + box.width / 2, box.top + box.height / 2];
    }, key);
    // Up to a card of the hand that goes somewhere.
    let way;
    for (let i = 0; i < 80 && !way; i++) {
      way = await page.evaluate(() => {
        const ways = [...document.querySelectorAll(".act-row")].map((row) => row.dataset.path.split("|"));
        return ways.find((way) => way.length === 2 && document.querySelector(`#hand [data-key="${way[0]}"]`));
      });
      if (way) break;
      await page.locator(".act-row").first().click();
      if ((await turn(page)).over) break;
    }
    ensure(way, "a card can be dragged somewhere");
    const { events } = await look(page), from = await middle(way[0]);
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(from[0] + 40, from[1] - 60, { steps: 3 });
    const to = await middle(way[1]);
    ensure(to, "the places where it can go light up");
    await shot(page, "drag");
    await page.mouse.move(...to, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction((n) => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) > n, events);
    for (let i = 0; i < 60 && !(await page.locator("#log .since button").count()); i++) {
      await page.locator(".act-row").first().click();
      await turn(page);
    }
    ensure((await page.locator("#log .since").count()) === 1, "the log says what happened since");
    await page.click("#log .since button");
    await page.waitForSelector("#prompt .prompt.past");
    await close(page);
  }),

  test("undo ends where something new became known, and says so", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "hegemony");
    const said = await page.getAttribute("#undo", "aria-label");
    ensure(said.startsWith("Nothing to undo."), `undo says why not: ${said}`);
    equal(await page.getAttribute("#undo", "aria-disabled"), "true", "undo");
    await close(page);
  }),

  test("a reload in the middle goes on exactly there", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    for (let i = 0; i < 6; i++) {
      await page.locator(".act-row").first().click();
      if ((await turn(page)).over) break;
    }
    const [before, events] = [await digest(page), (await look(page)).events];
    ensure(events > 10, "some events have happened");
    await page.waitForTimeout(300);
    await page.reload();
    await page.waitForSelector(".table");
    await turn(page);
    equal((await look(page)).events, events, "events after the reload");
    equal(await digest(page), before, "the state after the reload");
    await close(page);
  }),

  test("the replay goes over the whole game, step by step, and back to live", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "hegemony");
    await page.locator(".act-row").first().click();
    const { events } = await turn(page);
    // What is drawn, whatever the order of attributes.
    const drawn = () => page.evaluate(() => [...document.querySelectorAll("#board *")].map((e) => `${e.tagName} ${[...e.classList].filter((name) => name !== "hint").join(" ")} ${e.dataset?.key} ${e.getAttribute("points")}`).join("\n") + document.querySelector("#board").textContent);
    const live = await drawn();
    await page.click(".replay [aria-label=First]");
    ensure((await look(page)).prompt.includes(`event 0 of ${events}`), "the prompt says that this is the past");
    await page.click(".replay [aria-label=Forward]");
    await page.locator("#slider").evaluate((e, at) => { e.value = at; e.dispatchEvent(new Event("input", { bubbles: true })); }, Math.floor(events / 2));
    await page.waitForFunction((at) => document.querySelector("#prompt p").textContent.includes(`event ${at} of`), Math.floor(events / 2));
    await shot(page, "replay");
    await accessible(page, "replay");
    await page.keyboard.press(".");
    await page.waitForSelector("#prompt .prompt.mine");
    const [then, now] = [live, await drawn()].map((text) => text.split("\n"));
    const differs = now.findIndex((line, i) => line !== then[i]);
    ensure(differs < 0, `the board of the present differs: ${then[differs]} is now ${now[differs]}`);
    await page.locator("#log li[data-do]").first().click();
    await page.waitForSelector("#prompt .prompt.past");
    await close(page);
  }),

  test("maps come nearer: wheel, buttons, keys and two fingers zoom, dragging pans, clicks still hit", async (browser, url) => {
    // How large the map is, where it is scrolled to, and a lit piece in sight.
    const map = (page) => page.evaluate(() => {
      const box = document.querySelector("#board .zoom"), map = box.firstElementChild, frame = box.getBoundingClientRect();
      return { wide: map.offsetWidth / box.clientWidth, left: box.scrollLeft, top: box.scrollTop, x: frame.left + frame.width / 2, y: frame.top + frame.height / 2 };
    });
    for (const game of ["numeral", "ozymandias", "hestia"]) {
      const page = await open(browser, url);
      await start(page, game);
      const first = await map(page);
      equal(first.wide, 1, `${game}: the map at first`);
      await page.mouse.move(first.x, first.y);
      for (let i = 0; i < 3; i++) await page.mouse.wheel(0, -200);
      await page.waitForFunction(() => Number(document.querySelector(".zoom").style.getPropertyValue("--zoom")) > 2);
      const near = await map(page);
      ensure(near.left > 50 && near.top > 50, `${game}: the point under the pointer stays there`);
      await shot(page, `zoom-${game}`);
      await accessible(page, `${game}, zoomed`);
      // A drag on the sea, or on land where nothing can be done.
      const free = await page.evaluate(() => {
        const frame = document.querySelector(".zoom").getBoundingClientRect();
        for (let x = frame.left + 130; x < frame.right - 130; x += 20)
          for (let y = frame.top + 90; y < frame.bottom - 90; y += 20) {
            const hit = document.elementFromPoint(x, y);
            if (hit?.closest(".zoom") && !hit.closest(".can,.sel,.rch")) return [x, y];
          }
      });
      const { events } = await look(page);
      await page.mouse.move(...free);
      await page.mouse.down();
      await page.mouse.move(free[0] - 60, free[1] - 40, { steps: 4 });
      await page.mouse.up();
      const panned = await map(page);
      ensure(panned.left > near.left + 30 && panned.top > near.top + 20, `${game}: dragging pans`);
      equal((await look(page)).events, events, `${game}: events after the drag`);
      await page.keyboard.press("-");
      ensure((await map(page)).wide < near.wide, `${game}: minus zooms out`);
      await page.keyboard.press("+");
      await page.click("[data-do='zoom in']");
      ensure((await map(page)).wide > near.wide, `${game}: plus and the button zoom in`);
      await page.keyboard.press("0");
      equal((await map(page)).wide, 1, `${game}: 0 shows the whole map`);
      await page.mouse.dblclick(...free);
      ensure((await map(page)).wide > 1.5, `${game}: a double click zooms in`);
      await page.click("[data-do='zoom whole']");
      equal((await map(page)).wide, 1, `${game}: the whole map again`);
      equal((await look(page)).events, events, `${game}: nothing was done by it`);
      if (game === "numeral") {
        for (let i = 0; i < 4; i++) await page.keyboard.press("+");
        await page.click("#board [data-key].can");
        await page.waitForFunction((n) => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) > n, events);
      }
      await close(page);

      const phone = await open(browser, url, { size: PHONE });
      await start(phone, game);
      const before = await map(phone);
      const least = await phone.evaluate(() => Math.min(...[...document.querySelectorAll("#board .zoom [data-key].can, #board .zoom .rch")].map((e) => Math.max(...["width", "height"].map((side) => e.getBoundingClientRect()[side])))));
      ensure(!(least < 43.5), `${game}: a piece is ${least} pixels large on a phone`);
      const session = await phone.context().newCDPSession(phone);
      const touch = (type, far) => session.send("Input.dispatchTouchEvent", {
        type, touchPoints: far ? [{ x: before.x - far, y: before.y, id: 0 }, { x: before.x + far, y: before.y, id: 1 }] : [],
      });
      await touch("touchStart", 30);
      for (const far of [40, 50, 60, 70]) await touch("touchMove", far);
      await touch("touchEnd");
      await phone.waitForFunction((wide) => { const box = document.querySelector(".zoom"); return box.firstElementChild.offsetWidth / box.clientWidth > wide * 1.5; }, before.wide);
      await shot(phone, `zoom-${game}-phone`);
      await fits(phone, `${game}, zoomed on a phone`);
      await close(phone);
    }
  }),

  test("a hint names three actions of the list with reasons, and does one on demand", async (browser, url) => {
    const page = await open(browser, url);
    const { events } = await start(page, "numeral");
    await page.keyboard.press("h");
    await page.waitForSelector(".notice .btn", { timeout: 30000 });
    const rows = await page.locator(".notice.advice li").allInnerTexts();
    ensure(rows.length === 3 && rows.every((row) => /lines that were tried|every line/.test(row)), `three actions with reasons: ${rows}`);
    await accessible(page, "a hint");
    await shot(page, "hint");
    await page.click(".notice .btn");
    await page.waitForFunction((n) => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) > n, events);
    await close(page);
  }),

  test("hotseat: a curtain hides hands until the next player has the screen", async (browser, url) => {
    const page = await open(browser, url);
    await page.click(".cv[data-game=vires] .bt .btn:not(.go)");
    await page.waitForSelector(".sheet");
    await page.locator(".srow").nth(1).locator("button:has-text('Here')").click();
    await page.click("#start");
    await page.waitForSelector(".table");
    await turn(page);
    ensure((await look(page)).curtain, "there is a curtain before the first player");
    equal(await page.locator("#hand .card:not(.down)").count(), 0, "open cards behind the curtain");
    equal(await page.locator(".act-row").count(), 0, "actions behind the curtain");
    await shot(page, "curtain");
    await accessible(page, "curtain");
    await page.click("[data-do=lift]");
    await page.waitForSelector(".table:not(.covered)");
    ensure((await look(page)).rows > 0, "the player can act");
    await close(page);
  }),

  test("bots can be watched, paused and sped up", async (browser, url) => {
    const page = await open(browser, url, { settings: { speed: "Fast" } });
    await page.click("button[aria-label='Watch bots play Ozymandias']");
    await page.waitForSelector("[data-do=pause]");
    await page.waitForFunction(() => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) > 12);
    await page.click("[data-do=pause]");
    await page.waitForTimeout(700);
    const { events } = await look(page);
    await shot(page, "watch");
    await page.waitForTimeout(900);
    equal((await look(page)).events, events, "events while paused");
    await page.click("[data-do=pause]");
    await page.waitForFunction((n) => Number(document.querySelector(".trust span:last-child").textContent.match(/\d+/)[0]) > n, events);
    await close(page);
  }),

  aside("changes are shown: dice tumble, numbers count, a click skips; nothing moves for those who want it so", async (browser, url) => {
    const watch = async (page) => {
      await page.click("button[aria-label='Watch bots play Hegemony']");
      await page.waitForSelector("[data-do=pause]");
    };
    const moving = await open(browser, url, { settings: { speed: "Fast" } });
    await watch(moving);
    await moving.waitForSelector(".delta", { state: "attached" });
    await moving.waitForSelector(".cast .die20, .roll20 .die20");
    const said = await moving.locator(".cast .num, .roll20 .die20 .num").first().innerText();
    ensure(Number(said) >= 1 && Number(said) <= 20, `the die says ${said}`);
    await moving.waitForSelector(".tumbles", { state: "attached" });
    await moving.waitForSelector(".tumbles", { state: "detached" });
    await moving.screenshot({ path: `${SHOTS}/cast.png` });
    // In one go, for the bots play on: the next die may be in the air a moment later.
    const skipped = await moving.evaluate(async () => {
      let die = null;
      while (!(die = document.querySelector(".tumbles"))) await new Promise((done) => setTimeout(done, 5));
      document.querySelector(".bar").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      await new Promise((done) => setTimeout(done, 40));
      return !die.isConnected || !die.classList.contains("tumbles");
    });
    ensure(skipped, "a die tumbles on after a click");
    await close(moving);

    const still = await open(browser, url, { settings: { speed: "Fast" }, still: true });
    await watch(still);
    await still.waitForSelector(".cast .die20, .roll20 .die20");
    equal(await still.locator(".tumbles, .delta").count(), 0, "things that move");
    const rings = await still.evaluate(() => document.getAnimations().filter((a) => a.effect.getKeyframes().some((k) => k.outline)).length);
    ensure(rings > 0, "a ring marks what changed");
    await close(still);
  }),

  test("a saved record can be dropped on the page and watched", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "hestia");
    const text = await record(page);
    ensure(text.startsWith('{"pentarchy":1,"game":"hestia"'), "the record begins with its header");
    await page.click(".bar .home");
    await drop(page, text);
    await page.waitForSelector("#prompt .prompt.past");
    await page.click(".replay [aria-label=Forward]");
    await accessible(page, "a record");
    // A line that was tampered with is found.
    const lines = text.trim().split("\n");
    const bad = lines.map((line, i) => (i === 3 ? line.replace(/"digest":"../, '"digest":"00') : line)).join("\n") + "\n";
    await drop(page, bad);
    await page.waitForFunction(() => document.querySelector(".notice")?.textContent.includes("line 4"));
    await close(page);
  }),

  test("full storage is said, and the game goes on", async (browser, url) => {
    const page = await open(browser, url);
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => { throw new DOMException("The quota has been exceeded.", "QuotaExceededError"); };
    });
    await start(page, "numeral");
    await page.waitForFunction(() => document.querySelector(".notice")?.textContent.includes("cannot be kept"));
    await shot(page, "storage-full");
    await page.locator(".act-row").first().click();
    await turn(page);
    await close(page);
  }),

  test("if the program fails, the page says so, keeps the game and offers the record", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    await page.locator(".act-row").first().click();
    const { events } = await turn(page);
    await page.waitForTimeout(300);
    const made = await page.evaluate(() => document.querySelector("link[rel=modulepreload]").href);
    await page.evaluate(async (made) => { (await import(made)).fail("on purpose"); }, made).catch(() => {});
    await page.waitForSelector("#fatal");
    ensure((await page.locator("#fatal pre").innerText()).includes("on purpose"), "it says what happened");
    await shot(page, "failed");
    await accessible(page, "a failure");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#fatal-save")]);
    ensure((await file.createReadStream()) !== null, "the record is offered");
    page.errors.length = 0;
    await page.click("#fatal-again");
    await page.waitForSelector(".table");
    await turn(page);
    equal((await look(page)).events, events, "events after the failure");
    await close(page);
  }),

  aside("the guided first game points at things and goes on", async (browser, url) => {
    for (const game of ["hegemony", "numeral", "ozymandias", "vires", "hestia"]) {
      const page = await open(browser, url);
      await page.click(`.cv[data-game=${game}] .lk .btn >> nth=0`);
      await page.waitForSelector(".lesson", { timeout: 30000 });
      await shot(page, `guide-${game}`);
      await accessible(page, `the guide of ${game}`);
      let steps = 0;
      for (; steps < 40 && (await page.locator(".lesson").count()); steps++) {
        const next = page.locator(".lesson .btn.go");
        if (await next.count()) await next.click();
        else if ((await look(page)).mine) await page.locator(".act-row").first().click();
        await page.waitForTimeout(60);
      }
      ensure(steps > 4, `the guide of ${game} has only ${steps} steps`);
      await close(page);
    }
  }),

  test("on a phone the tabs open actions, log and replay", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await start(page, "hegemony");
    for (const tab of ["actions", "log", "replay"]) {
      await page.click(`[data-do='tab ${tab}']`);
      await page.waitForSelector(".side.open");
      await shot(page, `tab-${tab}-phone`);
      await accessible(page, `the tab ${tab}`);
    }
    await fits(page, "the table on a phone");
    await page.click("[data-do='tab table']");
    await close(page);
  }),
];
