// Installs the service worker, so that the page works without a network, and offers a new build between games.
const BUILD = new URL(import.meta.url).pathname.split("/").at(-2);
/** In milliseconds: the page comes first, because the worker loads all files again; and how often to look for a build. */
const PAUSE = 2000, AGAIN = 3600000;
const root = document.documentElement;

/** Whether a game is on the screen: then nothing may be reloaded. */
const isPlaying = () => root.dataset.game !== "";

let isPutOff = false;

/** Asks a worker that waits whether it belongs to another build. */
const isOther = (worker) => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => done(true);
  worker.postMessage(BUILD, [port2]);
});

function offer(registration) {
  const shown = document.getElementById("new-build");
  if (isPlaying() || isPutOff || !registration.waiting) return shown?.remove();
  if (shown) return;
  const box = document.createElement("div");
  box.id = "new-build";
  box.className = "notice";
  box.setAttribute("role", "status");
  box.innerHTML = `<p>A new version of this page is ready.</p><button class="btn go" id="new-build-load">Reload</button><button class="btn" id="new-build-later">Later</button>`;
  box.querySelector("#new-build-later").onclick = () => { isPutOff = true; box.remove(); };
  box.querySelector("#new-build-load").onclick = () => {
    const worker = registration.waiting;
    if (!worker) return location.reload();
    worker.onstatechange = () => worker.state === "activated" && location.reload();
    worker.postMessage("activate");
  };
  document.body.append(box);
}

export async function install() {
  // Browsers have no service workers for pages that come over plain http from another machine.
  if (!navigator.serviceWorker) return;
  await new Promise((done) => setTimeout(done, PAUSE));
  // Fails without a network, and where the player forbids it.
  const registration = await navigator.serviceWorker.register("/service-worker.js").catch(() => null);
  if (!registration) return;
  const look = async () => {
    if (registration.waiting && (await isOther(registration.waiting))) offer(registration);
  };
  registration.addEventListener("updatefound", () => registration.installing?.addEventListener("statechange", look));
  new MutationObserver(look).observe(root, { attributeFilter: ["data-game"] });
  // Pages may be open for days.
  setInterval(() => registration.update().catch(() => {}), AGAIN);
  await look();
}
