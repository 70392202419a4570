// Layout laws: what must hold of every screen of a game, checked at decisions of all games.
//
// `laws(page)` checks the screen as it is; any test may call it. The tests below sample decisions and sizes by a seed,
// which they print: E2E_SEED tries another one, SOAK=1 checks every decision at every size.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { CLASSICS, close, drop, ensure, GAMES, LISTED, numbers, open, SEED, setUp, shot, test } from "./lib.mjs";

const SOAK = Boolean(process.env.SOAK);
const RECORDS = process.env.RECORDS ?? "records";

const sized = (width, height) => ({ width, height });
/** The sizes of screens, in CSS pixels. */
export const SIZES = [sized(1280, 720), sized(1366, 768), sized(1440, 900), sized(1920, 1080), sized(390, 844), sized(844, 390)];
/** The sizes at which text of 200 % is tried. */
const LARGE_TEXT_SIZES = [sized(1280, 720), sized(1440, 900), sized(1920, 1080), sized(390, 844)];

/** Everything that breaks a law on what is shown, as sentences, and where the board is. Runs in the page. */
function inspect() {
  const wrong = [];
  const [wide, high] = [innerWidth, innerHeight];
  const phone = wide < 500 || high < 500;
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const named = (e) => {
    const said = e.getAttribute("aria-label") ?? e.textContent.trim();
    return `${e.tagName.toLowerCase()}${e.id ? `#${e.id}` : ""}${e.classList.length ? `.${[...e.classList].join(".")}` : ""} "${said.slice(0, 40)}"`;
  };
  const clips = (flow) => flow === "hidden" || flow === "clip";
  const scrolls = (flow) => flow === "auto" || flow === "scroll";

  // The prompt: a column of at least 24 characters, at most 3 lines.
  const text = document.querySelector("#prompt .prompt p");
  if (text && shown(text)) {
    const probe = document.createElement("span");
    probe.style.cssText = "position:absolute;visibility:hidden;width:1ch;font-size:inherit;font-family:inherit;font-weight:inherit";
    text.append(probe);
    const characters = text.clientWidth / probe.getBoundingClientRect().width;
    probe.remove();
    const line = parseFloat(getComputedStyle(text).lineHeight), lines = text.getBoundingClientRect().height / line;
    if (characters < 24) wrong.push(`the prompt's text is ${characters.toFixed(1)} characters wide: "${text.textContent.slice(0, 60)}"`);
    if (lines > 3.2) wrong.push(`the prompt's text is ${lines.toFixed(1)} lines high: "${text.textContent.slice(0, 60)}"`);
    const bubble = document.querySelector(".bubble")?.getBoundingClientRect(), prompt = document.querySelector("#prompt").getBoundingClientRect();
    if (bubble && bubble.bottom > prompt.top + 1 && bubble.top < prompt.bottom - 1 && bubble.right > prompt.left && bubble.left < prompt.right) wrong.push("a tooltip lies over the prompt");
  }

  // The board keeps its share of the screen, and on a desktop nothing of it is scrolled.
  const board = document.querySelector("#board"), place = board?.getBoundingClientRect();
  if (board) {
    const share = place.height / high, least = phone ? 0.4 : 0.5;
    if (share < least - 0.001) wrong.push(`the board has ${Math.round(100 * share)} % of the height`);
    const large = parseFloat(getComputedStyle(document.documentElement).fontSize) > 20 && wide < 2200;
    const box = board.firstElementChild;
    if (box && wide >= 1200 && high >= 700 && !large) {
      const over = Math.max(box.scrollHeight - box.clientHeight, board.scrollHeight - board.clientHeight);
      if (over > 2 && getComputedStyle(box).overflowY !== "visible") wrong.push(`the board is scrolled: ${over} px too high`);
    }
  }

  // The page does not scroll sideways.
  const root = document.scrollingElement;
  if (root.scrollWidth > root.clientWidth + 1) wrong.push(`the page is ${root.scrollWidth} px wide`);

  // Texts: not cut, no placeholders.
  const range = document.createRange(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const placeholder = /@\d|\{[^}]*\}/;
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, noscript, style, option, pre")) continue;
    if (placeholder.test(node.data)) wrong.push(`a placeholder is shown: "${node.data.trim().slice(0, 60)}"`);
    if (parent.closest("svg, .vh, .delta, .scrim") || !shown(parent)) continue;
    range.selectNodeContents(node);
    const free = { x: false, y: false };
    const rects = [...range.getClientRects()].filter((r) => r.width >= 2 && r.height >= 2);
    if (!rects.length) continue;
    for (let box = parent; ; box = box.parentElement) {
      const page = !box || box === document.body || box === document.documentElement;
      const style = page ? null : getComputedStyle(box);
      const frame = page ? { left: 0, top: 0, right: wide, bottom: high } : box.getBoundingClientRect();
      const fixed = style?.position === "fixed";
      if (page) {
        free.y ||= root.scrollHeight > root.clientHeight + 1;
      }
      const flows = page ? ["hidden", "hidden"] : [style.overflowX, style.overflowY];
      const cut = rects.some((r) => (clips(flows[0]) && !free.x && (r.right > frame.right + 3 || r.left < frame.left - 3)) || (clips(flows[1]) && !free.y && (r.bottom > frame.bottom + 4 || r.top < frame.top - 4)));
      const clamped = style && (style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none");
      if (cut && clamped && !box.closest("[title]:not([title=''])")) wrong.push(`"${node.data.trim().slice(0, 40)}" ends in … without a title`);
      if (cut && !clamped) wrong.push(`"${node.data.trim().slice(0, 40)}" is cut by ${page ? "the screen" : `.${box.className || box.tagName}`}`);
      if (cut || page) break;
      free.x ||= scrolls(flows[0]);
      free.y ||= scrolls(flows[1]);
      if (fixed) break;
    }
  }
  for (const e of document.querySelectorAll("[aria-label],[title],[placeholder]"))
    for (const name of ["aria-label", "title", "placeholder"])
      if (placeholder.test(e.getAttribute(name) ?? "")) wrong.push(`a placeholder in ${name}: "${e.getAttribute(name).slice(0, 60)}"`);

  // Whatever can be clicked is hit by a click at its centre. What is modal stands for the whole page.
  const modal = document.querySelector(".scrim, [aria-modal=true]");
  const sheet = document.querySelector(".side.open");
  const within = modal ?? document.body;
  const over = document.querySelector(".over:not(:empty)"), blocks = over && getComputedStyle(over).pointerEvents !== "none";
  const kept = [];
  const move = (e) => {
    for (let box = e.parentElement; box; box = box.parentElement)
      if ((box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth) && !kept.some(([b]) => b === box)) kept.push([box, box.scrollLeft, box.scrollTop]);
    e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  };
  /** The part of the screen in which an element can be seen, and whether it can be scrolled there. */
  const sightOf = (e) => {
    const seen = { left: 0, top: 0, right: wide, bottom: high };
    let scrollable = root.scrollHeight > root.clientHeight + 1;
    for (let box = e.parentElement; box && box !== document.body; box = box.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(box), frame = box.getBoundingClientRect();
      if (overflowX !== "visible") [seen.left, seen.right] = [Math.max(seen.left, frame.left), Math.min(seen.right, frame.right)];
      if (overflowY !== "visible") [seen.top, seen.bottom] = [Math.max(seen.top, frame.top), Math.min(seen.bottom, frame.bottom)];
      scrollable ||= (scrolls(overflowX) && box.scrollWidth > box.clientWidth + 1) || (scrolls(overflowY) && box.scrollHeight > box.clientHeight + 1);
      if (position === "fixed") break;
    }
    return { seen, scrollable };
  };
  const middle = (e) => { const r = e.getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2, r]; };
  for (const e of within.querySelectorAll("button, a[href], input, select, [data-do], [data-key][role=button]")) {
    if (e.disabled || e.getAttribute("aria-disabled") === "true" || !shown(e)) continue;
    if (sheet && !sheet.contains(e) && !e.closest(".tabs")) continue;
    // While the screen is passed on, board and hand cannot be clicked.
    if (e.closest(".covered .board, .covered .hand")) continue;
    let [x, y, r] = middle(e);
    if (r.width < 1 || r.height < 1) continue;
    let { seen, scrollable } = sightOf(e);
    const inside = () => x > seen.left + 1 && x < seen.right - 1 && y > seen.top + 1 && y < seen.bottom - 1;
    if (!inside() && scrollable) {
      move(e);
      [x, y, r] = middle(e);
      ({ seen } = sightOf(e));
    }
    if (!inside()) {
      if (!scrollable) wrong.push(`${named(e)} is out of reach`);
      continue;
    }
    let hit = document.elementFromPoint(x, y);
    // The buttons of a map float over it: what lies under them must come clear by scrolling.
    if (hit?.closest(".zoomer") && e.closest(".zoom") && scrollable) {
      move(e);
      [x, y] = middle(e);
      hit = document.elementFromPoint(x, y);
    }
    const target = hit?.closest("[data-key], [data-do], button, a, label, input, select");
    if (hit && (hit === e || e.contains(hit) || target?.contains(e))) continue;
    // The guide's card may stand over what it does not speak of: the log, and pieces that cannot be used.
    // So may the offer to undo, for its few seconds. It leaves what comes into sight by scrolling.
    const isMoved = kept.some(([box, left, top]) => box.contains(e) && (box.scrollLeft !== left || box.scrollTop !== top));
    if (hit?.closest(".toast") && (isMoved || !e.classList.contains("can"))) continue;
    if (hit?.closest("#guide") && !e.hasAttribute("data-guide") && !e.classList.contains("can")) continue;
    // A dialog over the board blocks it, but what must be clicked is then in the dialog.
    if (blocks && e.closest("#board")) {
      const elsewhere = [...document.querySelectorAll("[data-key]")].some((o) => o.dataset.key === e.dataset.key && !o.closest("#board") && shown(o));
      if (!e.classList.contains("can") || elsewhere) continue;
    }
    wrong.push(`a click on ${named(e)} hits ${hit ? named(hit) : "nothing"}`);
  }
  for (const [box, left, top] of kept) box.scrollTo({ left, top, behavior: "instant" });
  const prompt = document.querySelector("#prompt .prompt");
  return {
    wrong: [...new Set(wrong)],
    board: board && { top: Math.round(place.top), height: Math.round(place.height) },
    guided: Boolean(document.querySelector(".guide")),
    actor: prompt?.className.match(/\bc\d/)?.[0],
    size: `${wide}×${high}`,
  };
}

/** Lets the page draw itself for its size. */
const settle = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));

/** What breaks a law on what is shown; `previous` is what an earlier call returned for the same turn. */
export async function examine(page, previous) {
  await settle(page);
  const now = await page.evaluate(inspect);
  const same = previous?.board && now.board && previous.size === now.size && previous.guided === now.guided && previous.actor === now.actor;
  if (same && Math.max(Math.abs(now.board.top - previous.board.top), Math.abs(now.board.height - previous.board.height)) > 8)
    now.wrong.push(`the board has moved from ${JSON.stringify(previous.board)} to ${JSON.stringify(now.board)}`);
  return now;
}

/** Waits for the animations that end, at most a second: a card on its way may be cut. */
const arrive = (page) => page.evaluate(() => {
  const ending = document.getAnimations().filter((a) => Number.isFinite(a.effect?.getComputedTiming().endTime));
  return Promise.race([Promise.allSettled(ending.map((a) => a.finished)), new Promise((done) => setTimeout(done, 1000))]).then(() => {});
});

/** Fails if what is shown breaks a layout law. Returns what the next call of the same turn takes as `previous`. */
export async function laws(page, { previous, name = "the table" } = {}) {
  let now = await examine(page, previous);
  if (now.wrong.length) {
    await arrive(page);
    now = await examine(page, previous);
  }
  ensure(now.wrong.length === 0, `${name} at ${now.size}: ${now.wrong.slice(0, 12).join("; ")}${now.wrong.length > 12 ? `; and ${now.wrong.length - 12} more` : ""}`);
  return now;
}

/** Examines one page at many sizes again and again, and says at the end all that was wrong. */
class Watch {
  constructor(page, name, sizes) {
    Object.assign(this, { page, name, sizes, before: new Map(), found: new Map(), checks: 0 });
  }
  async look(random, where) {
    const start = random(this.sizes.length), many = SOAK ? this.sizes.length : 3;
    for (let i = 0; i < many; i++) {
      const size = this.sizes[(start + i * 2 + (i >= this.sizes.length / 2)) % this.sizes.length];
      await this.page.setViewportSize(size);
      const now = await examine(this.page, this.before.get(size));
      this.before.set(size, now);
      this.checks += 1;
      for (const what of now.wrong) {
        const at = `${now.size}: ${what}`;
        if (!this.found.has(at) && this.found.size < 20) await shot(this.page, `layout-${this.name.replaceAll(/\W+/g, "-")}-${this.found.size}`);
        this.found.set(at, this.found.get(at) ?? where);
      }
    }
  }
  end() {
    const all = [...this.found].map(([what, where]) => `${what} (${where})`);
    ensure(all.length === 0, `${this.name}, E2E_SEED=${SEED}: ${all.length} breaches in ${this.checks} screens\n    ${all.slice(0, 40).join("\n    ")}`);
    console.log(`     ${this.name}: ${this.checks} screens`);
  }
}

/** Acts at random: a lit piece, which may only choose it, or a row of the list. */
const act = (page, seed) => page.evaluate((seed) => {
  let state = seed;
  const below = (n) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0), Math.floor((state / 4294967296) * n));
  const hit = (e) => e.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const [lit, rows] = ["[data-key].can", ".act-row"].map((selector) => [...document.querySelectorAll(selector)]);
  if (lit.length && below(3) === 0) hit(lit[below(lit.length)]);
  else if (rows.length) hit(rows[below(rows.length)]);
}, seed);

/** Takes the screen over, or closes a report. */
const lift = (page) => page.evaluate(() => document.querySelector("[data-do=lift], [data-do=continue]")?.click());

/** Plays decisions and examines some of them. */
async function play(page, watch, random, { decisions, every }) {
  for (let i = 0; i < decisions; i++) {
    await page.waitForFunction(() => document.querySelector("#end, #prompt .prompt.mine, [data-do=continue]"));
    if (await page.locator("#end").count()) break;
    if (SOAK || random(every) === 0) await watch.look(random, `decision ${i}`);
    await lift(page);
    await act(page, random(2 ** 31));
    await settle(page);
  }
}

const start = async (page, game) => {
  await page.click(`.cv[data-game=${game}] .bt .go`);
  await page.waitForSelector(".table");
};

/** Of how many decisions of a game one is examined; all decisions of a classic, which has few. */
const often = (game, usually) => (CLASSICS.includes(game) ? 1 : usually);

/** The record of a whole game of random bots. */
function record(game) {
  mkdirSync(RECORDS, { recursive: true });
  const file = `${RECORDS}/layout-${game}.jsonl`;
  const seats = Math.min(4, LISTED.find(({ name }) => name === game).max_seats);
  execFileSync(process.env.PENTARCHY ?? "pentarchy", ["play", game, "--seats", Array(seats).fill("random").join(), "--seed", String(SEED), "--save", file], { stdio: "ignore" });
  return readFileSync(file, "utf8");
}

export const tests = GAMES.flatMap((game, i) => [
  test(`layout laws: ${game}, play`, async (browser, url) => {
    const page = await open(browser, url), random = numbers(SEED + i);
    const watch = new Watch(page, `${game}, play`, SIZES);
    await start(page, game);
    await play(page, watch, random, { decisions: SOAK ? 1000 : 60, every: often(game, 5) });
    watch.end();
    await close(page);
  }),

  test(`layout laws: ${game}, text of 200 %`, async (browser, url) => {
    const page = await open(browser, url, { text: 32 }), random = numbers(SEED + 10 + i);
    const watch = new Watch(page, `${game}, text of 200 %`, LARGE_TEXT_SIZES);
    await start(page, game);
    await play(page, watch, random, { decisions: SOAK ? 200 : 30, every: often(game, 6) });
    watch.end();
    await close(page);
  }),

  test(`layout laws: ${game}, hotseat`, async (browser, url) => {
    const page = await open(browser, url), random = numbers(SEED + 20 + i);
    const watch = new Watch(page, `${game}, hotseat`, SIZES);
    await setUp(page, game);
    await page.locator(".srow").nth(1).locator("button", { hasText: "Friend" }).click();
    await page.click("#start");
    await page.waitForSelector(".table");
    await play(page, watch, random, { decisions: SOAK ? 300 : 30, every: often(game, 6) });
    watch.end();
    await close(page);
  }),

  test(`layout laws: ${game}, replay and end`, async (browser, url) => {
    const page = await open(browser, url), random = numbers(SEED + 30 + i);
    const watch = new Watch(page, `${game}, replay and end`, SIZES);
    await drop(page, record(game));
    await page.waitForSelector("#prompt .prompt.past");
    const events = Number(await page.getAttribute("#slider", "max"));
    const places = SOAK ? Array.from({ length: events }, (_, at) => at) : Array.from({ length: 6 }, () => random(events));
    for (const at of places) {
      await page.locator("#slider").evaluate((e, at) => { e.value = at; e.dispatchEvent(new Event("input", { bubbles: true })); }, at);
      await watch.look(random, `event ${at}`);
    }
    await page.evaluate(() => document.querySelector(".replay [aria-label=Live]").click());
    await watch.look(random, "the last position");
    await page.evaluate(() => document.querySelector("[data-do=end]").click());
    await page.waitForSelector("#end");
    await watch.look(random, "the end");
    await watch.look(random, "the end");
    watch.end();
    await close(page);
  }),
]);
