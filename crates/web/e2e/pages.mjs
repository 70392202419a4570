// The pages around the table: home, set-up, rules, settings, in both themes and both sizes.
import { accessible, CLASSICS, close, DESK, drop, ensure, equal, fits, GAMES, legible, look, more, open, PHONE, setUp, shot, test, turn } from "./lib.mjs";
import { laws } from "./layout.mjs";

/** The sizes at which the pages around the table are looked at. */
export const SIZES = [{ width: 1280, height: 720 }, { width: 1366, height: 768 }, { width: 390, height: 844 }, { width: 844, height: 390 }];

/** An element is in view without scrolling. */
export async function inView(page, selector, name) {
  const box = await page.locator(selector).first().boundingBox();
  const { width, height } = page.viewportSize();
  ensure(box && box.y >= 0 && box.y + box.height <= height + 1 && box.x >= 0 && box.x + box.width <= width + 1, `${selector} is not in view: ${name} ${JSON.stringify(box)}`);
}

/** The layout laws on a page or a sheet; of a part beside a board only what concerns that part. */
export async function pageLaws(page, name, part = "body") {
  await fits(page, name);
  if (part === "body" || part === ".sheet") return laws(page, { name });
  const wrong = await page.evaluate((part) => {
    const wrong = [], root = document.querySelector(part);
    const raw = root.innerText.match(/@\d|\{[a-z_ ]*\}/);
    if (raw) wrong.push(`the placeholder ${raw[0]}`);
    for (const control of root.querySelectorAll("button, a[href], input, select, summary")) {
      if (control.disabled || control.closest("[aria-hidden=true]")) continue;
      const box = control.getBoundingClientRect();
      let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
      // What scrolls shows it in time.
      for (let outer = control.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
        const style = getComputedStyle(outer), frame = outer.getBoundingClientRect();
        if (style.overflowY !== "visible") [top, bottom] = [Math.max(top, frame.top), Math.min(bottom, frame.bottom)];
        if (style.overflowX !== "visible") [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      }
      if (right - left < box.width - 1 || bottom - top < box.height - 1 || box.width < 2) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
      const hit = document.elementFromPoint(x, y);
      // A bar that is pinned to the bottom covers what scrolls under it.
      if (!hit || hit === control || control.contains(hit) || hit.closest(".pin, .scrim") && !control.closest(".pin, .scrim")) continue;
      wrong.push(`a click on "${(control.innerText || control.ariaLabel || control.id).trim()}" hits ${hit.tagName}.${hit.className}`);
    }
    return wrong;
  }, part);
  ensure(!wrong.length, `${name}: ${wrong.slice(0, 6).join("; ")}`);
}

export const tests = [
  test("home is complete and accessible, in both sizes and themes", async (browser, url) => {
    for (const [size, kind] of [[DESK, ""], [PHONE, "-phone"]]) {
      for (const theme of ["Dark", "Light"]) {
        const page = await open(browser, url, { size, settings: { theme } });
        equal(await page.locator(".covers:not(.classics) .cv").count(), GAMES.length - CLASSICS.length, "covers");
        equal(await page.locator(".classics .cv").count(), CLASSICS.length, "covers of classics");
        await shot(page, `home${theme === "Light" ? "-light" : ""}${kind}`);
        await accessible(page, `home ${theme} ${kind}`);
        await fits(page, `home ${kind}`);
        await close(page);
      }
    }
  }),

  test("one click starts a game, and home offers to continue it", async (browser, url) => {
    const page = await open(browser, url);
    await page.click(".cv[data-game=numeral] .bt .go");
    await page.waitForSelector(".table");
    await turn(page);
    await page.click(".bar .home");
    await page.waitForSelector(".cn");
    await shot(page, "home-continue");
    await accessible(page, "home with a saved game");
    await page.click(".cn .btn.open");
    await page.waitForSelector(".table");
    await turn(page);
    await close(page);
  }),

  test("home and set-up follow the layout laws at every size; name, seats and Start are in view", async (browser, url) => {
    const page = await open(browser, url);
    await page.click(".cv[data-game=hegemony] .bt .go");
    await page.waitForSelector(".table");
    await turn(page);
    await page.click(".bar .home");
    await page.waitForSelector(".cn");
    for (const size of [...SIZES, DESK]) {
      const at = `at ${size.width}×${size.height}`;
      await page.setViewportSize(size);
      await pageLaws(page, `home with a saved game ${at}`);
      const cut = await page.evaluate(() => [...document.querySelectorAll(".cv h2")].filter((title) => title.scrollWidth > title.clientWidth + 1).map((title) => title.textContent));
      equal(cut.join(), "", `titles that are cut ${at}`);
      equal(await page.locator(".cv .btn.go").count(), GAMES.length, "one primary action a game");
      for (const game of ["hegemony", "hestia"]) {
        await page.locator(`.cv[data-game=${game}] .mb`).scrollIntoViewIfNeeded();
        await setUp(page, game);
        await page.waitForTimeout(400);
        await shot(page, `setup-${game}-${size.width}`);
        await pageLaws(page, `the set-up of ${game} ${at}`, ".sheet");
        for (const selector of ["#start", "[aria-label='Name of seat 1']", "[aria-label='Who sits at seat 1']"]) await inView(page, selector, `set-up ${at}`);
        await page.keyboard.press("Escape");
      }
    }
    await close(page);
  }),

  test("a menu on the home page works with the keyboard", async (browser, url) => {
    const page = await open(browser, url);
    await page.focus(".cv[data-game=vires] .mb");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement.textContent === "Set up");
    await accessible(page, "a menu");
    await page.keyboard.press("ArrowDown");
    equal(await page.evaluate(() => document.activeElement.textContent), "Play with friends", "the next entry");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".menu", { state: "detached" });
    ensure(await page.evaluate(() => document.activeElement.matches(".cv[data-game=vires] .mb")), "the focus returns");
    await close(page);
  }),

  test("a name says how many characters are left", async (browser, url) => {
    const page = await open(browser, url);
    await setUp(page, "hegemony");
    const name = page.locator("[aria-label='Name of seat 2']");
    await name.fill("");
    await name.pressSequentially("Bartholomew the Elder of");
    equal((await name.inputValue()).length, 24, "characters");
    ensure((await page.textContent(".srow >> nth=1")).includes("0 left"), "it is said that no more fit");
    await close(page);
  }),

  test("a set-up with other seats, names and options is what is played", async (browser, url) => {
    for (const game of GAMES) {
      const page = await open(browser, url);
      await setUp(page, game);
      await page.locator(".fld[aria-label='Name of seat 2']").fill("Aurel");
      await page.locator(".fld[aria-label='Name of seat 2']").blur();
      if (game === "numeral") {
        await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((fold) => (fold.open = true)));
        await page.locator("input[aria-label='Gold in every Home at the start']").fill("13");
        await page.locator("input[aria-label='Gold in every Home at the start']").blur();
        equal(await page.locator(".opt.ch input[aria-label='Gold in every Home at the start']").count(), 1, "an option that differs from the default is marked");
      }
      await shot(page, `setup-${game}`);
      await accessible(page, `set-up of ${game}`);
      await page.click("#start");
      await page.waitForSelector(".table");
      await turn(page);
      ensure((await page.locator(".seats").innerText()).includes("Aurel"), "the name is shown");
      await close(page);
    }
    const page = await open(browser, url, { size: PHONE });
    await setUp(page, "hegemony");
    await shot(page, "setup-phone");
    await fits(page, "set-up on a phone");
    await close(page);
  }),

  test("a preset of the set-up sets all options, and is what is played", async (browser, url) => {
    const page = await open(browser, url);
    const chosen = () => page.locator(".presets [aria-checked=true]").allTextContents();
    const rounds = async () => {
      await page.click("#start");
      await page.waitForSelector("#prompt .prompt.mine");
      const said = await page.locator(".steps").innerText();
      await page.goto(url);
      await page.waitForSelector(".home-pg");
      return /Round 1 of 12/.test(said);
    };
    await setUp(page, "numeral");
    equal((await chosen()).join(), "Standard", "the preset at first");
    ensure(await rounds(), "a Standard game has 12 rounds");
    await setUp(page, "numeral");
    await page.click(".presets button:has-text('Classic')");
    equal((await chosen()).join(), "Classic", "the preset after a click");
    ensure(/designer's numbers/.test(await page.locator(".sheet").innerText()), "the preset says what it is");
    ensure(!(await rounds()), "a Classic game has no round limit");
    // A changed option is no preset any more, and Reset leads back to the first.
    await setUp(page, "numeral");
    await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((fold) => (fold.open = true)));
    await page.locator("input[aria-label='Gold in every Home at the start']").fill("13");
    await page.locator("input[aria-label='Gold in every Home at the start']").blur();
    equal((await chosen()).join(), "", "the preset with an option of one's own");
    await page.click(".sheet .end button:has-text('Reset')");
    equal((await chosen()).join(), "Standard", "the preset after Reset");
    await close(page);
  }),

  test("the rules open in a drawer and can be searched", async (browser, url) => {
    const page = await open(browser, url);
    await more(page, "numeral", "Rules");
    await page.waitForSelector("#rules-text h2");
    await shot(page, "rules");
    await accessible(page, "rules");
    await page.fill("#rules-search", "starve");
    await page.fill("#rules-search", "income");
    await page.waitForSelector("#rules-text mark");
    await shot(page, "rules-search");
    await page.fill("#rules-search", "zeppelin");
    ensure((await page.locator(".drawer-hd").innerText()).includes("Nothing"), "nothing is found, and it says so");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".drawer", { state: "detached" });
    await close(page);
  }),

  test("settings, credits and the theme are kept", async (browser, url) => {
    const page = await open(browser, url);
    await page.click("text=Settings");
    await page.waitForSelector("#settings");
    await shot(page, "settings");
    await accessible(page, "settings");
    await page.click("#settings button:has-text('Light')");
    await page.keyboard.press("Escape");
    await page.reload();
    await page.waitForSelector(".home-pg");
    equal(await page.getAttribute("html", "data-theme"), "light", "the theme after loading again");
    await page.click("text=How it works");
    ensure((await page.locator(".dialog").innerText()).includes("CC BY 3.0"), "the icons are credited");
    await accessible(page, "credits");
    await close(page);
  }),

  test("a damaged record is refused with a reason, and the page goes on", async (browser, url) => {
    const page = await open(browser, url);
    for (const [text, why] of [["", "empty"], ["{}", "line 1"], ['{"pentarchy":1,"game":"chess","rules":1,"seats":2,"options":{},"kind":"full"}\n', "no game"]]) {
      await drop(page, text);
      await page.waitForFunction((why) => document.querySelector(".notice")?.textContent.includes(why), why);
    }
    await shot(page, "damaged-record");
    await accessible(page, "a notice");
    await page.click(".cv[data-game=vires] .bt .go");
    await page.waitForSelector(".table");
    await turn(page);
    ensure(!(await look(page)).over, "the game is under way");
    await close(page);
  }),

  ...[
    [{ width: 360, height: 640 }, "360", 16, "at 360 pixels"],
    [{ width: 3840, height: 2160 }, "4k", 16, "at 4K"],
    [DESK, "200", 32, "with text at 200 %"],
    [PHONE, "200-phone", 32, "with text at 200 % on a phone"],
  ].map(([size, name, text, words]) => test(`nothing is cut ${words}`, async (browser, url) => {
    const page = await open(browser, url, { size, text });
    const trouble = [];
    const check = async (what) => {
      await shot(page, `${what}-${name}`);
      for (const look of [fits, legible]) await look(page, `${what} at ${name}`).catch((error) => trouble.push(error.message));
    };
    await check("home");
    for (const game of GAMES) {
      await page.click(`.cv[data-game=${game}] .bt .go`);
      await page.waitForSelector(".table");
      await turn(page);
      await check(game);
      if (text > 16) await accessible(page, `${game} with text at 200 %`);
      await page.click(".bar .home");
      await page.waitForSelector(".home-pg");
    }
    ensure(!trouble.length, trouble.join("\n  "));
    await close(page);
  })),
];
