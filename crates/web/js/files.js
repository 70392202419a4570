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

export function pick() {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".jsonl,.json,text/plain";
  input.onchange = () => input.files[0]?.text().then(heard);
  input.click();
}

export function listen(handler) {
  heard = handler;
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    event.dataTransfer.files[0]?.text().then(heard);
  });
}
