// The guided first games: a learner who reads the card and clicks what is highlighted, and nothing else, reaches the end.
import { accessible, close, drop, ensure, equal, GAMES, look, open, PHONE, record, shot, test, waits } from "./lib.mjs";

const laws = await import("./layout.mjs").catch(() => ({}));

/** What the guide shows now: its card, its target, and whether the target can be seen and clicked. */
const card = (page) => page.evaluate(() => {
  const card = document.querySelector("#guide"), target = document.querySelector("[data-guide]");
  if (!card) return null;
  const box = (e) => { const { left, top, right, bottom } = e.getBoundingClientRect(); return { left, top, right, bottom }; };
  const here = box(card), shown = {
    step: card.dataset.step,
    text: card.querySelector("#guide-text").textContent,
    next: !!card.querySelector("#guide-next"),
    end: !!card.querySelector("#guide-end"),
    // Buttons that are cut by the card, its slot or the screen.
    cut: [...card.querySelectorAll("button")].filter((button) => {
      const at = box(button);
      return [card, card.parentElement].some((frame) => {
        const within = box(frame);
        return frame.clientHeight > 0 && (at.top < within.top - 1 || at.bottom > within.bottom + 1 || at.left < within.left - 1 || at.right > within.right + 1);
      }) || at.top < 0 || at.bottom > innerHeight || at.left < 0 || at.right > innerWidth;
    }).map((button) => button.textContent.trim()),
    scrolls: card.scrollHeight > card.clientHeight + 1,
    // Does the card cover the panel of a crisis, or does the line to the target cross a text or a button?
    hidesCrisis: here.left > 0 && [...document.querySelectorAll("#board .crp")].map(box).some((at) => Math.min(here.right, at.right) - Math.max(here.left, at.left) > 2 && Math.min(here.bottom, at.bottom) - Math.max(here.top, at.top) > 2),
    crossed: (() => {
      const line = document.querySelector(".guide-line:not([hidden])");
      if (!line || !target) return "";
      const { a, b, e: x, f: y } = new DOMMatrix(getComputedStyle(line).transform), length = line.offsetWidth;
      const others = [...document.querySelectorAll("#board *, .over *, .dock *")].filter((e) => !e.childElementCount && e.textContent.trim() && !target.contains(e) && !e.contains(target));
      for (let i = 8; i < length; i += 8) {
        const [px, py] = [x + a * i, y + b * i], hit = others.find((e) => { const at = box(e); return px > at.left + 1 && px < at.right - 1 && py > at.top + 1 && py < at.bottom - 1; });
        if (hit) return hit.textContent.trim();
      }
      return "";
    })(),
    inside: here.left >= -1 && here.top >= -1 && here.right <= innerWidth + 1 && here.bottom <= innerHeight + 1,
  };
  if (!target) return shown;
  // The part of the target that everything around it lets be seen.
  const at = box(target);
  for (let parent = target.parentElement; parent; parent = parent.parentElement) {
    if (getComputedStyle(parent).overflowY === "visible") continue;
    const frame = box(parent);
    Object.assign(at, { left: Math.max(at.left, frame.left), top: Math.max(at.top, frame.top), right: Math.min(at.right, frame.right), bottom: Math.min(at.bottom, frame.bottom) });
  }
  const [x, y] = [(at.left + at.right) / 2, (at.top + at.bottom) / 2];
  const hits = (x, y) => { const hit = document.elementFromPoint(x, y); return !!hit && (target.contains(hit) || hit.contains(target) && hit.matches("[data-key], [data-do]")); };
  // A bent shape may not hold the centre of its box.
  let spot = hits(x, y) ? [x, y] : null;
  if (target instanceof SVGElement)
    for (let i = 1; !spot && i < 8; i++)
      for (let j = 1; !spot && j < 8; j++) {
        const [px, py] = [at.left + (i * (at.right - at.left)) / 8, at.top + (j * (at.bottom - at.top)) / 8];
        if (hits(px, py)) spot = [px, py];
      }
  return { ...shown, target: {
    what: target.dataset.key ?? target.dataset.act ?? target.dataset.do ?? target.id ?? target.className,
    part: !target.matches("[data-key], [data-do], button"),
    spot,
    seen: at.right > 4 && at.bottom > 4 && at.left < innerWidth - 4 && at.top < innerHeight - 4,
    centred: x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight,
    // An open menu lies over the card.
    covered: !target.closest(".moresheet") && Math.min(here.right, at.right) - Math.max(here.left, at.left) > 2 && Math.min(here.bottom, at.bottom) - Math.max(here.top, at.top) > 2,
  } };
});

/** Everything that moves has arrived, and the card stands still. */
async function settled(page) {
  let before = "";
  for (let i = 0; i < 100; i++) {
    const now = JSON.stringify(await card(page));
    if (now === before && now !== "null") return JSON.parse(now);
    before = now;
    await page.waitForTimeout(40);
    if (await page.locator("#end").count()) return null;
  }
  return before === "null" ? null : JSON.parse(before);
}

/** Reads the report in front and clicks its button, if it is not brief and closes by itself first. */
async function read(page, game) {
  const spot = await page.evaluate(() => {
    const button = document.querySelector("#continue");
    if (!button) return null;
    const { left, top, width, height } = button.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
    return { at: [x, y], hit: button.contains(document.elementFromPoint(x, y)) };
  });
  if (!spot) return;
  const before = await page.locator(".report.dialog").getAttribute("aria-label").catch(() => "");
  ensure(spot.hit || !(await page.locator("#continue").count()), `${game}: a click at Continue of "${before}" hits something else`);
  await page.mouse.click(...spot.at);
  await page.waitForFunction((before) => document.querySelector(".report.dialog")?.getAttribute("aria-label") !== before, before);
}

/** Follows the guide of a game to its end; returns how many cards and clicks that took. */
export async function follow(page, game, { each = async () => {} } = {}) {
  await page.click(`.cv[data-game=${game}] .learn`);
  await page.waitForSelector("#guide, #end");
  let [cards, clicks, last] = [0, 0, ""];
  for (let i = 0; i < 400; i++) {
    await page.waitForSelector("#guide, #end, .report.dialog", { state: "attached" });
    // A report is a dialog in front of everything else, so its only button counts as highlighted.
    if (await page.locator(".report.dialog").count()) {
      await read(page, game);
      clicks += 1;
      continue;
    }
    const now = await settled(page);
    if (await page.locator(".report.dialog").count()) continue;
    if (!now) break;
    const words = now.text.trim().split(/\s+/).length;
    ensure(words <= 25, `${game}: ${words} words in "${now.text}"`);
    ensure(now.inside, `${game}: the card "${now.text}" is not inside the screen`);
    equal(now.cut.join(", "), "", `${game}, "${now.text}": buttons that are cut`);
    ensure(!now.scrolls, `${game}: the card "${now.text}" is higher than its place`);
    ensure(!now.hidesCrisis, `${game}: the card "${now.text}" covers the crisis`);
    // The line is checked four times a second.
    for (let again = 0; again < 20 && now.crossed; again++) {
      await page.waitForTimeout(100);
      now.crossed = (await card(page))?.crossed;
    }
    ensure(!now.crossed, `${game}, "${now.text}": the line to the target crosses "${now.crossed}"`);
    if (now.step !== last) { cards += 1; last = now.step; await each(page, now, cards); }
    if (now.end) {
      // The game goes on meanwhile: the card may have moved, or the game may be over.
      if (!(await page.click("#guide-end", { timeout: 5000 }).then(() => true, () => false))) continue;
      await page.waitForSelector("#guide", { state: "detached" });
      return { cards, clicks };
    }
    const { target } = now, said = `${game}, "${now.text}"`;
    if (target) {
      ensure(target.seen, `${said}: ${target.what} is outside of the screen`);
      ensure(target.part || target.centred, `${said}: the centre of ${target.what} is outside of the screen`);
      // A part as large as the board has room for the card.
      ensure(!target.covered || target.part, `${said}: the card covers ${target.what}`);
    }
    if (!target && !now.next) {
      // The board may still be drawn: the highlight follows it.
      const marked = page.waitForSelector("[data-guide], #guide-next, #end, .report.dialog", { state: "attached", timeout: 10_000 });
      ensure(await marked.then(() => true, () => false), `${said}: nothing is highlighted`);
      continue;
    }
    if (now.next) await page.click("#guide-next");
    else {
      ensure(target.spot, `${said}: a click at ${target.what} hits something else`);
      if (page.viewportSize().width < 500) await page.touchscreen.tap(...target.spot);
      else await page.mouse.click(...target.spot);
    }
    clicks += 1;
    // Until the card says something else, or highlights something else.
    const changed = (before) => {
      const card = document.querySelector("#guide"), target = document.querySelector("[data-guide]");
      const now = card && [card.dataset.step, card.textContent, target?.dataset.key ?? target?.dataset.act ?? target?.dataset.do ?? target?.id].join();
      return document.querySelector("#end, .report.dialog") || now !== before;
    };
    await page.waitForFunction(changed, [now.step, now.card, target?.what].join()).catch(() => {});
  }
  ensure(await page.locator("#end").count(), `${game}: the guide does not end`);
  return { cards, clicks };
}

export const tests = GAMES.flatMap((game) => [["desktop", undefined], ["phone", PHONE]].map(([name, size]) =>
  waits(`the guide of ${game} leads to its end on a ${name}, by what it highlights alone`, async (browser, url) => {
    // Nothing is done for the learner: reports stay open until they are read. Only at this speed there are any.
    const page = await open(browser, url, { ...(size ? { size } : {}), reports: true, settings: { speed: "Fast" } });
    const each = async (page, now, cards) => {
      if (laws.laws) await laws.laws(page, { name: `the guide of ${game}, "${now.text}"` });
      if (cards === 3) { await shot(page, `guide-${game}-${name}`); await accessible(page, `the guide of ${game}`); }
    };
    const { cards, clicks } = await follow(page, game, { each });
    console.log(`     ${game} on a ${name}: ${cards} cards, ${clicks} clicks`);
    ensure(cards >= 6, `the guide of ${game} has only ${cards} cards`);
    if (!size && await page.locator(".table").count()) {
      await page.reload();
      await page.waitForSelector(".table");
      equal(await page.locator("#guide").count(), 0, `cards of the finished guide of ${game} after a reload`);
    }
    await close(page);
  }))).concat([
  waits("the guide can be read again, skipped, left and resumed", async (browser, url) => {
    const page = await open(browser, url);
    await page.click(".cv[data-game=vires] .learn");
    await page.waitForSelector("#guide");
    const first = (await settled(page)).text;
    equal(await page.locator("#guide [data-step-back]").count(), 0, "Back at the first card");
    await page.click("#guide-next");
    await page.waitForFunction((text) => document.querySelector("#guide-text").textContent !== text, first);
    const { events } = await look(page), second = (await settled(page)).text;
    await page.click("#guide [data-step-back]");
    equal(await page.locator("#guide-text").textContent(), first, "the card after Back");
    equal((await look(page)).events, events, "events after Back");
    await page.click("#guide-next");
    equal(await page.locator("#guide-text").textContent(), second, "the card after Back and Next");
    await page.click("#guide button:has-text('Leave')");
    await page.waitForSelector("#guide", { state: "detached" });
    await page.waitForSelector(".guide-ring", { state: "detached" });
    await page.click("[data-do=settings]");
    await page.click("#resume-guide");
    await page.waitForSelector("#guide");
    equal((await settled(page)).text, second, "the card after resuming");
    await page.reload();
    await page.waitForSelector("#guide");
    equal((await settled(page)).text, second, "the card after a reload");
    // A record that is opened has no guide, and another tab may play the game that was here.
    const [address, text] = [page.url(), await record(page)];
    await drop(page, text);
    await page.waitForSelector("#prompt .prompt.past");
    equal(await page.locator("#guide").count(), 0, "cards beside a record");
    const other = await page.context().newPage();
    await other.goto(address);
    await other.waitForSelector(".table, #elsewhere");
    equal(await other.locator("#elsewhere").count(), 0, "tabs that claim the game of the guide");
    await close(page);
  }),
  test("the map of Numeral's guide fits its box again when the screen turns and when the guide is left", async (browser, url) => {
    const page = await open(browser, url, { size: { width: 320, height: 568 } });
    await page.click(".cv[data-game=numeral] .learn");
    await settled(page);
    /** How much of the box the map fills, and how many of the hexes that can be used are in sight. */
    const fit = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
      const box = document.querySelector("#board .zoom").getBoundingClientRect(), map = document.querySelector("#board .nmap").getBoundingClientRect();
      const inside = (r) => r.left >= box.left - 1 && r.right <= box.right + 1 && r.top >= box.top - 1 && r.bottom <= box.bottom + 1;
      const usable = [...document.querySelectorAll("#board .cell.can")];
      const seen = usable.filter((hex) => inside(hex.getBoundingClientRect())).length;
      done({ filled: Math.max(map.width / box.width, map.height / box.height), usable: usable.length, seen });
    }))));
    const check = async (when) => {
      const { filled, usable, seen } = await fit();
      ensure(filled > 0.95, `${when}: the map fills ${Math.round(100 * filled)} % of its box`);
      // While nothing can be used, the map is shown as a whole.
      ensure(usable ? seen > 0 : filled < 1.05, `${when}: ${seen} of ${usable} usable hexes are in sight, and the map fills ${Math.round(100 * filled)} % of its box`);
    };
    for (let card = 1; card <= 3; card++) {
      for (const [when, size] of [["on a small phone", { width: 320, height: 568 }], ["upright", PHONE], ["on its side", { width: 844, height: 390 }], ["on a laptop", { width: 1366, height: 768 }], ["upright again", PHONE]]) {
        await page.setViewportSize(size);
        await check(`card ${card}, ${when}`);
      }
      if (card < 3) { await page.click("#guide-next"); await settled(page); }
    }
    await page.click("#guide button:has-text('Leave')");
    await page.waitForSelector("#guide", { state: "detached" });
    await check("without the guide");
    await close(page);
  }),
]);
