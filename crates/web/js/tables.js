// Tables with others, in this browser: one row a table, one row an item of its log. What a seat signs is written
// before it is sent, and is there again after a crash.
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

const write = async (stores, work, durability = "strict") => {
  const db = await open();
  await new Promise((done, fail) => {
    const change = db.transaction(stores, "readwrite", { durability });
    change.oncomplete = () => done();
    change.onerror = change.onabort = () => fail(change.error ?? new Error("the browser's storage is full"));
    work(...stores.map((store) => change.objectStore(store)));
    change.commit?.();
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

const items = (id) => IDBKeyRange.bound([id, 0], [id, Infinity]);

export const keep = (id, about) => write(["tables"], (tables) => tables.put(about, id));
// What others have signed they have, too: only what this seat is about to send has to outlive a failure of the machine.
// Whatever was written before it then does, too.
export const append = (id, from, list, own) =>
  write(["log"], (log) => list.forEach((item, i) => log.put(item, [id, from + i])), own ? "strict" : "relaxed");
export const forget = (id) => write(["tables", "log"], (tables, log) => {
  tables.delete(id);
  log.delete(items(id));
});
export const find = (id) => read("tables", (tables) => tables.get(id));
export const list = () => read("tables", (tables) => tables.getAll());
export const load = (id) => read("log", (log) => log.getAll(items(id)));

// Two windows must not sign for one seat: the first holds the table until it is closed.
export const hold = (id) => new Promise((done) => {
  if (!navigator.locks) return done(true);
  navigator.locks.request(`pentarchy ${id}`, { ifAvailable: true }, (lock) => {
    done(!!lock);
    return lock && new Promise(() => {});
  });
});

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

// A server that does not answer in this time, in milliseconds, is not waited for.
const PATIENCE = 3000;

export const ask = async (verb, address, owner, body) => {
  const headers = owner ? { authorization: `Bearer ${owner}` } : {};
  const answer = await fetch(address, { method: verb, headers, body: body || undefined, signal: AbortSignal.timeout(PATIENCE) });
  return answer.ok ? answer.text() : Promise.reject(new Error(`the server says ${answer.status}`));
};
