// One game is played in one tab at a time. Tabs ask each other; this works without a secure context, too. What is not
// heard, because a tab sleeps, is caught by the store: it refuses what a tab writes after another has taken over.
const channel = globalThis.BroadcastChannel && new BroadcastChannel("pentarchy");
let here = "", stop = () => {};
const waiting = new Map();

// Another tab has the game of this name: this one stops.
export const lose = (id) => { if (id === here) { here = ""; stop(); } };

if (channel) channel.onmessage = ({ data }) => {
  if (data.ask && data.id === here) channel.postMessage({ answer: data.ask });
  if (data.answer) waiting.get(data.answer)?.();
  if (data.take) lose(data.id);
};

const WAIT = 400;

// Whether another tab plays this game.
export const played_elsewhere = (id) => new Promise((done) => {
  if (!channel) return done(false);
  const ask = Math.random().toString(36);
  const end = (answer) => { waiting.delete(ask); done(answer); };
  waiting.set(ask, () => end(true));
  channel.postMessage({ ask, id });
  setTimeout(() => end(false), WAIT);
});

// This tab plays the game; `lost` is called when another tab takes it over. No name: it plays none.
export const play_here = (id, lost) => { [here, stop] = [id, lost]; };

// Tells the tab that plays the game to stop, and gives it the time to write its last events.
export const take_over = (id) => new Promise((done) => {
  channel?.postMessage({ take: true, id });
  setTimeout(done, channel ? WAIT : 0);
});
