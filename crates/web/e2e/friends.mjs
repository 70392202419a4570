// What people do at tables with others, for the tests of them: sit down, play, and look at the result.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accessible, close, drop, ensure, equal, expects, fits, legible, more, open, PHONE, shot } from "./lib.mjs";

/** Where the records of the games are kept. */
export const RECORDS = process.env.RECORDS ?? "records";
mkdirSync(RECORDS, { recursive: true });
/** Whether the page is a release build. Only then do time limits fail a test; a test build is slower. */
export const shipped = Boolean(process.env.RELEASE);

/** Init script: removes WebRTC, so that the page uses the relay. */
export const blockRtc = () => { delete window.RTCPeerConnection; delete window.webkitRTCPeerConnection; };
/** Init script: removes WebRTC and records the ICE servers that the page would have used. */
export const noteIce = () => {
  window.ice = [];
  window.RTCPeerConnection = function (how) { window.ice.push(how.iceServers.map(({ urls }) => urls)); throw new Error("there is none"); };
};
/** Nothing is blocked, but it is seen which servers are asked for a way, and at which addresses others may look for the page. */
export const noteWays = () => {
  [window.ice, window.addresses] = [[], []];
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(how) {
      super(how);
      window.ice.push(how.iceServers.map(({ urls }) => urls));
      this.addEventListener("icecandidate", ({ candidate }) => candidate?.candidate && window.addresses.push(candidate.candidate));
      this.asksHere = how.iceServers.some(({ urls }) => String(urls).includes("127.0.0.1"));
    }
    // Once connected, a browser ignores the answer of the STUN server. So neither page looks for the other before both have
    // got theirs: the other page's is among the candidates that it sends.
    async addIceCandidate(candidate) {
      const isTold = (address) => address.includes("typ srflx");
      this.heard ||= isTold(candidate.candidate);
      while (this.asksHere && !(this.heard && window.addresses.some(isTold))) await new Promise((done) => setTimeout(done, 20));
      return super.addIceCandidate(candidate);
    }
  };
};

/** For each way that these pages have looked for, the servers that were asked. */
export const asked = async (pages) => (await Promise.all(pages.map((page) => page.evaluate(() => window.ice)))).flat();

/** Opens a table in a page; `others` are the kinds of the other seats, options are pairs of a name and a value. */
export async function host(browser, url, { game, others, name = "Ada", options = [], stall, before, size, shots, takeover, listed }) {
  const page = await open(browser, url, { before, ...(size ? { size } : {}) });
  await more(page, game, "Play with friends");
  await page.fill("#my-name", name);
  for (const surplus of (await page.locator(".friends [aria-label^='Remove seat']").all()).slice(others.length).reverse()) await surplus.click();
  while ((await page.locator(".friends [aria-label^='Who sits']").count()) < others.length) await page.click("text=Add a seat");
  for (const [i, kind] of others.entries()) await page.click(`[aria-label='Who sits at seat ${i + 2}'] button:has-text('${kind}')`);
  await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((d) => (d.open = true)));
  for (const [label, value] of options) {
    const field = page.locator(`.sheet [aria-label='${label}']`);
    await field.fill(value);
    await field.blur();
  }
  if (stall)
    // Nobody can choose so short a time; it is put among the others.
    await page.evaluate((ms) => {
      const times = document.querySelector(".sheet [aria-label='Time per move']");
      times.add(new Option("in a hurry", ms));
      times.value = ms;
      times.dispatchEvent(new Event("change", { bubbles: true }));
    }, stall);
  if (takeover) await page.click("[aria-label='A bot takes over']");
  if (listed) await page.click("[aria-label='Open to anybody']");
  if (shots) {
    await accessible(page, shots);
    await page.evaluate(() => document.querySelectorAll(".sheet details").forEach((d) => (d.open = false)));
    await shot(page, shots);
  }
  await page.click("#open-table");
  await page.waitForSelector("#link");
  page.link = await page.inputValue("#link");
  return page;
}

/** Opens the link in a page of its own and sits down; who sits down is ready, unless they say otherwise. */
export async function guest(browser, url, link, name, seat, { ready = true, ...more } = {}) {
  const page = await open(browser, url, { path: link.slice(url.length), ...more });
  await page.fill("#name", name);
  await page.click(`[data-seat='${seat}']`);
  await page.waitForSelector("#ready");
  if (!ready) await page.click("#ready");
  return page;
}

const programs = new Set();
process.on("exit", () => programs.forEach((child) => child.kill()));

/** A program at the table, with an identity of its own unless one is named; it joins a link, or hosts a game. */
export function program(link, name, ...more) {
  const folder = mkdtempSync(join(tmpdir(), "pentarchy-"));
  const what = link ? ["join", link] : ["host"];
  const identity = more.includes("--identity") ? [] : ["--identity", join(folder, "identity")];
  const child = spawn(process.env.PENTARCHY, [...what, ...more, "--name", name, "--bot", "captain", "--data", folder, ...identity, "--record", join(folder, "game.table")], { stdio: ["ignore", "pipe", "pipe"] });
  programs.add(child);
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  const done = new Promise((resolve) => child.on("exit", (code) => resolve({ code, said })));
  return { done, record: join(folder, "game.table"), stop: () => child.kill(), said: () => said };
}

export const begin = async (pages) => {
  await pages[0].waitForSelector("#begin:not([disabled])");
  await pages[0].click("#begin");
  await Promise.all(pages.map((page) => page.waitForSelector(".table")));
};

/** The player of a page takes any action, until the game ends or `until` events have happened. */
export const plays = (page, seed, until = Infinity) =>
  page.evaluate(async ([seed, until]) => {
    let state = seed;
    const below = (n) => ((state = (Math.imul(state, 1103515245) + 12345) >>> 0), Math.floor((state / 4294967296) * n));
    const events = () => Number(document.querySelector(".trust span:last-child")?.textContent.match(/\d+/)?.[0] ?? 0);
    const idle = (ms) => new Promise((done) => setTimeout(done, ms));
    for (let before = -1; !document.querySelector("#end, #banner.bad") && events() < until; await idle(5)) {
      if (!document.querySelector("#prompt .prompt.mine") || events() === before) continue;
      const rows = [...document.querySelectorAll(".act-row")];
      if (!rows.length) continue;
      before = events();
      rows[below(rows.length)].click();
      for (let i = 0; i < 40 && events() === before; i++) await idle(5);
      before = -1;
    }
    return events();
    // A page that is loaded again or closed stops playing; the caller checks the result elsewhere.
  }, [seed, until === Infinity ? 1e9 : until]).catch(() => 0);

/** How the others are reached, as the trust panel says it. */
export async function ways(page) {
  await page.click("[data-do=trust], .endp .verdict .link");
  const ways = await page.locator("#trust .way").allTextContents();
  await page.keyboard.press("Escape");
  return ways;
}

export async function reached(page, way, count) {
  await page.click("[data-do=trust]");
  await page.waitForFunction(([way, count]) => [...document.querySelectorAll("#trust .way")].filter((tag) => tag.textContent === way).length === count, [way, count]);
  await page.keyboard.press("Escape");
}

/** A file that a page saves. */
export async function saved(page, selector) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(selector)]).catch(async (error) => { await shot(page, "not-saved"); throw error; });
  return readFileSync(await file.path());
}

/** What the program says of a file. */
export function verify(name, bytes) {
  const file = `${RECORDS}/${name}.table`;
  writeFileSync(file, bytes);
  return execFileSync(process.env.PENTARCHY, ["verify", file], { encoding: "utf8" });
}

/** The script of a page forges what it does next; false if it cannot, as what is shipped. */
export async function forges(page, what) {
  const can = await page.evaluate(async (what) => {
    const client = await import(document.querySelector("link[rel=modulepreload]").href);
    return client.forge ? (client.forge(what), true) : false;
  }, what);
  if (!can) ensure(shipped, "the page that is tested can forge");
  if (!can) console.log("     what is shipped cannot forge anything");
  return can;
}

/** A page says that Mallory has cheated, and anybody who has its file says so, too. */
export async function convicted(page, name, { shots, because = "" } = {}) {
  await page.click("[data-do=trust]");
  equal(await page.textContent("#verdict"), "Something is wrong", "the verdict");
  const file = await saved(page, "#evidence");
  const said = verify(name, file);
  ensure(said.includes("Mallory") && said.includes(because), `the program names the cheater: ${said}`);
  if (shots) {
    await shot(page, "trust-cheat");
    await accessible(page, "the trust panel after a cheat", "#trust");
  }
  if (shots ?? true) console.log(`     ${said.trim().split("\n").join(" ")}`);
  await page.keyboard.press("Escape");
  return file;
}

/** All pages are at the end screen, with the same state, and the record of each is accepted. */
export async function ended(pages, name) {
  await Promise.all(pages.map((page) => page.waitForSelector("#end")));
  let first;
  for (const [i, page] of pages.entries()) {
    // A player who came back sees a dialog about their absence.
    if (await page.locator(".scrim").count()) await page.keyboard.press("Escape");
    const said = verify(`${name}-${i}`, await saved(page, "#save"));
    await page.click(".endp .verdict .link");
    const here = await page.getAttribute("#digest", "data-digest");
    equal(await page.textContent("#verdict"), "All players agree", `what page ${i} says of the others`);
    await page.keyboard.press("Escape");
    first ??= here;
    equal(here, first, `the digest of page ${i}`);
    if (!i) console.log(`     ${name}: ${said.trim().split("\n").join(" ")}`);
  }
}

/** The signed record of a game of two opens in any page, without a network: verified, and shown as those saw it who watched. */
export async function opens(browser, url, bytes) {
  for (const size of [undefined, PHONE]) {
    const page = await open(browser, url, size ? { size } : {});
    const shots = size ? "-phone" : "";
    await page.waitForLoadState("networkidle");
    await page.context().setOffline(true);
    for (const [change, says] of size ? [] : [
      [(file) => (file[file.length - 300] ^= 1, file), /^Do not trust this record. It is correct up to event \d+; what follows is wrong: a message that (Ada|Ben) has not signed\.$/],
      [(file) => file.subarray(0, file.length / 2), /^This signed record is damaged or incomplete and cannot be read \(it breaks off\)\.$/],
    ]) {
      await drop(page, change(Buffer.from(bytes)), "bad.table");
      await page.waitForFunction((says) => new RegExp(says).test(document.querySelector(".notice p")?.textContent), says.source);
      if (says.source.includes("holds")) await shot(page, "signed-bad");
      ensure(await page.isVisible(".home-pg"), "what is wrong is not shown");
    }
    await drop(page, bytes, "game.table");
    await page.waitForSelector(".notice:has-text('Verified')");
    await page.waitForSelector(".table");
    ensure(/Ada|Ben/.test(await page.textContent("#seats")), "the seats have the players' names");
    equal(await page.locator("#hand [data-key]").count(), 0, "cards in a hand that nobody has shown");
    await shot(page, `signed-replay${shots}`);
    await page.click(".notice button:has-text('Who signed it')");
    equal(await page.textContent("#verdict"), "Everything is correct", "the verdict");
    ensure(/Ada and Ben signed the result/.test(await page.textContent("#ending")), "who signed");
    await accessible(page, "the trust panel of a record", "#trust");
    await legible(page, "the trust panel of a record");
    await shot(page, `signed-trust${shots}`);
    equal(Buffer.compare(await saved(page, "#signed"), bytes), 0, "the record that is saved again");
    await page.keyboard.press("Escape");
    if (size) await page.click("[data-do='tab replay']");
    await page.click("#replay [aria-label=Live]");
    equal(await page.textContent("#replay b"), "The end", "where the replay ends");
    if (size) await page.click("[data-do='tab replay']");
    await page.click("[data-do=end]");
    ensure(/signed by Ada and Ben/.test(await page.textContent("#end .verdict")), "the end says who signed");
    await fits(page, "the end of a signed record");
    await shot(page, `signed-end${shots}`);
    // It asks the server whether there is a club; everything else needs no network.
    expects(page, /ERR_INTERNET_DISCONNECTED/);
    await close(page);
  }
}
