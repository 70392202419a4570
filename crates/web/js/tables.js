// Tables with others, in this browser: one row a table, one row an item of its log. What a seat signs is written
// before it is sent, and is there again after a crash. A table has a generation, which a tab raises when it opens the
// table: a tab of an older generation can write no more, so two tabs never sign different messages for one place.
import { lose } from "./tabs.js";

let opened;
const open = () => opened ??= new Promise((done, fail) => {
  const request = indexedDB.open("pentarchy-tables", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("tables");
    request.result.createObjectStore("log");
  };
  request.onsuccess = () => done(request.result);
  request.onerror = () => { opened = undefined; fail(request.error); };
});

const stale = () => new Error("stale");

const write = async (work, durability = "strict") => {
  const db = await open();
  return new Promise((done, fail) => {
    const change = db.transaction(["tables", "log"], "readwrite", { durability });
    let result, error;
    change.oncomplete = () => done(result);
    // A row that is there already was written by another tab.
    change.onerror = ({ target }) => fail(target.error?.name === "ConstraintError" ? stale() : target.error);
    change.onabort = () => fail(error ?? change.error ?? new Error("the browser's storage is full"));
    // What comes of a request is handled here, so that a failure is the transaction's.
    const then = (request, next) => {
      request.onsuccess = () => {
        try { result = next(request.result); } catch (thrown) { error = thrown; change.abort(); }
      };
    };
    work(change.objectStore("tables"), change.objectStore("log"), then);
  });
};

const read = async (store, work) => {
  const db = await open();
  return new Promise((done, fail) => {
    const request = work(db.transaction(store, "readonly").objectStore(store));
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
};

const items = (id, from = 0) => IDBKeyRange.bound([id, from], [id, Infinity]);
const generation = (id) => [id, -1];

// How often a tab looks whether another one has opened its table, in milliseconds: messages between tabs may get lost.
const HEARTBEAT = 2000;

// Opens a table: its new generation. The tab stops when another one opens the table.
export const claim = async (id) => {
  const mine = await write((_, log, then) => then(log.get(generation(id)), (last = 0) => {
    log.put(last + 1, generation(id));
    return last + 1;
  }));
  const beat = setInterval(async () => {
    const last = await read("log", (log) => log.get(generation(id))).catch(() => mine);
    if (!(last > mine)) return;
    clearInterval(beat);
    lose(id);
  }, HEARTBEAT);
  return mine;
};

// Writes if `mine` is the generation of the table, or if there is none and the table was never opened; else fails with
// "stale" and writes nothing.
const fenced = (id, mine, work, durability) => write((tables, log, then) => then(log.get(generation(id)), (last) => {
  if (last !== mine) throw stale();
  work(tables, log);
}), durability);

export const keep = (id, about, mine) => fenced(id, mine, (tables) => tables.put(about, id));
// What others have signed they have, too: only what this seat is about to send has to outlive a failure of the machine.
// Whatever was written before it then does, too.
export const append = (id, from, list, own, mine) =>
  fenced(id, mine, (_, log) => list.forEach((item, i) => log.add(item, [id, from + i])), own ? "strict" : "relaxed");
export const forget = (id) => write((tables, log) => {
  tables.delete(id);
  log.delete(items(id, -1));
});
export const find = (id) => read("tables", (tables) => tables.get(id));
export const list = () => read("tables", (tables) => tables.getAll());
export const load = (id) => read("log", (log) => log.getAll(items(id)));

export const random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without https there is no clipboard to write to, but there is the old way.
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

export function save(name, bytes) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Where the server is: the address of the page without the place within it.
export const server = () => location.href.replace(/[#?].*$/, "").replace(/\/t\/[^/]*$/, "").replace(/\/(index\.html)?$/, "");
export const href = () => location.href;
export const go = (address) => location.assign(address);
export const reload = () => location.reload();

// A server that does not answer in this time, in milliseconds, is not waited for.
const PATIENCE = 3000;

export const ask = async (address) => {
  const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
  return answer.ok ? answer.text() : Promise.reject(new Error(`the server says ${answer.status}`));
};
