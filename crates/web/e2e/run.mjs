// All tests of the page: node run.mjs [part of a name]
// Lanes with a browser each take the tests from two queues: those that mostly wait, for a clock or a bot's pace, and those
// that keep the machine busy. A lane whose own queue is empty takes from the other one.
import { serve, launch } from "./lib.mjs";
import * as club from "./club.mjs";
import * as pages from "./pages.mjs";
import * as table from "./table.mjs";
import * as flow from "./flow.mjs";
import * as guide from "./guide.mjs";
import * as games from "./games.mjs";
import * as layout from "./layout.mjs";
import * as look from "./look.mjs";
import * as identity from "./identity.mjs";
import * as notify from "./notify.mjs";
import * as limits from "./limits.mjs";
import * as numeral from "./numeral.mjs";
import * as peers from "./peers.mjs";
import * as together from "./together.mjs";
import * as tournaments from "./tournaments.mjs";
import * as visit from "./visit.mjs";
import * as offline from "./offline.mjs";
import * as firefox from "./firefox.mjs";

const all = [pages, visit, table, flow, guide, firefox, peers, together, club, tournaments, notify, games, layout, look, identity, numeral, limits, offline];
const wanted = all.flatMap(({ tests }) => tests).filter(({ name }) => name.includes(process.argv[2] ?? ""));
const waiting = wanted.filter(({ waits }) => waits), busy = wanted.filter(({ waits }) => !waits);
const server = await serve();
/** The run stops after this number of failures: they usually have one cause, and each can take minutes. */
const ENOUGH = 5;
let passed = 0;
/** What is printed of each failed test: at once, and again at the end, where a reader of a long log looks. */
const failures = [];

/** Runs tests of `own`, then of `other`, until there are none or enough have failed. */
async function lane(own, other) {
  let browser;
  for (let test; failures.length < ENOUGH && (test = own.shift() ?? other.shift()); ) {
    browser ??= await launch();
    const start = Date.now();
    try {
      await test.run(browser, server.url);
      passed += 1;
      console.log(`test ${test.name} ... ok (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      const failure = `test ${test.name} ... FAILED\n  ${error.stack ?? error}`;
      failures.push(failure);
      console.log(failure);
      for (const context of browser.contexts()) await context.close().catch(() => {});
    }
  }
  await browser?.close();
}

await Promise.all([lane(waiting, busy), lane(busy, waiting), lane(busy, waiting)]);
if (failures.length >= ENOUGH) console.log(`stopped after ${failures.length} failures`);
server.stop();
if (failures.length) console.log(`\nfailures:\n${failures.join("\n")}\n`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length ? 1 : 0);
