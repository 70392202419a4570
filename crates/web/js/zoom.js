// Maps come nearer: wheel, two fingers, buttons and keys zoom, dragging pans. A map is a box that scrolls, and what
// is in it is as large as the zoom says: so focus, fingers and screen readers find their way by themselves.
const [MOST, STEP] = [4, 1.3];
/** The least level to which the map goes by itself, so that fingers still find its pieces. */
const LEAST = 0.7;
const known = new WeakSet();
/** Maps that are still shown as a whole, as they open on a narrow screen. */
const overviews = new WeakSet();

const level = (box) => Number(box.style.getPropertyValue("--zoom")) || 1;

/** The level at which the whole map is seen. */
function whole(box) {
  const map = box.firstElementChild, now = level(box);
  return Math.min(1, (box.clientWidth * now) / map.offsetWidth, (box.clientHeight * now) / map.offsetHeight);
}

/** Zooms to a level; what is at this point of the screen stays there. */
function zoom(box, wanted, x, y) {
  const frame = box.getBoundingClientRect(), map = box.firstElementChild;
  const [left, top] = x === undefined ? [frame.width / 2, frame.height / 2] : [x - frame.left, y - frame.top];
  const [across, down] = [(box.scrollLeft + left) / map.offsetWidth, (box.scrollTop + top) / map.offsetHeight];
  overviews.delete(box);
  box.style.setProperty("--zoom", Math.min(MOST, Math.max(whole(box), wanted)).toFixed(3));
  box.scrollTo(across * map.offsetWidth - left, down * map.offsetHeight - top);
  box.classList.toggle("near", map.offsetWidth > box.clientWidth + 1 || map.offsetHeight > box.clientHeight + 1);
}

function listen(box) {
  box.addEventListener("wheel", (event) => {
    // Over a target the wheel changes the number that goes there.
    if (event.target.closest(".amt")) return;
    event.preventDefault();
    zoom(box, level(box) * Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), event.clientX, event.clientY);
  }, { passive: false });

  // Two fingers.
  let pinch = null;
  const fingers = ({ touches: [a, b] }) => ({
    far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) || 1,
    x: (a.clientX + b.clientX) / 2,
    y: (a.clientY + b.clientY) / 2,
  });
  box.addEventListener("touchstart", (event) => {
    pinch = event.touches.length === 2 ? { ...fingers(event), from: level(box) } : null;
  }, { passive: true });
  box.addEventListener("touchmove", (event) => {
    // A finger that drags a piece does not scroll the map.
    if (box.hasAttribute("data-held") && event.cancelable) return event.preventDefault();
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const { far, x, y } = fingers(event);
    box.scrollBy(pinch.x - x, pinch.y - y);
    zoom(box, (pinch.from * far) / pinch.far, x, y);
    [pinch.x, pinch.y] = [x, y];
  }, { passive: false });

  // The mouse; a drag that begins on what can be used is a move in the game.
  let grip = null;
  box.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button || event.target.closest(".can,.sel,.store")) return;
    grip = { x: event.clientX, y: event.clientY, moved: false, id: event.pointerId };
  });
  box.addEventListener("pointermove", (event) => {
    if (!grip) return;
    const [dx, dy] = [grip.x - event.clientX, grip.y - event.clientY];
    if (!grip.moved && Math.abs(dx) + Math.abs(dy) < 6) return;
    if (!grip.moved) box.setPointerCapture(grip.id);
    box.scrollBy(dx, dy);
    Object.assign(grip, { x: event.clientX, y: event.clientY, moved: true });
  });
  const release = () => {
    // The click that ends a drag is none.
    if (grip?.moved) {
      const swallow = (event) => event.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    }
    grip = null;
  };
  box.addEventListener("pointerup", release);
  box.addEventListener("pointercancel", () => (grip = null));
  box.addEventListener("dblclick", (event) => {
    // While pieces of the map can be used, two quick clicks on them are two moves.
    if (event.target.closest("[data-key]") && box.querySelector(".can, .sel, .rch")) return;
    zoom(box, level(box) > whole(box) * 1.05 ? whole(box) : level(box) * 2, event.clientX, event.clientY);
  });
}

/** Scrolls a point of the map, in parts of its size, to the middle. */
const centre = (box, x, y) => {
  const map = box.firstElementChild;
  box.scrollTo(x * map.offsetWidth - box.clientWidth / 2, y * map.offsetHeight - box.clientHeight / 2);
};

/** Whether something could be used when the board was last drawn. */
let wasLit = false;

/** The pieces of a map that can be used. */
const litOf = (box) => [...box.querySelectorAll("[data-key].can, [data-key].rch")];

/** Brings all that can be used into sight, from farther away if need be; if that is too far, at least one piece. */
function showLit(box) {
  const frame = box.getBoundingClientRect(), places = () => litOf(box).map((piece) => piece.getBoundingClientRect());
  const around = (all) => ({
    left: Math.min(...all.map((r) => r.left)), top: Math.min(...all.map((r) => r.top)),
    right: Math.max(...all.map((r) => r.right)), bottom: Math.max(...all.map((r) => r.bottom)),
  });
  const isSeen = (r) => r.right > frame.left + 8 && r.left < frame.right - 8 && r.bottom > frame.top + 8 && r.top < frame.bottom - 8;
  const middle = ({ left, top, right, bottom }) =>
    box.scrollBy((left + right - frame.left - frame.right) / 2, (top + bottom - frame.top - frame.bottom) / 2);
  const all = around(places());
  if (all.left >= frame.left && all.right <= frame.right && all.top >= frame.top && all.bottom <= frame.bottom) return;
  const fitting = level(box) * Math.min(1, (frame.width - 16) / (all.right - all.left), (frame.height - 16) / (all.bottom - all.top));
  if (fitting >= LEAST) {
    zoom(box, fitting);
    middle(around(places()));
  } else if (!places().some(isSeen)) middle(places()[0]);
}

/** The box has another size: the map still fills it, and what can be used stays in sight. */
function resize(box) {
  const isOverview = overviews.has(box);
  if (isOverview || level(box) < whole(box)) zoom(box, whole(box));
  if (isOverview) overviews.add(box);
  else if (litOf(box).length) showLit(box);
}

/** Shows the surroundings of the player's home. */
function goHome(box) {
  const [x, y] = (box.dataset.at ?? "0.5 0.5").split(" ").map(Number);
  zoom(box, 1);
  centre(box, x, y);
}

/** The board has been drawn: a new map is shown as a whole until something on it can be used, then at home. When a turn
 * begins, something that can be used is in sight; during a turn only the player moves the map. */
export function settle(board) {
  const box = board.querySelector(".zoom");
  if (!box) return;
  if (!known.has(box)) {
    known.add(box);
    listen(box);
    new ResizeObserver(() => resize(box)).observe(box);
    goHome(box);
    if (whole(box) < 1) {
      zoom(box, whole(box));
      overviews.add(box);
    }
  }
  const isLit = litOf(box).length > 0;
  if (isLit && overviews.has(box)) goHome(box);
  if (isLit && !wasLit) showLit(box);
  wasLit = isLit;
}

/** The buttons and keys; false if there is no map. */
export function zoomed(how) {
  const box = document.querySelector("#board .zoom");
  if (!box) return false;
  zoom(box, how === "in" ? level(box) * STEP : how === "out" ? level(box) / STEP : whole(box));
  return true;
}
