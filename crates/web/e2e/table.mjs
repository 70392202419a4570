// The shared table: acting, undo, replay, hints, hotseat, watching, saving, and what goes wrong.
import { accessible, act, close, digest, drop, ensure, equal, fits, look, more, open, PHONE, record, setUp, shot, SHOTS, test, turn, waits } from "./lib.mjs";

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
      await act(page);
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
    equal(await page.evaluate(() => String(getSelection())), "", "the text that is selected after a drag");
    // In a game in which nobody is out of it after a few turns.
    await page.click(".bar .home");
    await page.waitForSelector(".home-pg");
    await start(page, "ozymandias");
    for (let i = 0; i < 60 && !(await page.locator("#log .since button").count()); i++) {
      const { rows, over } = await turn(page);
      if (over) break;
      await act(page, rows - 1);
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
    ensure(/^Nothing to undo yet\.$|^Can't undo: /.test(said), `undo says why not: ${said}`);
    equal(await page.getAttribute("#undo", "aria-disabled"), "true", "undo");
    await close(page);
  }),

  test("a reload before the first move shows the same match", async (browser, url) => {
    const page = await open(browser, url);
    await page.click(".cv[data-game=tic-tac-toe] .bt .go");
    await turn(page);
    const [address, before] = [page.url(), await digest(page)];
    equal((await look(page)).events, 0, "events before the first move");
    await page.waitForTimeout(300);
    await page.reload();
    await turn(page);
    equal(page.url(), address, "the address");
    equal(await digest(page), before, "the state after the reload");
    await close(page);
  }),

  test("a reload in the middle goes on exactly there", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    for (let i = 0; i < 6; i++) {
      await act(page);
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
    await act(page);
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

  test("hotseat: a curtain hides hands until the next player has the screen", async (browser, url) => {
    const page = await open(browser, url);
    await setUp(page, "vires");
    await page.locator(".srow").nth(1).locator("button:has-text('Friend')").click();
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
    await more(page, "ozymandias", "Watch bots");
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

  waits("changes are shown: a report shows the die, numbers count; nothing moves for those who want it so", async (browser, url) => {
    const watch = () => {
      window.seen = { tumbles: 0, deltas: 0, rings: 0 };
      setInterval(() => {
        window.seen.tumbles += document.querySelectorAll(".tumbles").length;
        window.seen.deltas += document.querySelectorAll(".delta").length;
        window.seen.rings += document.getAnimations().filter((a) => a.effect.getKeyframes().some((k) => k.outline)).length;
      }, 20);
    };
    for (const still of [false, true]) {
      const page = await open(browser, url, { settings: { speed: "Normal" }, still, reports: true, before: watch });
      await page.click(".cv[data-game=hegemony] .bt .go");
      // Until a report with the Empire's die is shown.
      let shows = "";
      for (let i = 0; i < 120 && !shows; i++) {
        await page.waitForFunction(() => document.querySelector("#continue, #prompt .prompt.mine, #end"));
        shows = await page.evaluate(() => document.querySelector(".die20 .num")?.textContent ?? "");
        if (shows) break;
        ensure(!(await page.locator("#end").count()), "the game ended without a die");
        if (await page.locator("#continue").count()) await page.keyboard.press("Enter");
        else await page.evaluate(() => (document.querySelector("#prompt .btn.go[data-act]") ?? document.querySelector(".act-row:last-child"))?.click());
        await page.waitForTimeout(30);
      }
      ensure(Number(shows) >= 1 && Number(shows) <= 20, `the die says ${shows}`);
      await page.waitForTimeout(1500);
      if (!still) await shot(page, "cast");
      const seen = await page.evaluate(() => window.seen);
      if (still) ensure(!seen.tumbles && !seen.deltas && seen.rings, `nothing moves, a ring marks what changed: ${JSON.stringify(seen)}`);
      else ensure(seen.deltas, `numbers count: ${JSON.stringify(seen)}`);
      await close(page);
    }
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
    await act(page);
    await turn(page);
    await close(page);
  }),

  test("if the program fails, the page says so, keeps the game and offers the record", async (browser, url) => {
    const page = await open(browser, url);
    await start(page, "vires");
    await act(page);
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
