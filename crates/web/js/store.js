// Games in this browser: one row a game, one row an event, so that saving an event writes only that event. A game has a
// generation, which a tab raises when it begins to play the game: a tab of an older generation can write no more.
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
  return new Promise((done, fail) => {
    const change = db.transaction(["games", "events"], "readwrite");
    let result, error;
    change.oncomplete = () => done(result);
    change.onerror = change.onabort = () => fail(error ?? change.error ?? new Error("the browser's storage is full"));
    // The result of a request is handled here, so that a failure is the transaction's.
    const then = (request, next) => {
      request.onsuccess = () => {
        try { result = next(request.result); } catch (thrown) { error = thrown; change.abort(); }
      };
    };
    work(change.objectStore("games"), change.objectStore("events"), then);
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
const generation = (id) => [id, -1];

// Begins to play a game: its new generation.
export const claim = (id) => write((_, log, then) => then(log.get(generation(id)), (last = 0) => {
  log.put(last + 1, generation(id));
  return last + 1;
}));

// Keeps the first `from` events of a game and writes those that follow. Fails with "stale" and writes nothing if
// another tab has claimed the game since.
export const save = (id, about, from, lines, mine) => write((games, log, then) => then(log.get(generation(id)), (last) => {
  if (last !== mine) throw new Error("stale");
  games.put(about, id);
  log.delete(events(id, from));
  lines.forEach((line, i) => log.put(line, [id, from + i]));
}));

export const remove = (id) => write((games, log) => {
  games.delete(id);
  log.delete(events(id, -1));
});

export const list = () => read("games", (games) => games.getAll());
export const load = (id) => read("events", (log) => log.getAll(events(id, 0)));
