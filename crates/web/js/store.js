// Games in this browser: one row a game, one row an event, so that saving an event writes only that event.
let opened;
const open = () => opened ??= new Promise((done, fail) => {
  const request = indexedDB.open("pentarchy", 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore("games");
    request.result.createObjectStore("events");
  };
  request.onsuccess = () => done(request.result);
  request.onerror = () => { opened = undefined; fail(request.error); };
});

const write = async (work) => {
  const db = await open();
  await new Promise((done, fail) => {
    const change = db.transaction(["games", "events"], "readwrite");
    change.oncomplete = () => done();
    change.onerror = change.onabort = () => fail(change.error ?? new Error("the browser's storage is full"));
    work(change.objectStore("games"), change.objectStore("events"));
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

const events = (id, from) => IDBKeyRange.bound([id, from], [id, Infinity]);

// Keeps the first `from` events of a game and writes those that follow.
export const save = (id, about, from, lines) => write((games, log) => {
  games.put(about, id);
  log.delete(events(id, from));
  lines.forEach((line, i) => log.put(line, [id, from + i]));
});

export const remove = (id) => write((games, log) => {
  games.delete(id);
  log.delete(events(id, 0));
});

export const list = () => read("games", (games) => games.getAll());
export const load = (id) => read("events", (log) => log.getAll(events(id, 0)));
