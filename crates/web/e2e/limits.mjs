// What the page is held to: how soon it is ready, how much it transfers, how it answers while a bot thinks.
import { execFileSync } from "node:child_process";
import { close, ensure, GAMES, open } from "./lib.mjs";

const test = (name, run) => ({ name, run });
// Built for tests the page is larger and slower; then only what depends on neither is a failure.
const shipped = Boolean(process.env.RELEASE);

export const tests = [
  test("ready at once, with little transferred: as shipped 1.5 s and 1.5 MB, as tested twice that", async (browser, url) => {
    const page = await open(browser, url);
    const { ready, bytes, files } = await page.evaluate(() => {
      const entries = [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")];
      return { ready: performance.now(), bytes: entries.reduce((sum, e) => sum + e.encodedBodySize, 0), files: entries.length };
    });
    const icons = await page.evaluate(() => performance.getEntriesByType("resource").filter((e) => new URL(e.name).host !== location.host).length);
    console.log(`     ready after at most ${Math.round(ready)} ms, ${Math.round(bytes / 1024)} KB in ${files} files`);
    ensure(icons === 0, "nothing is requested from elsewhere");
    const slack = shipped ? 1 : 2;
    ensure(ready < 1500 * slack, `ready only after ${ready} ms`);
    ensure(bytes < 1.5e6 * slack, `${bytes} bytes are transferred`);
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

  test("random games in the page reach a third of the program's speed", async (browser, url) => {
    // By the time of the processor, so that whatever else this machine does weighs on neither. Page and program are
    // built alike: both for the tests, or both to be shipped.
    const page = await open(browser, url);
    const system = await browser.newBrowserCDPSession();
    const used = async () => {
      const { processInfo } = await system.send("SystemInfo.getProcessInfo");
      return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    };
    const made = await page.evaluate(() => document.querySelector("link[rel=modulepreload]").href);
    const play = (game, ms) => page.evaluate(async ([made, game, ms]) => (await import(made)).playouts(game, ms), [made, game, ms]);
    /** Plays until so much time of the processor is used; games a second of it. */
    const spend = async (game, most) => {
      const began = await used();
      let [games, time] = [0, 0];
      for (; time < most; time = (await used()) - began) {
        const clock = performance.now();
        games += ((await play(game, 120)) * (performance.now() - clock)) / 1000;
      }
      return games / time;
    };
    const slow = [];
    for (const game of GAMES) {
      // First for the browser's compiler, which works in the background; then to measure.
      await spend(game, shipped ? 1.5 : 0.7);
      const [one, two] = [await spend(game, 0.4), await spend(game, 0.4)];
      const here = Math.max(one, two);
      ensure(here > 0, `no game of ${game} was played`);
      const args = ["sim", game, "--games", String(Math.ceil(here)), "--threads", "1", "--json"];
      const there = JSON.parse(execFileSync(process.env.NATIVE ?? process.env.PENTARCHY, args, { encoding: "utf8" })).games_per_cpu_second;
      const part = here / there;
      console.log(`     ${game}: ${here.toFixed(0)} random games a processor second in the page, ${there.toFixed(0)} in the program: ${(100 * part).toFixed(0)} %`);
      if (part < 1 / 3) slow.push(`${game} reaches ${(100 * part).toFixed(0)} %`);
    }
    ensure(!slow.length, slow.join(", "));
    await close(page);
  }),
];
