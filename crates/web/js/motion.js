// Moves by comparing: what was there before, what is there now, and the way between them as an animation.
const EASE = "cubic-bezier(.2,.8,.2,1)";
const running = new Set();

const all = (root, name) => root.querySelectorAll(`[${name}]`);

export function remember(root) {
  // Whatever still counts has arrived.
  for (const move of running) move.counts && move.finish();
  const places = new Map(), numbers = new Map(), dice = new Map();
  for (const e of all(root, "data-token")) places.set(e.dataset.token, e.getBoundingClientRect());
  for (const e of all(root, "data-tick")) numbers.set(e.dataset.tick, e.textContent);
  for (const e of all(root, "data-die")) dice.set(e.dataset.die, e.textContent);
  return { places, numbers, dice };
}

function run(element, frames, options, done = () => {}) {
  const animation = element.animate(frames, options);
  running.add(animation);
  animation.finished.catch(() => {}).finally(() => { running.delete(animation); done(); });
}

export function animate(root, before, ms, still) {
  for (const e of all(root, "data-token")) {
    const old = before.places.get(e.dataset.token);
    const now = e.getBoundingClientRect();
    if (!old) {
      if (before.places.size && !still) run(e, [{ opacity: 0 }, { opacity: 1 }], { duration: ms, easing: EASE });
      continue;
    }
    const dx = old.left - now.left, dy = old.top - now.top;
    if (Math.abs(dx) + Math.abs(dy) < 2 || !now.width) continue;
    if (still) {
      mark(e);
    } else if (e instanceof SVGElement) {
      // The drawing's own units: the way on the screen divided by the scale of the drawing.
      const m = e.ownerSVGElement?.getScreenCTM();
      const s = m ? m.a : 1;
      run(e, [{ transform: `translate(${dx / s}px,${dy / s}px)` }, { transform: "none" }], { duration: ms, easing: EASE, composite: "add" });
    } else {
      const k = old.width / now.width || 1;
      run(e, [
        { transform: `translate(${dx}px,${dy}px) scale(${k})`, transformOrigin: "0 0", zIndex: 30 },
        { transform: "none", transformOrigin: "0 0", zIndex: 30 },
      ], { duration: ms, easing: EASE });
    }
  }
  for (const e of all(root, "data-tick")) {
    const old = before.numbers.get(e.dataset.tick);
    const [was, is] = [number(old), number(e.textContent)];
    if (Number.isNaN(was) || Number.isNaN(is) || was === is) continue;
    if (still) mark(e);
    else { differ(e, is - was, ms); count(e, was, is, ms); }
  }
  for (const e of all(root, "data-die")) {
    const shows = e.textContent;
    // A token is a private die: its name is new after each cast, and a hidden one tumbles too.
    if ((shows === "?" && !e.dataset.token) || before.dice.get(e.dataset.die) === shows) continue;
    still ? mark(e) : tumble(e, 3 * ms);
  }
}

// The dice of a report tumble in place, each when its part appears.
export function roll(report, ms) {
  for (const e of all(report, "data-die")) {
    const part = e.closest("[class*=step]"), face = e.querySelector(".num") ?? e, shows = face.textContent;
    const sides = Number(e.dataset.sides), delay = part ? 1000 * parseFloat(getComputedStyle(part).animationDelay) : 0;
    const turn = () => (face.textContent = 1 + Math.floor(Math.random() * sides));
    let changes = 0;
    const began = setTimeout(() => (changes = setInterval(turn, 70)), delay);
    const lies = () => { clearTimeout(began); clearInterval(changes); face.textContent = shows; };
    setTimeout(lies, delay + 0.75 * ms);
    const way = [{ transform: "rotate(-540deg) scale(.5)" }, { transform: "rotate(12deg) scale(1.08)", offset: 0.75 }, { transform: "none" }];
    run(e, way, { duration: ms, delay, easing: EASE }, lies);
  }
}

const number = (text) => parseInt(text?.replace("−", "-"), 10);

// With nothing moving, a ring marks what changed for a second.
function mark(e) {
  const ring = { outline: "2px solid var(--text)", outlineOffset: "2px" };
  run(e, [ring, ring], { duration: 1000 });
}

// A number counts from what it was to what it is. What it is stands in the page again before anything else changes.
function count(e, was, is, ms) {
  const text = e.firstChild, shown = text?.data;
  if (e.childNodes.length !== 1 || shown !== String(is)) return;
  const began = performance.now();
  const move = { counts: true, finish: () => { running.delete(move); text.data = shown; } };
  running.add(move);
  const step = (now) => {
    if (!running.has(move)) return;
    const part = (now - began) / (1.5 * ms);
    if (part >= 1) return move.finish();
    text.data = String(Math.round(was + (is - was) * Math.max(0, part)));
    requestAnimationFrame(step);
  };
  text.data = String(was);
  requestAnimationFrame(step);
}

/** The pills that are shown, by the number that they stand at. */
const pills = new Map();

// The change of a number stands beside it for a second; further changes in that time are added to it. The small numbers
// of a seat only count: a pill would lie over the name or the score.
function differ(e, by, ms) {
  const box = e.getBoundingClientRect(), name = e.dataset.tick, seat = e.closest(".player");
  if (!box.width || (seat && !e.classList.contains("num"))) return;
  const sum = by + (pills.get(name)?.sum ?? 0);
  pills.get(name)?.note.remove();
  pills.delete(name);
  if (!sum) return;
  const note = document.createElement("span");
  note.className = "delta " + (sum > 0 ? "up" : "dn");
  note.setAttribute("aria-hidden", "true");
  note.textContent = sum > 0 ? `+${sum}` : `−${-sum}`;
  document.body.append(note);
  // Left of a score if the name leaves room there, else above it; right of any other number.
  const label = seat?.querySelector(".nm"), wide = note.offsetWidth;
  let [left, top] = [box.right + 4, box.top - 6];
  if (seat) {
    const range = document.createRange();
    range.selectNodeContents(label);
    const free = box.left - wide - 6 > Math.min(range.getBoundingClientRect().right, label.getBoundingClientRect().right) + 4;
    [left, top] = free ? [box.left - wide - 6, (box.top + box.bottom - note.offsetHeight) / 2] : [box.right - wide, seat.getBoundingClientRect().top - note.offsetHeight + 4];
  }
  note.style.left = `${Math.min(left, innerWidth - wide - 4)}px`;
  note.style.top = `${top}px`;
  const pill = { note, sum };
  pills.set(name, pill);
  run(note, [{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], Math.max(500, ms * 4), () => {
    note.remove();
    if (pills.get(name) === pill) pills.delete(name);
  });
}

// A die rolls in and shows one side after the other, until it lies. What tumbles is a likeness of it: the die itself
// says its value from the beginning, to those who listen.
function tumble(e, ms) {
  const box = e.getBoundingClientRect();
  if (!box.width) return;
  const like = e.cloneNode(true), face = like.querySelector(".num") ?? like;
  for (const name of ["data-die", "data-token", "data-key", "tabindex"]) like.removeAttribute(name);
  like.setAttribute("aria-hidden", "true");
  like.classList.add("tumbles");
  Object.assign(like.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
  document.body.append(like);
  const sides = Number(e.dataset.sides);
  // A drawing with pips keeps them; a number changes while the die tumbles.
  const changes = sides > 2 && !like.querySelector("svg .dface");
  const turn = changes && setInterval(() => (face.textContent = 1 + Math.floor(Math.random() * sides)), 70);
  const shows = face.textContent;
  setTimeout(() => { clearInterval(turn); if (changes) face.textContent = shows; }, ms * 0.7);
  const way = sides === 2
    ? [{ transform: "translateY(0) scaleX(1)" }, ...[0, 1, 2, 3, 4, 5].map((i) => ({ transform: `translateY(${-60 + 10 * i}px) scaleX(${i % 2 ? 1 : 0.05})` })), { transform: "none" }]
    : [{ transform: "translate(-150px,-60px) rotate(-540deg)", opacity: 0 }, { opacity: 1, offset: 0.15 }, { transform: "translate(12px,4px) rotate(14deg)", offset: 0.75 }, { transform: "none" }];
  run(like, way, { duration: ms, easing: sides === 2 ? "linear" : EASE }, () => { clearInterval(turn); like.remove(); });
  run(e, [{ opacity: 0 }, { opacity: 0 }], { duration: ms });
}

export function finish() {
  for (const move of running) move.finish();
}

/** Scrolls a piece, wherever it is drawn, into view if a part of it is hidden. */
export function reveal({ dataset: { key } }) {
  for (const e of document.querySelectorAll(`[data-key="${CSS.escape(key)}"]`)) e.scrollIntoView({ block: "nearest", inline: "nearest" });
}
