// The guide's ring and card follow the target: through scrolling, resizing and everything that moves.
const MARGIN = 16, NARROW = "(max-width: 47.5em), (max-height: 34em)";
/** The longest line from the card to its target, in pixels. */
const LONGEST_LINE = 320;
let wanted = [], ring, line, frames = 0, placed = "", running = false, scrolled = null, target = null;

const seen = (e) => {
  const box = e.getBoundingClientRect();
  return box.width > 2 && box.height > 2 && (!e.checkVisibility || e.checkVisibility({ checkOpacity: false, checkVisibilityCSS: true }));
};

function find() {
  for (const selector of wanted)
    for (const e of document.querySelectorAll(selector)) {
      if (seen(e)) return e;
      // A button in a menu that is closed: first the menu is opened.
      const opener = e.closest(".moresheet") && document.querySelector("#prompt .more");
      if (opener && seen(opener)) return opener;
    }
  return null;
}

// The part of a box that is inside everything that scrolls around it.
function inside(e, box) {
  let { left, top, right, bottom } = box;
  for (let parent = e.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
    const { overflowX, overflowY } = getComputedStyle(parent), frame = parent.getBoundingClientRect();
    if (overflowX !== "visible") { left = Math.max(left, frame.left); right = Math.min(right, frame.right); }
    if (overflowY !== "visible") { top = Math.max(top, frame.top); bottom = Math.min(bottom, frame.bottom); }
  }
  return { left: Math.max(0, left), top: Math.max(0, top), right: Math.min(innerWidth, right), bottom: Math.min(innerHeight, bottom) };
}

function mark(next) {
  if (next === target && (!next || next.hasAttribute("data-guide"))) return;
  for (const e of document.querySelectorAll("[data-guide]")) {
    e.removeAttribute("data-guide");
    e.removeAttribute("aria-describedby");
  }
  target = next;
  next?.setAttribute("data-guide", "");
  next?.setAttribute("aria-describedby", "guide-text");
}

const area = (a, b, gap) =>
  Math.max(0, Math.min(a.right + gap, b.right) - Math.max(a.left - gap, b.left)) * Math.max(0, Math.min(a.bottom + gap, b.bottom) - Math.max(a.top - gap, b.top));

// The first corner of the board that touches no target, then no lit piece, then the fewest pieces; else over the log.
function dock(card, box) {
  const board = document.querySelector("#board")?.getBoundingClientRect();
  if (!board) return;
  const { offsetWidth: w, offsetHeight: h } = card;
  const side = document.querySelector(".side")?.getBoundingClientRect() ?? board;
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect()).filter((b) => b.width > 0);
  const lit = boxes("#board .can, #board .rch, .over .can, .over .btn, .over button");
  // Pieces and texts. Both count what they cover, so a sentence is not hidden while there is free room.
  const texts = [...document.querySelectorAll("#board *")].filter((e) => !e.childElementCount && e.textContent.trim());
  const busy = [...boxes("#board [data-key], #board .crp"), ...texts.map((e) => e.getBoundingClientRect())];
  const places = [
    [board.left + MARGIN, board.bottom - h - MARGIN],
    [board.right - w - MARGIN, board.bottom - h - MARGIN],
    [board.left + MARGIN, board.top + MARGIN],
    [board.right - w - MARGIN, board.top + MARGIN],
    [side.left + Math.max(0, (side.width - w) / 2), side.bottom - h - 92],
  ].map(([x, y]) => [Math.min(Math.max(4, x), innerWidth - w - 4), Math.min(Math.max(4, y), innerHeight - h - 4)]);
  const cost = ([x, y], i) => {
    const here = { left: x, top: y, right: x + w, bottom: y + h };
    const sum = (all) => all.reduce((sum, b) => sum + area(here, b, 8), 0);
    return (box ? 1000 * area(here, box, 8) : 0) + 10 * sum(lit) + sum(busy) + (i === 4 ? 4000 : 0) + i;
  };
  const best = places.map((place, i) => [cost(place, i), place]).sort((a, b) => a[0] - b[0])[0][1];
  card.style.left = `${best[0]}px`;
  card.style.top = `${best[1]}px`;
}

/** Draws a dotted line from the card to its target, unless it would be long or cross a lit piece, a button or a text. */
function connect(card, box) {
  line ??= Object.assign(document.createElement("div"), { className: "guide-line" });
  if (!line.isConnected) { line.setAttribute("aria-hidden", "true"); document.body.append(line); }
  line.hidden = true;
  if (!box) return;
  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const near = (frame, [x, y]) => [clamp(x, frame.left, frame.right), clamp(y, frame.top, frame.bottom)];
  const middle = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  const from = near(card.getBoundingClientRect(), middle), to = near(box, from);
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy);
  if (length < 12 || length > LONGEST_LINE) return;
  const texts = [...document.querySelectorAll("#board *, .over *, .dock *")].filter((e) => !e.childElementCount && e.textContent.trim());
  const lit = document.querySelectorAll("#board .can, .over .can, .dock button, .dock .card");
  const others = [...lit, ...texts].filter((e) => e !== target && !e.contains(target) && !target?.contains(e)).map((e) => e.getBoundingClientRect());
  const steps = Math.ceil(length / 8);
  for (let i = 0; i <= steps; i++) {
    const [x, y] = [from[0] + (dx * i) / steps, from[1] + (dy * i) / steps];
    if (others.some((b) => x > b.left && x < b.right && y > b.top && y < b.bottom)) return;
  }
  line.hidden = false;
  line.style.width = `${length}px`;
  line.style.transform = `translate(${from[0]}px,${from[1]}px) rotate(${Math.atan2(dy, dx)}rad)`;
}

function frame() {
  const card = document.querySelector("#guide");
  if (!card) return stop();
  const e = find();
  mark(e);
  if (e && e !== scrolled) {
    // Into sight first, if part of it is not.
    scrolled = e;
    const box = e.getBoundingClientRect(), part = inside(e, box);
    const fits = box.width <= innerWidth && box.height < innerHeight / 2;
    const least = (size) => (fits ? size : Math.min(size, 40)) - 1;
    if (part.right - part.left < least(box.width) || part.bottom - part.top < least(box.height)) e.scrollIntoView({ block: "center", inline: "center" });
  }
  const box = e && inside(e, e.getBoundingClientRect());
  const shown = box && box.right - box.left > 2 && box.bottom - box.top > 2;
  ring ??= Object.assign(document.createElement("div"), { className: "guide-ring" });
  if (!ring.isConnected) { ring.setAttribute("aria-hidden", "true"); document.body.append(ring); }
  ring.hidden = !shown;
  if (shown) {
    const gap = e.closest("#board, #hand") && box.right - box.left < 500 ? 3 : 1;
    ring.style.transform = `translate(${box.left - gap}px,${box.top - gap}px)`;
    ring.style.width = `${box.right - box.left + 2 * gap}px`;
    ring.style.height = `${box.bottom - box.top + 2 * gap}px`;
  }
  const board = document.querySelector("#board")?.getBoundingClientRect();
  const now = [card.dataset.step, card.offsetWidth, card.offsetHeight, innerWidth, innerHeight, board && [board.left, board.top, board.width, board.height].map(Math.round), shown && [box.left, box.top, box.right, box.bottom].map(Math.round), document.querySelectorAll("#board .can").length].join();
  if (matchMedia(NARROW).matches) {
    card.style.left = card.style.top = "";
    placed = "";
    connect(card, null);
  } else if (now !== placed) {
    placed = now;
    dock(card, shown ? box : null);
    connect(card, shown ? box : null);
  } else if (++frames % 15 === 0) {
    // Texts may have moved below the line.
    connect(card, shown ? box : null);
  }
  requestAnimationFrame(frame);
}

function stop() {
  running = false;
  placed = "";
  scrolled = null;
  mark(null);
  ring?.remove();
  line?.remove();
}

// Points at the first of these that is to be seen, as long as the guide's card is there.
export function point(selectors) {
  wanted = selectors;
  scrolled = null;
  if (!running) {
    running = true;
    requestAnimationFrame(frame);
  }
}
