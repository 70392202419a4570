// The bots' worker: the same module, which here only thinks.
import init, { think } from "./app.js";
const ready = init();
onmessage = async (message) => {
  await ready;
  postMessage(think(message.data));
};
