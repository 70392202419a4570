// The identity of this browser and its address book, in a database of their own.
let opened;
const open = () => opened ??= new Promise((done, fail) => {
  const request = indexedDB.open("pentarchy-identity", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("kept");
  request.onsuccess = () => done(request.result);
  request.onerror = () => { opened = undefined; fail(request.error); };
});

// Replaces a row by what `edit` makes of it, in one transaction, so that two tabs never undo each other's changes.
// `edit` returns rows to write as pairs of key and value; the new value of the row is the result.
const change = async (key, edit) => {
  const db = await open();
  return new Promise((done, fail) => {
    const transaction = db.transaction("kept", "readwrite", { durability: "strict" });
    const rows = transaction.objectStore("kept");
    let result;
    transaction.oncomplete = () => done(result);
    transaction.onerror = transaction.onabort = () => fail(transaction.error ?? new Error("the browser's storage is full"));
    const request = rows.get(key);
    request.onsuccess = () => {
      const writes = edit(request.result);
      for (const [at, value] of writes) rows.put(value, at);
      result = writes.find(([at]) => at === key)?.[1] ?? request.result;
    };
  });
};

const IDENTITY = "identity", BOOK = "book";

const row = async (key) => {
  const db = await open();
  return new Promise((done, fail) => {
    const request = db.transaction("kept", "readonly").objectStore("kept").get(key);
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
};

export const stored_identity = () => row(IDENTITY);
// Stores an identity unless there is one; the one that is stored then.
export const create_identity = (text) => change(IDENTITY, (there) => (there === undefined ? [[IDENTITY, text]] : []));
// Stores an identity; whatever was there before, damaged or not, is kept under another key.
export const replace_identity = (text) => change(IDENTITY, (there) =>
  there === undefined || there === text ? [[IDENTITY, text]] : [[`earlier ${Date.now()}`, there], [IDENTITY, text]]);

export const stored_book = () => row(BOOK);
// `edit` gets the text of the address book, or nothing, and returns the new one, or nothing to leave it as it is.
export const change_book = (edit) => change(BOOK, (there) => {
  const next = edit(there);
  return next === undefined ? [] : [[BOOK, next]];
});

// The text of a file that the player chooses; no identity is as large as this.
export const pick_text = () => new Promise((done) => {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => done(input.files[0]?.slice(0, 100_000).text());
  input.click();
});
