// Where the offer to undo stands: the first place at the edge of the board, or else the lowest one on it, where it covers
// nothing that can be used and no player's lane.
const MARGIN = 12, STEP = 4;
const touches = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

let sizes;

// The window or the text may change its size, and the board may be scrolled, while the toast is shown. Workers load this
// file, too, and have no windows.
function follow(toast) {
  if (!sizes) {
    sizes = new ResizeObserver(([{ target }]) => place(target));
    const again = () => { const shown = document.querySelector(".toast"); if (shown) place(shown); };
    // A map fits itself into its new box in the next frame.
    addEventListener("resize", () => { again(); requestAnimationFrame(() => requestAnimationFrame(again)); });
    addEventListener("scroll", again, { capture: true, passive: true });
  }
  sizes.observe(toast);
}

export function place(toast) {
  follow(toast);
  const board = document.querySelector("#board")?.getBoundingClientRect();
  if (!board) return;
  const { offsetWidth: wide, offsetHeight: high } = toast;
  const used = "#board .can, #board .rch, #board .sel, #board .store, #board button, #board .lane, #board .own .cards, .zoomer, .over > *, .onTable > *, .bid, .bubble, .stepper, .notice.advice";
  const taken = [...document.querySelectorAll(used)].map((e) => e.getBoundingClientRect()).filter((r) => r.width > 0);
  const columns = [(board.left + board.right - wide) / 2, board.left + MARGIN, board.right - wide - MARGIN];
  const [lowest, highest] = [board.bottom - high - MARGIN, board.top + MARGIN];
  const between = Array.from({ length: Math.max(0, Math.floor((lowest - highest) / STEP)) }, (_, i) => lowest - STEP * (i + 1));
  const spots = [lowest, highest, ...between].flatMap((top) => columns.map((left) => ({ left, top, right: left + wide, bottom: top + high })));
  const isInView = (spot) => spot.left >= 0 && spot.top >= 0 && spot.right <= innerWidth && spot.bottom <= innerHeight;
  // With large text the toast would need the room of the board.
  const isLarge = parseFloat(getComputedStyle(document.documentElement).fontSize) > 20;
  const spot = !isLarge && spots.find((spot) => isInView(spot) && !taken.some((other) => touches(spot, other)));
  // Where there is no room, Undo in the bar has to do.
  toast.classList.toggle("away", !spot);
  const { left, top } = spot || spots[0];
  Object.assign(toast.style, { left: `${Math.round(left)}px`, top: `${Math.round(top)}px` });
}
