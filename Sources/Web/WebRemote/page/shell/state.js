// What the page as a whole is and shows: its theme, mood, panel and role, and whether it plays, is away or rests. Parts
// write and read it here. The root element repeats it for the style sheets, and no part reads it there.

const root = document.documentElement;
// What first.js and lastscreen.js have begun with, before any module.
const flags = new Set(root.classList), values = { ...root.dataset };

/** Whether a flag such as `playing`, `away` or `ambient` is up. */
export const is = flag => flags.has(flag);
export function turn(flag, isUp) {
  if (isUp) flags.add(flag); else flags.delete(flag);
  root.classList.toggle(flag, !!isUp);
}

/** `theme`, `mood`, `panel` or `role`. */
export const value = name => values[name];
export function become(name, what) {
  values[name] = what;
  root.dataset[name] = what;
}
