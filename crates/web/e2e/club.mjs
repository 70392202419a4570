// The club: a game is published from its end screen, and the pages show it.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { accessible, close, DESK, ensure, equal, expects, fits, HANGS, legible, open, PHONE, serve, shot, test } from "./lib.mjs";
import { begin, guest, host, plays, program, saved, verify } from "./friends.mjs";

const SIZES = [["", DESK], ["-laptop", { width: 1366, height: 768 }], ["-phone", PHONE]];

/** Waits until an element says this. */
export const says = (page, selector, words) =>
  page.waitForFunction(([selector, words]) => document.querySelector(selector)?.textContent.includes(words), [selector, words]);

/** Waits until a list has this many entries: a page shows its frame before the server has answered. */
const lists = (page, selector, count) =>
  page.waitForFunction(([selector, count]) => document.querySelectorAll(selector).length === count, [selector, count]);

/** Two pages play a whole game of tic-tac-toe; they are at the end screen. */
async function played(browser, url) {
  const a = await host(browser, url, { game: "tic-tac-toe", others: ["Friend"] });
  const b = await guest(browser, url, a.link, "Ben", 1);
  await begin([a, b]);
  await Promise.all([plays(a, 1), plays(b, 2)]);
  await Promise.all([a, b].map((page) => page.waitForSelector("#end")));
  return [a, b];
}

/** Two programs play a game with the identities in these files; its signed record. */
async function record(url, folder, names) {
  const of = (name) => ["--identity", `${folder}/${name}.identity`];
  const first = program("", names[0], "tic-tac-toe", "--server", url, ...of(names[0]));
  let link;
  for (let i = 0; i < HANGS / 50 && !link; i++) {
    await new Promise((done) => setTimeout(done, 50));
    link = first.said().match(/http:\S+\/t\/\S+/)?.[0];
  }
  ensure(link, `a program that hosts prints its link: ${first.said()}`);
  const second = program(link, names[1], ...of(names[1]));
  for (const { code, said } of await Promise.all([first.done, second.done])) equal(code, 0, `how a program ended: ${said.slice(-300)}`);
  return readFileSync(first.record);
}

/** What every page of the club has to hold, at every size; ends at the size of a desktop. */
export async function checked(page, name) {
  for (const [suffix, size] of SIZES) {
    await page.setViewportSize(size);
    await fits(page, `${name}${suffix}`);
    await legible(page, `${name}${suffix}`);
    await shot(page, `club-${name}${suffix}`);
  }
  await accessible(page, `${name} on a phone`);
  await page.setViewportSize(DESK);
  await accessible(page, name);
}

export const tests = [
  test("club: a finished game is published, searched, replayed and analysed", async (browser) => {
    // The archive is empty at first, so the server is this test's own.
    const folder = mkdtempSync(`${tmpdir()}/pentarchy-club-`);
    const server = await serve(0, "--data", folder);
    const { url } = server;
    try {
      const empty = await open(browser, url);
      await empty.click("#club");
      await says(empty, ".club-pg .empty", "Nobody has published a game yet");
      await checked(empty, "archive-empty");
      await empty.click(".top0 nav a:has-text('Ratings')");
      await says(empty, ".club-pg .empty", "Nobody has 5 rated games");
      await checked(empty, "ratings-empty");
      await empty.goBack();
      await says(empty, ".club-pg h1", "Archive");
      await close(empty);

      const [a, b] = await played(browser, url);
      await a.waitForSelector("#publishing");
      ensure(/names and identities of all players.*cannot take it back/s.test(await a.textContent("#publishing")), "what becomes public is said");
      await a.locator("#publishing").scrollIntoViewIfNeeded();
      await shot(a, "club-publish");
      await a.click("#publish");
      await a.waitForSelector("#published");
      const address = await a.getAttribute("#published", "href");
      await accessible(a, "the end screen with a published game");
      // The other player publishes the same game: it is the same page.
      await b.click("#publish");
      await b.waitForSelector("#published");
      equal(await b.getAttribute("#published", "href"), address, "the page of the game");
      await a.click("#published");
      await a.waitForSelector("#players");
      await checked(a, "game");
      const rows = await a.locator("#players tbody tr").allTextContents();
      ensure(rows.length === 2 && rows.some((row) => row.includes("Ada")) && rows.some((row) => row.includes("Ben")), `the players: ${rows}`);
      const result = rows.find((row) => row.includes("Ada")).match(/Won|Lost|Draw/)[0].toLowerCase();
      equal(await a.locator("#players .tag:has-text('you')").count(), 1, "the own seat is marked");
      ensure(/Ada|Ben/.test(verify("club", await saved(a, "#record"))), "the program accepts the published record");

      // Where the game turned, and what Emperor would have played.
      await a.click("#analyse");
      await a.waitForSelector("#decisions");
      for (let i = 0; i < 2; i++) await a.click("[aria-label='Decision after']");
      await says(a, "#decisions h2", "Decision 3 of");
      await a.click("#ask-emperor");
      await says(a, "#emperor-says", "Emperor would have played");
      await checked(a, "game-analysed");
      await close(b);

      // The replay, with the explorer beside it.
      await a.click("#replay-archived");
      await a.waitForSelector(".table #explorer .ex, .table #explorer .btn");
      if (await a.isVisible("#explorer .btn:has-text('Next decision')")) await a.click("#explorer .btn");
      await says(a, "#explorer", "Only this game has reached this position.");
      ensure((await a.locator("#explorer .ex li.now").count()) === 1, "the move of this game is marked");
      for (const [suffix, size] of SIZES) {
        await a.setViewportSize(size);
        if (suffix === "-phone") await a.click("[data-do='tab actions']");
        await a.waitForSelector("#explorer:visible");
        await shot(a, `club-replay${suffix}`);
      }
      await accessible(a, "the explorer on a phone", "#explorer");
      await a.setViewportSize(DESK);
      await a.reload();
      await a.waitForSelector(".table #explorer");
      await a.click("#explorer a");
      await a.waitForSelector("#players");

      // The profile of this player: the name is signed by the identity.
      await a.click("#my-profile");
      await a.waitForSelector("#history svg");
      await a.fill("#club-name", "  ");
      await a.click("#save-name");
      await says(a, "#name-says", "A name has 1 to");
      await a.fill("#club-name", "Ada of Lovelace");
      await a.click("#save-name");
      await says(a, "#name-says", "Saved.");
      await says(a, "#profile h1", "Ada of Lovelace");
      await a.reload();
      await says(a, "#profile h1", "Ada of Lovelace");
      await a.waitForSelector("#history svg");
      await checked(a, "profile");
      const profile = a.url();

      // Found by name, and by result.
      await a.click(".top0 nav a:has-text('Archive')");
      await a.fill("#find-player", "Ada");
      await a.keyboard.press("Enter");
      await a.waitForSelector("#any-player");
      await lists(a, "#games li", 1);
      await a.selectOption("[aria-label=Result]", result === "won" ? "lost" : "won");
      await says(a, ".club-pg .empty", "No published game matches");
      await a.selectOption("[aria-label=Result]", result);
      await a.waitForSelector("#games li");
      await a.selectOption("[aria-label=Game]", "hestia");
      await says(a, ".club-pg .empty", "No published game matches");
      await a.selectOption("[aria-label=Game]", "");
      await a.selectOption("[aria-label=Date]", "7");
      await a.waitForSelector("#games li");
      await checked(a, "archive-search");
      await a.fill("#find-player", "nobody");
      await a.keyboard.press("Enter");
      await says(a, ".srch .found", "No player has set a name that begins with “nobody”.");
      await a.goto(`${url}/#club/player/${"0".repeat(64)}`);
      await says(a, ".club-pg .empty", "This player has no game in the archive.");
      await a.goto(`${url}/#club/game/${"0".repeat(64)}`);
      await says(a, ".club-pg .empty", "This game is not in the archive.");
      await checked(a, "missing");
      await a.goto(`${url}/#club/game/7`);
      await says(a, ".club-pg .empty", "A game has 64 hexadecimal digits.");
      expects(a, /status of (400|404|422)/);

      // Five rated games make a leaderboard.
      for (let i = 0; i < 5; i++) {
        const response = await fetch(`${url}/api/club/games`, { method: "POST", body: await record(url, folder, ["Cleo", "Dan"]) });
        equal(response.status, 201, `publishing game ${i}`);
      }
      await a.goto(`${url}/#club/ratings/tic-tac-toe/2`);
      await lists(a, "#leaderboard tbody tr", 2);
      await checked(a, "ratings");
      await a.click("#leaderboard .pn");
      await a.waitForSelector("#history svg");
      await checked(a, "profile-other");
      ensure(a.url() !== profile && !(await a.isVisible("#club-name")), "others cannot set the name");
      await a.goto(`${url}/#club`);
      await lists(a, "#games li", 6);
      await checked(a, "archive");

      // Without the server the page says so, and asks again.
      await a.context().setOffline(true);
      await a.click(".top0 nav a:has-text('Ratings')");
      await says(a, ".club-pg .empty", "The server does not answer.");
      await shot(a, "club-offline");
      await a.context().setOffline(false);
      await a.click(".club-pg .empty button");
      await says(a, ".club-pg .empty", "Nobody has 5 rated games");
      expects(a, /ERR_INTERNET_DISCONNECTED/);
      await close(a);
    } finally {
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }),

  test("club: a server without a club shows no way to it, and says so", async (browser) => {
    const server = await serve(0, "--club", "off");
    try {
      const page = await open(browser, server.url);
      await page.waitForTimeout(500);
      ensure(!(await page.isVisible("#club")), "no link to a club");
      await page.goto(`${server.url}/#club`);
      await says(page, ".club-pg .empty", "This server has no club");
      expects(page, /status of 404/);
      await close(page);
    } finally {
      server.stop();
    }
  }),
];
