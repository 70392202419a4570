// All tests of the page, one after the other: node run.mjs [part of a name]
import { serve, launch } from "./lib.mjs";
import * as pages from "./pages.mjs";
import * as table from "./table.mjs";
import * as games from "./games.mjs";
import * as limits from "./limits.mjs";
import * as peers from "./peers.mjs";
import * as firefox from "./firefox.mjs";

const tests = [...pages.tests, ...table.tests, ...limits.tests, ...peers.tests, ...games.tests, ...firefox.tests];
const wanted = process.argv[2] ?? "";
const server = await serve();
const browser = await launch();
let passed = 0, failed = 0;
for (const { name, run } of tests.filter((test) => test.name.includes(wanted))) {
  const start = Date.now();
  try {
    await run(browser, server.url);
    passed += 1;
    console.log(`test ${name} ... ok (${((Date.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`test ${name} ... FAILED\n  ${error.stack ?? error}`);
    for (const context of browser.contexts()) await context.close().catch(() => {});
  }
}
await browser.close();
server.stop();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
