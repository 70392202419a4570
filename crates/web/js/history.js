// The history of this tab: one entry for home, for each game and for its end; and one while a sheet lies over the page.
const SHEET = "sheet";

export const is_sheet_entry = () => history.state === SHEET;

// Goes to an address: a new entry, or in the place of an open sheet's.
export const go = (url) => is_sheet_entry() ? history.replaceState(null, "", url) : history.pushState(null, "", url);

export const push_sheet = () => { if (!is_sheet_entry()) history.pushState(SHEET, ""); };

// Whether Back was called here to drop the entry of a sheet that was closed in another way.
let popping = false;

export const pop_sheet = () => { if (is_sheet_entry()) { popping = true; history.back(); } };

export const take_popped = () => { const was = popping; popping = false; return was; };
