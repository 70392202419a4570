// How the table looks in detail: hints, texts of cards, tooltips, score changes, names, maps.
import { readFileSync, writeFileSync } from "node:fs";
import { act, close, ensure, equal, GAMES, numbers, open, PHONE, setUp, shot, test, turn, waits } from "./lib.mjs";

const LAPTOP = { width: 1366, height: 768 };

/** The picture of the README: where it is, its size, and the game of Ozymandias that it shows. */
const PICTURE = { file: new URL("../../../docs/table.png", import.meta.url), width: 960, height: 600, bytes: 200_000, seed: 4, decisions: 12 };

/** Checks that this is a PNG file of the size of the picture, and small. */
function checkPicture(file, what) {
  equal(file.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n", `the first bytes of ${what}`);
  equal(`${file.readUInt32BE(16)} × ${file.readUInt32BE(20)}`, `${PICTURE.width} × ${PICTURE.height}`, `the size of ${what}`);
  ensure(file.length <= PICTURE.bytes, `${what} has ${file.length} bytes, more than ${PICTURE.bytes}`);
}

const start = async (page, game) => {
  await page.click(`.cv[data-game=${game}] .bt .go`);
  await page.waitForSelector("#prompt .prompt.mine");
};

/** Which of these parts of the page lie under an element. */
const covered = (page, element, parts) => page.evaluate(([element, parts]) => {
  const box = document.querySelector(element).getBoundingClientRect();
  const touches = (r) => r.width > 0 && r.height > 0 && r.left < box.right - 1 && box.left < r.right - 1 && r.top < box.bottom - 1 && box.top < r.bottom - 1;
  return parts.filter((part) => [...document.querySelectorAll(part)].some((e) => touches(e.getBoundingClientRect())));
}, [element, parts]);

/** The texts of cards that are missing, leave their card, or end in the middle of a line. */
const badTexts = (page) => page.evaluate(() => [...document.querySelectorAll(".hand .card.L")].flatMap((card) => {
  const name = card.getAttribute("aria-label") ?? card.textContent.trim(), text = card.querySelector(".tx");
  if (!text) return [];
  const box = text.getBoundingClientRect(), frame = card.getBoundingClientRect(), style = getComputedStyle(text);
  if (!box.height) return [`${name}: no text`];
  const lines = (box.height - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom)) / parseFloat(style.lineHeight);
  if (Math.abs(lines - Math.round(lines)) > 0.1) return [`${name}: ${lines.toFixed(2)} lines`];
  if (text.scrollHeight > text.clientHeight + 1 && parseFloat(style.paddingBottom) > 0) return [`${name}: a part of the next line shows`];
  return box.bottom > frame.bottom + 1 ? [`${name}: the text leaves the card`] : [];
}));

/** Words of elements that are broken into two lines. */
const brokenWords = (page, selector) => page.evaluate((selector) => {
  const range = document.createRange(), broken = [];
  for (const e of document.querySelectorAll(selector))
    for (const node of [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE))
      for (const { 0: word, index } of node.data.matchAll(/[^\s\u00ad]+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map((r) => Math.round(r.top))).size > 1) broken.push(word);
      }
  return broken;
}, selector);

export const tests = [
  ...GAMES.flatMap((game) => [["desktop", LAPTOP, ["#board", ".dock", ".bar", "#list", ".replay"]], ["phone", PHONE, [".dock", ".tabs", ".bar", "#seats"]]].map(([name, size, parts]) =>
    test(`a hint in ${game} covers nothing that is played with on a ${name}`, async (browser, url) => {
      const page = await open(browser, url, { size });
      await start(page, game);
      await page.click("[data-do=hint]");
      await page.waitForSelector(".notice.advice .btn");
      equal((await covered(page, ".notice.advice", parts)).join(), "", "parts that are covered");
      await close(page);
    }))),

  ...["hestia", "ozymandias", "vires"].map((game) => test(`the hand cards of ${game} say what they do on a phone`, async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await start(page, game);
    await page.waitForSelector(".hand .card.L");
    equal((await badTexts(page)).join("; "), "", "texts of cards");
    await page.setViewportSize({ width: 844, height: 390 });
    equal((await badTexts(page)).join("; "), "", "texts of cards on a phone on its side");
    // The longest text of a card ends after a whole line, too.
    await page.setViewportSize(PHONE);
    await page.evaluate(() => document.querySelectorAll(".hand .tx").forEach((e) => (e.textContent = "word ".repeat(20))));
    equal((await badTexts(page)).join("; "), "", "long texts of cards");
    await close(page);
  })),

  test("the numbers of the hand cards of Hegemony stand inside their cards on a phone", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await start(page, "hegemony");
    if (!(await page.locator(".hand .card.L").count())) await page.click("#prompt .btn:has-text('Continue')");
    await page.waitForSelector(".hand .card.L");
    const cut = await page.evaluate(() => {
      const outside = (card) => card.querySelector(".ft").getBoundingClientRect().bottom > card.getBoundingClientRect().bottom + 1;
      const cut = [...document.querySelectorAll(".hand .card.L")].filter(outside).map((card) => card.textContent);
      // The longest text, below a name of one and of two lines.
      const card = document.querySelector(".hand .card.L");
      card.querySelector(".ft").innerHTML = document.querySelector(".pool .card.M .ft:has(span)").innerHTML;
      for (const name of ["Conscript", "Professional Soldier"]) {
        card.querySelector(".nm").textContent = name;
        card.querySelector(".tx").textContent = "Lost: stays on 17+ as Partisan";
        if (outside(card)) cut.push(name);
      }
      return cut;
    });
    equal(cut.join("; "), "", "cards whose numbers are cut off");
    await close(page);
  }),

  test("after a click no tooltip comes until the pointer moves", async (browser, url) => {
    const page = await open(browser, url, { size: LAPTOP });
    await start(page, "hegemony");
    await page.waitForTimeout(300);
    equal(await page.locator(".bubble").count(), 0, "tooltips at a new table");
    const card = await page.locator("#board .pool .card.can").first().boundingBox();
    const [x, y] = [card.x + card.width / 2, card.y + card.height / 2];
    await page.mouse.move(x, y);
    await page.waitForSelector(".bubble");
    await page.mouse.click(x, y);
    await page.waitForTimeout(400);
    equal(await page.locator(".bubble").count(), 0, "tooltips after a click");
    await page.mouse.move(x + 6, y);
    await page.waitForSelector(".bubble");
    await close(page);
  }),

  test("the changes of a score are one sum, which covers no text of the player", async (browser, url) => {
    const page = await open(browser, url, { size: LAPTOP, settings: { speed: "Normal" } });
    await start(page, "ozymandias");
    await page.waitForFunction(() => !document.querySelector(".delta"));
    const found = await page.evaluate(async () => {
      const { name } = performance.getEntriesByType("resource").find((e) => e.name.endsWith("/js/motion.js"));
      const { remember, animate } = await import(name);
      // A long name leaves no room beside the score.
      const seats = [...document.querySelectorAll(".player")];
      seats.at(-1).querySelector(".nm").firstChild.data = "Oriana of Kaderessa";
      for (const seat of seats) {
        const number = seat.querySelector(".num"), small = seat.querySelector(".sub [data-tick]");
        for (const by of [2, -8]) {
          const before = remember(seat), was = Number(number.textContent);
          number.textContent = String(was + by);
          if (small) small.textContent = String(Number(small.textContent) + 1);
          animate(seat, before, 400, false);
        }
      }
      const pills = [...document.querySelectorAll(".delta")], covered = [], range = document.createRange();
      const touches = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      for (const seat of seats) {
        const walk = document.createTreeWalker(seat, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
          range.selectNodeContents(walk.currentNode);
          if ([...range.getClientRects()].some((r) => pills.some((p) => touches(p.getBoundingClientRect(), r)))) covered.push(walk.currentNode.data);
        }
      }
      return { texts: pills.map((p) => p.textContent).join(), covered: covered.join() };
    });
    equal(found.texts, "−6,−6,−6", "the pills");
    equal(found.covered, "", "texts under a pill");
    await close(page);
  }),

  test("six players of Hegemony see the whole common pool on a laptop, and no name is broken", async (browser, url) => {
    const page = await open(browser, url, { size: LAPTOP });
    await setUp(page, "hegemony");
    for (let add = page.getByRole("button", { name: "Add a seat" }); await page.locator(".srow").count() < 6;) await add.click();
    await page.click("#start");
    await page.waitForSelector("#prompt .prompt.mine");
    const hidden = await page.evaluate(() => [...document.querySelectorAll(".heg .pool .card, .heg .emp .card")].filter((e) => {
      const box = e.getBoundingClientRect(), frame = e.closest(".cards").getBoundingClientRect();
      return box.right > frame.right + 1 || box.left < frame.left - 1;
    }).map((e) => e.textContent));
    equal(hidden.join(), "", "cards out of sight");
    ensure(await page.locator(".heg .pool .card").count() >= 9, "the pool of six players has 9 cards");
    equal((await brokenWords(page, ".heg .pool .nm, .heg .emp .nm")).join(), "", "broken names");
    await close(page);
  }),

  test("a decision in another player's turn of Vires is a reaction or an answer, not the player's turn", async (browser, url) => {
    const page = await open(browser, url), random = numbers(5), flags = new Set();
    await start(page, "vires");
    for (let i = 0; i < 80 && !flags.has("Your answer"); i++) {
      const { over, rows } = await turn(page);
      if (over) break;
      const { flag, own } = await page.evaluate(() => ({ flag: document.querySelector("#prompt .flag .nm").textContent, own: !!document.querySelector("#board .lane.me.now") }));
      flags.add(flag);
      equal(flag === "Your turn", own, `the flag "${flag}" in a turn of ${own ? "the player" : "another"}`);
      await act(page, random(rows));
    }
    ensure(flags.has("Your answer"), `the player is asked in another's turn: ${[...flags].join()}`);
    await close(page);
  }),

  test("Hestia opens with the whole map on a phone", async (browser, url) => {
    const page = await open(browser, url, { size: PHONE });
    await start(page, "hestia");
    const over = await page.locator("#board .zoom").evaluate((e) => e.scrollWidth - e.clientWidth);
    ensure(over <= 1, `the map is ${over} px wider than the board`);
    await close(page);
  }),

  test("the guide of Hegemony asks nothing while it explains the deal", async (browser, url) => {
    const page = await open(browser, url, { size: LAPTOP });
    await page.click(".cv[data-game=hegemony] .learn");
    for (let i = 0; i < 3; i++) {
      await page.waitForSelector("#guide-next");
      equal(await page.locator("#prompt [data-act], .act-row, #board .can").count(), 0, `questions at card ${i + 1}`);
      await page.click("#guide-next");
    }
    await close(page);
  }),

  waits("the picture of the README is drawn and small", async (browser, url) => {
    const page = await open(browser, url, { size: { width: 1440, height: 900 }, scale: PICTURE.width / 1440, seed: PICTURE.seed, still: true });
    await start(page, "ozymandias");
    for (let i = 0; i < PICTURE.decisions; i++) {
      const { over } = await turn(page);
      ensure(!over, `the game of the picture is over after ${i} decisions`);
      await act(page);
    }
    await turn(page);
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => !document.querySelector(".bubble, .delta, .notice, .toast, #continue"));
    const drawn = await shot(page, "picture");
    checkPicture(drawn, "the new picture");
    if (process.env.UPDATE_GOLDEN) writeFileSync(PICTURE.file, drawn);
    checkPicture(readFileSync(PICTURE.file), "docs/table.png");
    await close(page);
  }),
];
