// The last resort: what is shown when the program itself has failed. It must not need the program.
import { load, list } from "./store.js";
import { download } from "./files.js";

export function fatal(message, id) {
  if (document.getElementById("fatal")) return;
  const box = document.createElement("div");
  box.id = "fatal";
  box.className = "scrim";
  box.innerHTML = `<div class="dialog fatal" role="alertdialog" aria-labelledby="fatal-t"><h2 class="title" id="fatal-t">Something broke in this page</h2>
<p>Your game is saved up to the last event. Load the page again to go on from there; the record helps us to find the fault.</p><pre></pre>
<div class="acts"><button class="btn" id="fatal-save">Save the record</button><button class="btn go" id="fatal-again">Load again</button></div></div>`;
  box.querySelector("pre").textContent = message;
  document.body.append(box);
  box.querySelector("#fatal-again").onclick = () => location.reload();
  box.querySelector("#fatal-again").focus();
  box.querySelector("#fatal-save").onclick = async () => {
    const about = (await list()).map((text) => JSON.parse(text)).find((about) => about.id === id);
    const lines = about ? [about.header, ...(await load(id))] : [];
    download("pentarchy-report.jsonl", lines.join("\n") + "\n");
  };
}
