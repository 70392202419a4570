// Numeral Empire: few clicks, the stepper, drags, and a map that stays where it is.
import { close, DESK, ensure, equal, open, PHONE, shot, test, turn } from "./lib.mjs";

const LAPTOP = { width: 1366, height: 768 };

const begin = async (page) => {
  await page.click(".cv[data-game=numeral] .btn.go");
  await page.waitForSelector(".table .nmap");
  await turn(page);
};

/** Where pieces are, by selector: the middle of the first that is really hit by a click there. */
const spot = (page, selector, skip = 0) =>
  page.evaluate(([selector, skip]) => {
    for (const piece of document.querySelectorAll(selector)) {
      const { left, top, width, height } = piece.getBoundingClientRect(), [x, y] = [left + width / 2, top + height / 2];
      if (piece.contains(document.elementFromPoint(x, y)) && skip-- <= 0) return { x, y, key: piece.dataset.key };
    }
    return null;
  }, [selector, skip]);

/** How many events there are: it changes with every move. */
const shown = (page) => page.evaluate(() => document.querySelector(".trust").dataset.events);

const phase = (page) => page.evaluate(() => (document.querySelector("#prompt .prompt.mine") ? document.querySelector(".steps [aria-current]")?.textContent : ""));
const at = (page) => page.evaluate(() => { const { left, top, width } = document.querySelector(".nmap").getBoundingClientRect(); return `${left.toFixed(1)} ${top.toFixed(1)} ${width.toFixed(1)}`; });
const result = (page, key) => page.evaluate((key) => document.querySelector(`[data-key="${key}"]`).getAttribute("aria-label"), key);
const endTurn = (page) => page.click("#prompt [data-act=done]");
const mine = (page) => page.waitForFunction(() => document.querySelector("#end") || document.querySelector("#prompt .prompt.mine"), null);

/** Targets that the selected army takes, and those at which it is not lost. */
const TAKES = ".nmap .cell.to[aria-label*=free], .nmap .cell.to[aria-label*=wins]", KEEPS = ".nmap .cell.to:not([aria-label*=loses])";

/** Plays rounds by clicking as a person does; what it took. */
async function rounds(page, count) {
  const took = { clicks: 0, moves: 0, ends: 0 };
  const click = async ({ x, y }) => { took.clicks += 1; await page.mouse.click(x, y); };
  const place = await at(page);
  for (let turns = 0; turns < 2 * count; ) {
    await mine(page);
    const now = await phase(page);
    if (!now) break;
    equal(await at(page), place, "the map has moved");
    if (now === "Placing") {
      // Three clicks of five at the border, then the turn ends.
      for (let i = 0; i < 3; i++) {
        const [hex, before] = [await spot(page, ".nmap .cell.can.placing", i), await shown(page)];
        if (!hex || (await phase(page)) !== "Placing") break;
        await click(hex);
        await page.waitForFunction((before) => document.querySelector(".trust")?.dataset.events !== before, before);
        took.moves += 1;
        equal(await at(page), place, "the map moves with a placement");
      }
    } else {
      for (let i = 0; i < 40; i++) {
        if ((await phase(page)) !== "Attacking") break;
        // The army that the page proposes; every fifth time another one of the player's own choice.
        let target = (await spot(page, TAKES)) ?? (await spot(page, KEEPS));
        const other = took.moves % 5 === 4 && (await spot(page, ".nmap .cell.army"));
        if (other) {
          await click(other);
          target = (await spot(page, TAKES)) ?? (await spot(page, KEEPS));
        }
        if (!target) break;
        const before = await shown(page);
        await click(target);
        await page.waitForFunction((before) => document.querySelector("#end") || document.querySelector(".trust")?.dataset.events !== before, before);
        took.moves += 1;
        equal(await at(page), place, "the map moves with a march");
      }
    }
    if ((await phase(page)) === now) {
      await endTurn(page);
      took.ends += 1;
      await page.waitForFunction((now) => !document.querySelector("#prompt .prompt.mine") || document.querySelector(".steps [aria-current]")?.textContent !== now, now).catch(() => {});
    }
    turns += 1;
  }
  return took;
}

export const tests = [
  test("numeral: a march or placement is one click, or two with another army; the map stays where it is", async (browser, url) => {
    const page = await open(browser, url, { size: LAPTOP });
    await begin(page);
    const { clicks, moves, ends } = await rounds(page, 6);
    console.log(`  numeral: ${clicks} clicks for ${moves} marches and placements (${(clicks / moves).toFixed(2)} each), ${ends} ends of turns`);
    ensure(moves >= 8 && clicks <= 1.2 * moves, `${clicks} clicks for ${moves} marches and placements`);
    await shot(page, "numeral-rounds");
    await close(page);
  }),
  test("numeral: stepper by right click, digit and hold; drag; undo takes back a gesture", async (browser, url) => {
    const page = await open(browser, url, { size: DESK });
    await begin(page);
    // Placing: a drag from the Home opens the stepper, which places what it shows.
    const home = await spot(page, ".nmap .cell.store"), hex = await spot(page, ".nmap .cell.can.placing");
    const first = await shown(page);
    await page.mouse.move(home.x, home.y);
    await page.mouse.down();
    await page.mouse.move(hex.x, hex.y, { steps: 5 });
    await page.waitForSelector(".dragarrow .on");
    await page.mouse.up();
    await page.waitForSelector(".stepper");
    await shot(page, "numeral-stepper-place");
    await page.click(".stepper .btn.go");
    await page.waitForFunction((key) => /soldiers/.test(document.querySelector(`[data-key="${key}"]`).getAttribute("aria-label")), hex.key);
    // One step back is the whole gesture.
    await page.keyboard.press("u");
    await page.waitForFunction((first) => document.querySelector(".trust").dataset.events === first, first);
    // All on one hex with Shift.
    await page.keyboard.down("Shift");
    await page.mouse.click(hex.x, hex.y);
    await page.keyboard.up("Shift");
    await page.waitForFunction((key) => /soldiers/.test(document.querySelector(`[data-key="${key}"]`).getAttribute("aria-label")), hex.key);
    // Nothing is left to spend: the page may end the turn by itself.
    await page.click("#prompt [data-act=done]", { timeout: 3000 }).catch(() => {});
    await page.waitForFunction(() => document.querySelector(".steps [aria-current]")?.textContent === "Attacking" && document.querySelector("#prompt .prompt.mine"), null);
    const army = await result(page, hex.key);
    ensure(/can move/.test(army), army);
    await page.mouse.click(hex.x, hex.y);
    const target = await spot(page, ".nmap .cell.to");
    for (const open of [
      () => page.mouse.click(target.x, target.y, { button: "right" }),
      async () => { await page.mouse.move(target.x, target.y); await page.keyboard.press("2"); },
      async () => { await page.mouse.move(target.x, target.y); await page.mouse.down(); await page.waitForSelector(".stepper"); await page.mouse.up(); },
    ]) {
      await open();
      await page.waitForSelector(".stepper");
      const [box, at] = [await page.locator(".stepper").boundingBox(), target];
      ensure(at.x < box.x || at.x > box.x + box.width || at.y < box.y || at.y > box.y + box.height, "the stepper covers its target");
      await shot(page, "numeral-stepper");
      await page.keyboard.press("Escape");
      await page.waitForSelector(".stepper", { state: "detached" });
    }
    await page.mouse.move(target.x, target.y);
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    // What is left stays selected.
    await page.waitForSelector(`.nmap .cell.from[data-key="${hex.key}"]`);
    const before = await shown(page), next = await spot(page, ".nmap .cell.to");
    await page.mouse.move(hex.x, hex.y);
    await page.mouse.down();
    await page.mouse.move(next.x, next.y, { steps: 5 });
    await page.waitForSelector(".dragarrow .on");
    await shot(page, "numeral-drag");
    await page.mouse.up();
    await page.waitForFunction((before) => document.querySelector(".trust")?.dataset.events !== before, before);
    equal(await page.locator(".dragarrow").count(), 0, "arrows that stay");
    await close(page);
  }),
  test("numeral: on a phone a hex is 44 px wide, and buildings are in reach", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await begin(page);
    const { width } = await page.locator(".nmap .cell .hit").first().boundingBox();
    ensure(width >= 44, `a hex is ${width} px wide`);
    for (const name of ["build farm", "amount all"]) {
      const box = await page.locator(`[data-key="${name}"]`).boundingBox();
      ensure(box && box.y + box.height <= PHONE.height && box.x + box.width <= PHONE.width, `${name} is out of reach`);
    }
    await shot(page, "numeral-phone");
    await page.tap('[data-key="build farm"]');
    const hex = await spot(page, ".nmap .cell.can");
    await page.touchscreen.tap(hex.x, hex.y);
    await page.waitForFunction((key) => /Farm/.test(document.querySelector(`[data-key="${key}"]`).getAttribute("aria-label")), hex.key);
    await shot(page, "numeral-phone-farm");
    await close(page);
  }),
];
