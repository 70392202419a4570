// All tests of the page: node run.mjs [part of a name]
// One after the other, but for those that mostly wait: they run aside, in browsers of their own, while the first ones do.
import { serve, launch } from "./lib.mjs";
import * as pages from "./pages.mjs";
import * as table from "./table.mjs";
import * as flow from "./flow.mjs";
import * as guide from "./guide.mjs";
import * as games from "./games.mjs";
import * as layout from "./layout.mjs";
import * as look from "./look.mjs";
import * as identity from "./identity.mjs";
import * as limits from "./limits.mjs";
import * as numeral from "./numeral.mjs";
import * as peers from "./peers.mjs";
import * as together from "./together.mjs";
import * as visit from "./visit.mjs";
import * as firefox from "./firefox.mjs";

const wanted = ({ name }) => name.includes(process.argv[2] ?? "");
const first = [...pages.tests, ...visit.tests, ...table.tests, ...flow.tests, ...guide.tests, ...firefox.tests].filter(wanted);
const alone = [...identity.tests, ...limits.tests, ...look.tests, ...numeral.tests, ...peers.tests, ...together.tests, ...layout.tests, ...games.tests].filter(wanted);
const server = await serve();
/** The run stops after this number of failures: they usually have one cause, and each can take minutes. */
const ENOUGH = 5;
let passed = 0;
/** Tests that failed; each is run once more, alone, so that a report tells a race from a defect. */
const again = [];

async function all(tests, failures = again) {
  if (!tests.length) return;
  const browser = await launch();
  for (const { name, run } of tests) {
    if (failures.length >= ENOUGH) break;
    const start = Date.now();
    try {
      await run(browser, server.url);
      passed += 1;
      console.log(`test ${name} ... ok (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failures.push({ name, run });
      console.log(`test ${name} ... FAILED\n  ${error.stack ?? error}`);
      for (const context of browser.contexts()) await context.close().catch(() => {});
    }
  }
  await browser.close();
}

await Promise.all([all(first.filter((test) => !test.aside)), all(first.filter((test) => test.aside))]);
await all(alone);
const broken = again.length >= ENOUGH;
if (broken) console.log(`stopped after ${again.length} failures`);
const failures = broken ? again : [];
if (!broken) await all(again, failures);
for (const { name } of again) if (!failures.some((test) => test.name === name)) console.log(`unstable: "${name}" passed only when it was run again`);
server.stop();
const failed = failures.length;
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
