// Installed and offline: the page without its server, and a new build of it.
import { cpSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensure, equal, launch, open, serve, test, turn } from "./lib.mjs";

/** What a page without a server may report. */
const isOffline = (error) => error.includes("ERR_CONNECTION_REFUSED") || error.includes("ERR_FAILED");

/** Waits until the service worker of the page has stored everything. */
const installed = (page) => page.evaluate(async () => { await navigator.serviceWorker.ready; });

/** Starts a game against bots from the home page. */
const start = async (page) => {
  await page.click(".cv[data-game=hegemony] .bt .go");
  await page.waitForSelector(".table");
  await turn(page);
};

/** The build that a page shows: the name of the folder of its files. */
const build = (page) => page.evaluate(() => document.querySelector("link[rel=stylesheet]").href.match(/[0-9a-f]{12}/)[0]);

/** Closes a page; it may have reported that there is no server. */
const close = async (page) => {
  await page.context().close();
  const errors = page.errors.filter((error) => !isOffline(error));
  ensure(errors.length === 0, `the page reported: ${errors.slice(0, 3).join(" | ")}`);
};

/** Copies the page to a new folder as if it was built from other sources: all its files get another name. */
function rebuilt(folder) {
  cpSync(process.env.PAGE, folder, { recursive: true });
  const [old] = readdirSync(folder).filter((name) => /^[0-9a-f]{12}$/.test(name));
  const name = old.replace(/./g, (digit) => ((parseInt(digit, 16) + 1) % 16).toString(16)).replace(/^./, "1");
  renameSync(join(folder, old), join(folder, name));
  for (const file of ["index.html", "service-worker.js", "app.webmanifest"]) {
    for (const ending of [".br", ".gz"]) rmSync(join(folder, file + ending));
    writeFileSync(join(folder, file), readFileSync(join(folder, file), "utf8").replaceAll(old, name));
  }
  return name;
}

export const tests = [
  test("offline: the page loads and a game starts without the server", async () => {
    // A browser of its own: the server of the others must not be stopped.
    const browser = await launch(), server = await serve();
    const page = await open(browser, server.url);
    await installed(page);
    const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
    for (const { src } of manifest.icons) ensure(await page.evaluate(async (src) => (await fetch(src)).ok, src), `the icon ${src} is there`);
    const gone = new Promise((done) => server.process.on("exit", done));
    server.stop();
    await gone;
    await page.reload();
    await page.waitForSelector(".home-pg");
    await start(page);
    // The match is saved, also without a network: it is there after another load.
    await page.reload();
    await page.waitForSelector(".table");
    await close(page);
    await browser.close();
  }),

  test("offline: a new build asks before it reloads, and never in a game", async () => {
    const browser = await launch(), folder = mkdtempSync(join(tmpdir(), "pentarchy-build-"));
    let server = await serve(0, "--page", process.env.PAGE);
    const page = await open(browser, server.url);
    await installed(page);
    const first = await build(page), second = rebuilt(folder);
    await page.reload();
    await page.waitForSelector(".home-pg");
    await start(page);
    await page.evaluate(() => { window.stays = true; });
    const gone = new Promise((done) => server.process.on("exit", done));
    server.stop();
    await gone;
    server = await serve(server.port, "--page", folder);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      while (!registration.waiting) await new Promise((done) => setTimeout(done, 50));
    });
    await page.waitForTimeout(1000);
    equal(await page.locator("#new-build").count(), 0, "offers in a game");
    ensure(await page.evaluate(() => window.stays), "the page is not reloaded in a game");
    await page.click("[data-do=home]");
    await page.waitForSelector(".home-pg");
    await page.waitForSelector("#new-build");
    ensure(await page.evaluate(() => window.stays), "the page asks first");
    equal(await build(page), first, "the build that is shown");
    await page.click("#new-build-load");
    await page.waitForFunction(() => !window.stays);
    await page.waitForSelector(".home-pg");
    equal(await build(page), second, "the build after the reload");
    equal(await page.locator("#new-build").count(), 0, "offers of the build that is shown");
    await close(page);
    server.stop();
    await browser.close();
    rmSync(folder, { recursive: true });
  }),
];
