// Tournaments: created, entered, played and decided in the page.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { close, ensure, equal, expects, open, serve, test } from "./lib.mjs";
import { plays } from "./friends.mjs";
import { checked, says } from "./club.mjs";

/** Enters the tournament of a page under this name. */
async function enter(page, name) {
  await page.fill("#entry-name", name);
  await page.click("#enter");
  await page.waitForSelector("#withdraw");
}

export const tests = [
  test("club: a tournament is created, entered, played and decided", async (browser) => {
    const folder = mkdtempSync(`${tmpdir()}/pentarchy-cup-`);
    const server = await serve(0, "--data", folder);
    const { url } = server;
    try {
      const a = await open(browser, url);
      await a.goto(`${url}/#club/tournaments`);
      await says(a, ".club-pg .empty", "No tournament is open");
      await checked(a, "tournaments-empty");
      await a.click("#new-tournament");
      await a.selectOption("#cup-game", "tic-tac-toe");
      ensure(await a.isDisabled("#create-tournament"), "a tournament needs a name");
      await a.fill("#cup-name", "Autumn Cup");
      await a.selectOption("#cup-rounds", "2");
      await a.selectOption("#cup-time", "600000");
      await checked(a, "tournament-new");
      await a.click("#create-tournament");
      await says(a, "#phase", "Open, 0 players so far. The organiser starts it.");
      const address = a.url();

      // Ada enters, withdraws and enters again; Ben enters in another browser.
      await enter(a, "Ada");
      await a.click("#withdraw");
      await enter(a, "Ada");
      ensure(await a.isDisabled("#start-tournament"), "one player is not enough");
      const b = await open(browser, url);
      await b.goto(address);
      await says(b, "#entries", "Ada");
      equal(await b.locator("#start-tournament").count(), 0, "only the organiser starts it");
      await enter(b, "Ben");
      await says(a, "#entries", "Ben");
      await checked(a, "tournament-open");
      await a.click("#start-tournament");
      await says(a, "#phase", "Round 1 of 1, 2 players.");
      await says(a, "#own-table", "Round 1, table 1: you play Ben");
      await a.click("#check-seed");
      await says(a, "#seed-says", "Correct:");
      await says(b, "#own-table", "you play Ada");
      await checked(a, "tournament-running");

      // Ada opens the table with the terms of the tournament; Ben finds it at the tournament.
      await a.click("#open-own-table");
      await a.waitForSelector("#link");
      await says(b, "#own-table", "Ada has opened the table.");
      await checked(b, "tournament-hosted");
      await b.click("#join-table");
      await b.waitForSelector("#name");
      await b.fill("#name", "Ben");
      await b.click("[data-seat]");
      await Promise.all([a, b].map((page) => page.waitForSelector(".table")));
      await Promise.all([plays(a, 1), plays(b, 2)]);
      await Promise.all([a, b].map((page) => page.waitForSelector("#end")));

      // The result counts when the record is published, by whom does not matter.
      await b.click("#publish");
      await says(b, "#counted", "Its result counts in the tournament.");
      await b.click("#to-tournament");
      await says(b, "#phase", "Over after 1 round, 2 players. Winner");
      equal(await b.locator("#standings tbody tr").count(), 2, "the standings");
      const rows = await b.locator("#standings tbody tr").allTextContents();
      const won = await b.locator("#round .st.ok").textContent();
      ensure(won.includes("draw") || rows[0].includes(won.match(/Ada|Ben/)[0]), `the winner leads: ${rows}, ${won}`);
      await checked(b, "tournament-over");
      await b.click("#round .st.ok");
      await b.waitForSelector("#players");
      await b.goto(`${url}/#club/tournaments?show=finished`);
      await says(b, "#tournaments", "Autumn Cup");
      await b.click(".fchips a:has-text('Yours')");
      await says(b, "#tournaments", "Autumn Cup");
      await checked(b, "tournaments");

      // What does not exist is said.
      await b.goto(`${url}/#club/tournament/${"0".repeat(64)}`);
      await says(b, ".club-pg .empty", "There is no such tournament.");
      expects(b, /status of 404/);
      await close(a);
      await close(b);

      // The organiser cancels a tournament.
      const c = await open(browser, url);
      await c.goto(`${url}/#club/tournaments/new`);
      await c.fill("#cup-name", "No Cup");
      await c.click("#create-tournament");
      await c.click("#cancel-tournament");
      await says(c, "#cancel-tournament", "Really cancel it");
      await c.click("#cancel-tournament");
      await says(c, "#phase", "The organiser has cancelled it.");
      await close(c);
    } finally {
      server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }),
];
