// The pages around the table: home, set-up, rules, settings, in both themes and both sizes.
import { accessible, close, DESK, drop, ensure, equal, fits, GAMES, legible, look, open, PHONE, shot, turn } from "./lib.mjs";

const test = (name, run) => ({ name, run });

export const tests = [
  test("home is complete and accessible, in both sizes and themes", async (browser, url) => {
    for (const [size, kind] of [[DESK, ""], [PHONE, "-phone"]]) {
      for (const theme of ["Dark", "Light"]) {
        const page = await open(browser, url, { size, settings: { theme } });
        equal(await page.locator(".cv").count(), 5, "covers");
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
    await page.click(".cn .btn.go");
    await page.waitForSelector(".table");
    await turn(page);
    await close(page);
  }),

  test("a set-up with other seats, names and options is what is played", async (browser, url) => {
    for (const game of GAMES) {
      const page = await open(browser, url);
      const title = { hegemony: "Hegemony", numeral: "Numeral Empire", ozymandias: "Ozymandias", vires: "Vires in Numeris", hestia: "Hestian Civil Wars" }[game];
      await page.click(`.cv[data-game=${game}] .bt .btn:not(.go)`);
      await page.waitForSelector(".sheet");
      await page.locator(".fld[aria-label='Name of seat 2']").fill("Aurel");
      await page.locator(".fld[aria-label='Name of seat 2']").blur();
      if (game === "numeral") {
        await page.locator(".sheet summary").click();
        await page.locator("input[aria-label='Start storage']").fill("13");
        await page.locator("input[aria-label='Start storage']").blur();
        ensure(await page.locator(".opt.ch").count() === 1, "what differs from the default is marked");
      }
      await shot(page, `setup-${game}`);
      await accessible(page, `set-up of ${title}`);
      await page.click("#start");
      await page.waitForSelector(".table");
      await turn(page);
      ensure((await page.locator(".seats").innerText()).includes("Aurel"), "the name is shown");
      await close(page);
    }
    const page = await open(browser, url, { size: PHONE });
    await page.click(".cv[data-game=hegemony] .bt .btn:not(.go)");
    await page.waitForSelector(".sheet");
    await shot(page, "setup-phone");
    await fits(page, "set-up on a phone");
    await close(page);
  }),

  test("the rules open in a drawer and can be searched", async (browser, url) => {
    const page = await open(browser, url);
    await page.click("button[aria-label='Rules of Numeral Empire']");
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
