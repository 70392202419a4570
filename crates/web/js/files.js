// Files in and out of the page.
let heard = () => {};

const blob = (text) => new Blob([text], { type: "application/jsonl" });

export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob(text));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export function share(name, text) {
  const file = new File([blob(text)], name, { type: "text/plain" });
  if (navigator.canShare?.({ files: [file] })) navigator.share({ files: [file], title: name }).catch(() => {});
  else download(name, text);
}

// No record is as large as this; a film dropped by mistake is not read.
const MOST = 256 << 20;
const read = (file) => file?.slice(0, MOST).arrayBuffer().then((bytes) => heard(new Uint8Array(bytes)));

export function pick() {
  const input = document.createElement("input");
  input.type = "file";
  input.onchange = () => read(input.files[0]);
  input.click();
}

// No preset is as large as this.
const MOST_TEXT = 1 << 20;

export function pick_text(accept, chosen) {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = accept;
  input.onchange = () => {
    const file = input.files[0];
    file?.slice(0, MOST_TEXT).text().then((text) => chosen(file.name, text));
  };
  input.click();
}

export function listen(handler) {
  heard = handler;
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
}
