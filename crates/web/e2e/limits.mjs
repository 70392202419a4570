// What the page is held to besides the games: it asks nobody else, stays small, and answers while a bot thinks.
// How fast it is, speed.mjs measures.
import { close, ensure, GAMES, open, setUp, test } from "./lib.mjs";

// Built for tests the page is larger.
const MOST_BYTES = process.env.RELEASE ? 1.5e6 : 4.5e6;

export const tests = [
  test("the page transfers little, and nothing from elsewhere", async (browser, url) => {
    const page = await open(browser, url);
    const { bytes, foreign } = await page.evaluate(() => {
      const entries = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
      return {
        bytes: entries.reduce((sum, e) => sum + e.encodedBodySize, 0),
        foreign: entries.filter((e) => new URL(e.name).host !== location.host).map((e) => e.name),
      };
    });
    ensure(foreign.length === 0, `requests to other servers: ${foreign.join(", ")}`);
    ensure(bytes < MOST_BYTES, `${bytes} bytes are transferred`);
    await close(page);
  }),

  test("the page answers while a Hard bot thinks", async (browser, url) => {
    const page = await open(browser, url, { settings: { speed: "Normal", think_seconds: 3 } });
    await setUp(page, "numeral");
    for (const row of await page.locator(".srow").all()) await row.locator("button:has-text('Hard')").click();
    await page.click("#start");
    await page.waitForSelector("[data-do=pause]");
    // A sheet opens and closes while the bot is at work: nothing of it runs in the page itself.
    for (let i = 0; i < 3; i++) {
      await page.click("[data-do=settings]");
      await page.waitForSelector("#settings");
      await page.keyboard.press("Escape");
      await page.waitForSelector("#settings", { state: "detached" });
    }
    await close(page);
  }),

  test("every game can be simulated in the page", async (browser, url) => {
    const page = await open(browser, url);
    for (const game of GAMES) {
      const rate = await page.evaluate(async (game) => {
        const client = await import(document.querySelector("link[rel=modulepreload]").href);
        return client.playouts(game, 150);
      }, game);
      ensure(rate > 0, `no random game of ${game} was played to its end`);
    }
    await close(page);
  }),
];
