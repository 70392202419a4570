// What the page is held to: how soon it is ready, how much it transfers, how it answers while a bot thinks.
import { close, ensure, GAMES, open } from "./lib.mjs";

const test = (name, run) => ({ name, run });
// Built for tests the page is larger and slower; then only what depends on neither is a failure.
const shipped = Boolean(process.env.RELEASE);

export const tests = [
  test("ready within 1.5 s, and at most 1.5 MB transferred", async (browser, url) => {
    const page = await open(browser, url);
    const { ready, bytes, files } = await page.evaluate(() => {
      const entries = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
      return { ready: performance.now(), bytes: entries.reduce((sum, e) => sum + e.encodedBodySize, 0), files: entries.length };
    });
    const icons = await page.evaluate(() => performance.getEntriesByType("resource").filter((e) => new URL(e.name).host !== location.host).length);
    console.log(`     ready after at most ${Math.round(ready)} ms, ${Math.round(bytes / 1024)} KB in ${files} files`);
    ensure(icons === 0, "nothing is requested from elsewhere");
    ensure(!shipped || ready < 1500, `ready only after ${ready} ms`);
    ensure(!shipped || bytes < 1.5e6, `${bytes} bytes are transferred`);
    await close(page);
  }),

  test("the page answers within 50 ms while an Emperor thinks", async (browser, url) => {
    const page = await open(browser, url, { settings: { speed: "Normal", think_seconds: 3 } });
    await page.click(".cv[data-game=numeral] .bt .btn:not(.go)");
    await page.waitForSelector(".sheet");
    for (const row of await page.locator(".srow").all()) await row.locator("button:has-text('Emperor')").click();
    await page.click("#start");
    await page.waitForSelector("[data-do=pause]");
    await page.waitForTimeout(500);
    const late = await page.evaluate(async () => {
      const late = [];
      for (let i = 0; i < 100; i++) {
        const asked = performance.now();
        await new Promise((done) => {
          const channel = new MessageChannel();
          channel.port1.onmessage = done;
          channel.port2.postMessage(0);
        });
        late.push(performance.now() - asked);
        await new Promise((done) => setTimeout(done, 10));
      }
      return late.sort((a, b) => a - b);
    });
    const [median, p95] = [late[50], late[95]];
    console.log(`     answers after ${median.toFixed(1)} ms (median), ${p95.toFixed(1)} ms (95 of 100), ${late.at(-1).toFixed(1)} ms (most)`);
    ensure(p95 < 50, `the page answers only after ${p95} ms`);
    await close(page);
  }),

  test("random games in the page, compared with the program", async (browser, url) => {
    const page = await open(browser, url);
    const made = await page.evaluate(() => document.querySelector("link[rel=modulepreload]").href);
    for (const game of GAMES) {
      const here = await page.evaluate(async ([made, game, ms]) => (await import(made)).playouts(game, ms), [made, game, shipped ? 1500 : 150]);
      ensure(here > 0, `no game of ${game} was played`);
      console.log(`     ${game}: ${here.toFixed(0)} random games a second in the page`);
    }
    await close(page);
  }),
];
