// node run.mjs check <wasm>   the known answers and the hash of the scripted game
// node run.mjs bench <wasm>   the benches, in milliseconds of processor time
import { readFileSync } from 'node:fs';

const [mode, path] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(path), {});
const wasm = instance.exports;
const answer = (at) => new Uint8Array(wasm.memory.buffer, at, wasm.answer_len());

if (mode === 'check') {
  if (wasm.known_answers() !== 1) throw new Error('a known answer came out differently');
  console.log(Buffer.from(answer(wasm.scenario())).toString('hex'));
} else {
  const now = () => process.cpuUsage().user / 1000;
  const n = wasm.prepare();
  for (let i = 0; i < n; i++) {
    const [name, target] = Buffer.from(answer(wasm.name(i))).toString().split('\t');
    for (let warm = now(); now() - warm < 200; ) wasm.run(i);
    const start = now();
    const samples = [];
    while (now() - start < 500 || samples.length < 11) {
      const before = now();
      let repeat = 0;
      do { wasm.run(i); repeat++; } while (now() - before < 5);
      samples.push((now() - before) / repeat);
    }
    samples.sort((a, b) => a - b);
    const allowed = target ? (4.5 * Number(target)).toFixed(2) : '';
    console.log(name.padEnd(58), samples[samples.length >> 1].toFixed(3).padStart(8), allowed.padStart(8));
  }
}
