// The bots' worker: the same module, which here only thinks.
import init, { think } from "./app.js";
const ready = init({ module_or_path: new URL("./app_bg.wasm", import.meta.url) });
onmessage = async ({ data }) => {
  try {
    await ready;
    postMessage(think(data));
  } catch (error) {
    // Reply with an error, so that the page does not wait without end.
    postMessage(JSON.stringify({ id: JSON.parse(data).id, thought: { Err: `the bot failed: ${error}` } }));
  }
};
