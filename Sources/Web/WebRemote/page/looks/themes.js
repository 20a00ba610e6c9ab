// The themes that a person may choose. `looks` is what looks.js shows of them.

import { recall, remember } from '../parts/base.js';
import { become, value } from '../shell/state.js';
import { applySheet } from '../parts/styles.js';
import { t } from '../shell/translate.js';

export const themes = Object.fromEntries(['night', 'aura', 'pixel', 'cat', 'plain']
  .map(theme => [theme, t(`theme.${theme}`)]));
export const titleOf = looks => themes[looks.theme];

export function choose(looks, theme) {
  show(looks, theme);
  remember('theme', theme);
}
/** The one that was chosen in another tab. */
export function follow(looks) {
  const theme = recall('theme');
  if (Object.hasOwn(themes, theme)) show(looks, theme);
}
/** The next one; gives back its name. */
export function cycle(looks) {
  const all = Object.keys(themes);
  choose(looks, all[(all.indexOf(looks.theme) + 1) % all.length]);
  return titleOf(looks);
}
/** Shown when its style sheet is there, so that no screen is half of one and half of another. */
function show(looks, theme) {
  looks.take(theme);
  if (value('theme') !== theme) applySheet(`${theme}.css`).then(() => {
    if (theme === looks.theme) become('theme', theme);
  });
}
