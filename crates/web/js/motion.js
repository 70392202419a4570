// Moves by comparing: where a thing was, where it is, and the way between them as an animation.
const EASE = "cubic-bezier(.2,.8,.2,1)";
const running = new Set();

const all = (root, name) => root.querySelectorAll(`[${name}]`);

export function remember(root) {
  const places = new Map(), numbers = new Map();
  for (const e of all(root, "data-token")) places.set(e.dataset.token, e.getBoundingClientRect());
  for (const e of all(root, "data-tick")) numbers.set(e.dataset.tick, e.textContent);
  return { places, numbers };
}

function run(element, frames, options) {
  const animation = element.animate(frames, options);
  running.add(animation);
  animation.finished.catch(() => {}).finally(() => running.delete(animation));
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
    const was = parseInt(old, 10), is = parseInt(e.textContent, 10);
    if (old === undefined || Number.isNaN(was) || Number.isNaN(is) || was === is) continue;
    still ? mark(e) : tick(e, is - was, ms);
  }
}

// With nothing moving, a ring marks what changed for a second.
function mark(e) {
  const ring = { outline: "2px solid var(--text)", outlineOffset: "2px" };
  run(e, [ring, ring], { duration: 1000 });
}

// The change of a number stands beside it for a second.
function tick(e, by, ms) {
  const box = e.getBoundingClientRect();
  const note = document.createElement("span");
  note.className = "delta " + (by > 0 ? "up" : "dn");
  note.setAttribute("aria-hidden", "true");
  note.textContent = by > 0 ? `+${by}` : `−${-by}`;
  note.style.left = `${box.right}px`;
  note.style.top = `${box.top}px`;
  document.body.append(note);
  const animation = note.animate([{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], Math.max(500, ms * 4));
  running.add(animation);
  animation.finished.catch(() => {}).finally(() => { running.delete(animation); note.remove(); });
}

export function finish() {
  for (const animation of running) animation.finish();
}
