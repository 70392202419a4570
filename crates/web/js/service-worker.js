// Makes the page work without a network. The bundler writes the name of the build and its files into this text. The files
// of a build have its name in their paths and never change, so they come from the cache first; the page comes from the
// network first. Everything else, the tables of others above all, is left to the network.
const BUILD = "{made}", FILES = {files};
const CACHE = `pentarchy-${BUILD}`;
/** How long the page waits for the network, in milliseconds. */
const PATIENCE = 5000;

oninstall = (event) => event.waitUntil((async () => {
  const page = await fetch("/", { cache: "no-store" });
  // The server may have got another build since it has sent this worker: the browser tries again later.
  if (!page.ok || !(await page.clone().text()).includes(BUILD)) throw new Error(`the server does not serve ${BUILD}`);
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await cache.put("/", page);
})());

onactivate = (event) => event.waitUntil((async () => {
  // The build before this one stays, because other tabs may still show it.
  const others = (await caches.keys()).filter((name) => name.startsWith("pentarchy-") && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
})());

// A page asks whether this is another build than its own. If it is not, nothing has to be reloaded.
onmessage = ({ data, ports }) => {
  if (data === "activate" || data === BUILD) skipWaiting();
  else ports[0]?.postMessage(BUILD);
};

async function page(request) {
  const late = new Promise((_, fail) => setTimeout(fail, PATIENCE));
  const answer = await Promise.race([fetch(request), late]).catch(() => null);
  if (answer?.ok) return answer;
  return (await caches.match("/", { cacheName: CACHE })) ?? answer ?? Response.error();
}

async function file(path, request) {
  return (await caches.match(path)) ?? fetch(request);
}

onfetch = (event) => {
  const { request } = event, { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || /^\/(api|relay|health)(\/|$)/.test(pathname)) return;
  // Pages within the page refer to files by relative paths.
  const [path] = pathname.match(/\/[0-9a-f]{12}\/.+$/) ?? [];
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (path) event.respondWith(file(path, request));
};

// A message of the server: `docs/server.md`, Web push. Browsers demand that each is shown.
onpush = (event) => event.waitUntil((async () => {
  const { title = "Pentarchy", navigate, ...options } = event.data?.json().notification ?? {};
  await registration.showNotification(title, { ...options, data: navigate });
})());

onnotificationclick = (event) => event.waitUntil((async () => {
  event.notification.close();
  // Only the path counts: a message never leads to another site.
  const { pathname } = new URL(event.notification.data ?? "/", location.origin);
  const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find(({ url }) => new URL(url).pathname === pathname);
  await (open ? open.focus() : clients.openWindow(pathname));
})());
