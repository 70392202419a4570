// Requests to the notifications of the server, and the push subscription of this browser.

// The status of the response, and its text. The browser completes the request also when the page is left. Fails if there
// is no response within `patience` milliseconds.
export const request = async (verb, address, authorization, body, patience) => {
  const headers = authorization ? { authorization } : {};
  const answer = await fetch(address, { method: verb, headers, body: body || undefined, keepalive: true, signal: AbortSignal.timeout(patience) });
  return [answer.status, await answer.text()];
};

/** How long to wait for the service worker, in milliseconds. It is installed some time after the page. */
const PATIENCE = 15000;

export const canPush = () => Boolean(navigator.serviceWorker && globalThis.PushManager && globalThis.Notification);

// The push subscription of this browser as JSON, empty if there is none.
export async function pushed() {
  const registration = canPush() && (await navigator.serviceWorker.getRegistration());
  const subscription = registration && (await registration.pushManager.getSubscription());
  return subscription ? JSON.stringify(subscription) : "";
}

// Subscribes this browser with the key of the server, and asks the player if the browser has not yet.
export async function push(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error("this browser does not allow notifications of this site: change that in its settings for the site");
  const late = new Promise((_, fail) => setTimeout(() => fail(new Error("the page is not installed in this browser yet: try again in a minute")), PATIENCE));
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, late]);
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const known = await pushManager.getSubscription();
  const subscription = await pushManager.subscribe(wanted).catch(async (error) => {
    // It belongs to another key: of this server before it was set up again.
    if (!known) throw error;
    await known.unsubscribe();
    return pushManager.subscribe(wanted);
  });
  return JSON.stringify(subscription);
}
