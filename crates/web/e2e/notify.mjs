// Notifications: a player asks for them in the page, and gets one message for each turn while they are away.
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as listen } from "node:net";
import { tmpdir } from "node:os";
import { accessible, close, DESK, ensure, equal, events, expects, fits, HANGS, legible, open, PHONE, serve, shot, test } from "./lib.mjs";
import { begin, guest, host, plays } from "./friends.mjs";

const SIZES = [["", DESK], ["-phone", PHONE]];

/** Waits until an element says this. */
const says = (page, selector, words) =>
  page.waitForFunction(([selector, words]) => document.querySelector(selector)?.textContent.includes(words), [selector, words]);

/** A port of this machine that is free now: the server has to know its own address before it starts. */
const freePort = () =>
  new Promise((done) => {
    const probe = listen().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

/** A receiver of webhooks: its address, what came, and a wait for the next message of a type. */
async function receiver() {
  const came = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    came.push(JSON.parse(body));
    response.writeHead(204).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const next = async (type) => {
    for (let i = 0; i < HANGS / 50; i++) {
      const at = came.findIndex((message) => message.type === type);
      if (at >= 0) return came.splice(at, 1)[0];
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`no webhook of type ${type}: ${JSON.stringify(came)}`);
  };
  return { address: `http://127.0.0.1:${server.address().port}/hook`, came, next, stop: () => server.close() };
}

/** What the dialog has to hold, at every size; ends at the size of a desktop. */
async function checked(page, name) {
  for (const [suffix, size] of SIZES) {
    await page.setViewportSize(size);
    await fits(page, `${name}${suffix}`);
    await shot(page, `notify-${name}${suffix}`);
    await accessible(page, `${name}${suffix}`, "#notifications");
  }
  await page.setViewportSize(DESK);
}

/** The player whose turn it is acts once. */
const acts = async (page) => {
  await page.waitForSelector("#prompt .prompt.mine");
  await plays(page, 1, (await events(page)) + 1);
};

export const tests = [
  test("notifications: a player asks for them in the page and gets one message for each turn while they are away", async (browser) => {
    const folder = mkdtempSync(`${tmpdir()}/pentarchy-notify-`);
    const port = await freePort(), hooks = await receiver();
    const server = await serve(port, "--data", folder, "--public-url", `http://127.0.0.1:${port}`, "--allow-private-webhooks");
    const url = `http://127.0.0.1:${port}`;
    try {
      const a = await host(browser, url, { game: "tic-tac-toe", others: ["Friend"] });
      const b = await guest(browser, url, a.link, "Ben", 1);
      // From the waiting room.
      await b.click("#open-notifications");
      await says(b, "#notifications", "Nothing is sent to you yet");
      await checked(b, "empty");
      ensure(!(await b.isVisible("#add-mail")), "a server without mail offers none");
      await b.fill("#add-webhook", "ftp://example.org");
      await b.click("[aria-label='Add: Webhook address']");
      await b.waitForSelector("#notify-says.bad");
      await checked(b, "refused");
      expects(b, /422|400/);
      await b.fill("#add-webhook", hooks.address);
      await b.keyboard.press("Enter");
      await b.waitForSelector("[data-channel=webhook][data-state=active]");
      await says(b, "#notify-says", "Added.");
      await b.click("#notifications .subs .btn:has-text('Send a test')");
      await says(b, "#notify-says", "The test was delivered.");
      equal((await hooks.next("test")).type, "test", "the test");
      await b.evaluate(() => document.querySelectorAll("#notifications details").forEach((fold) => (fold.open = true)));
      await checked(b, "active");
      await b.keyboard.press("Escape");

      await begin([a, b]);
      // Both are here: nothing is announced.
      await a.waitForSelector("#prompt .prompt.mine");
      await b.click("[data-do=settings]");
      await b.click("#open-notifications");
      await says(b, "#followed", "Tic-tac-toe with Ada");
      await checked(b, "at-a-table");
      equal(hooks.came.length, 0, "messages while both are here");
      await b.close();
      await a.waitForFunction(() => document.querySelector("#banner")?.textContent.includes("Ben is offline"));
      await acts(a);
      const turn = await hooks.next("turn");
      equal(turn.seat, 1, "the seat of Ben");
      equal(turn.turn, 2, "the event that the table waits for");
      equal(turn.label, "Tic-tac-toe with Ada", "the label that Ben's page has given");
      equal(turn.url, a.link.split("#")[0], "the link, without the secret");
      // Another visit announces nothing again, and home says since when the table waits.
      await a.goto(url);
      await says(a, ".cont", "Waiting for Ben");
      await a.evaluate(() => { const { now } = Date; Date.now = () => now() + 3 * 3600000 + 60000; });
      const later = await a.context().newPage();
      await later.addInitScript(() => { const { now } = Date; Date.now = () => now() + 3 * 3600000 + 60000; });
      await later.goto(url);
      await says(later, ".cont", "Waiting for Ben, 3 h");
      for (const [suffix, size] of SIZES) {
        await later.setViewportSize(size);
        await shot(later, `notify-home${suffix}`);
        await legible(later, `home${suffix}`);
      }
      await later.close();

      // The link of the message has no secret: the page of Ben knows it. It is his turn there.
      const back = await b.context().newPage();
      await back.goto(turn.url);
      await back.waitForSelector(".table");
      await acts(back);
      await says(back, "#banner", "Saved for Ada, who is offline.");
      await back.goto(url);
      await says(back, ".cont", "Waiting for Ada");
      // Ada is at home, so it is her turn there now only after she has opened the table.
      await a.goBack();
      await acts(a);
      equal((await hooks.next("turn")).turn, 4, "the next turn of Ben");
      equal(hooks.came.length, 0, "nothing else was sent");

      // Ben wants no more.
      await back.click("#notify-me");
      await back.click("#notifications .subs .btn:has-text('Remove')");
      await says(back, "#notifications", "Nothing is sent to you yet");
      await a.context().close();
      await back.context().close();
    } finally {
      server.stop();
      hooks.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }),

  test("notifications: a push message is shown, and opens the table", async (browser, url) => {
    const page = await open(browser, url);
    await page.evaluate(async () => { await navigator.serviceWorker.ready; });
    const [worker] = page.context().serviceWorkers();
    // A push service and a desktop that shows notifications are not there: their calls are made and recorded here.
    const [shown, opened] = await worker.evaluate(async () => {
      const calls = [];
      registration.showNotification = async (title, { data, ...options }) => calls.push(JSON.stringify([title, data, options]));
      clients.openWindow = async (path) => calls.push(path);
      let work;
      const waitUntil = (done) => (work = done);
      const notification = { title: "Your turn", body: "It is your turn.", navigate: "https://play.example/t/aaaa", tag: "x" };
      onpush({ data: { json: () => ({ web_push: 8030, notification }) }, waitUntil });
      await work;
      onnotificationclick({ notification: { close() {}, data: "https://elsewhere.example/t/aaaa" }, waitUntil });
      await work;
      return calls;
    });
    equal(shown, JSON.stringify(["Your turn", "https://play.example/t/aaaa", { body: "It is your turn.", tag: "x" }]), "the notification");
    equal(opened, "/t/aaaa", "what a click opens, wherever the message leads");
    await close(page);
  }),

  test("notifications: a server without them says so", async (browser, url) => {
    const page = await open(browser, url);
    await page.click("#notify-me");
    await says(page, "#no-notifications", "This server sends no notifications.");
    await checked(page, "off");
    await close(page);
  }),
];
