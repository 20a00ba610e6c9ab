// Joins the part of a panel with the page when the panel is opened first. Loaded with the first of them.

import { panels } from './panels.js';
import { t } from './translate.js';

/** `page` is that of remote.js. A part that could not be loaded is loaded the next time. */
export async function join(page, key) {
  const { told, later, route } = page, panel = panels[key];
  panel.part ??= await panel.coming;
  panel.coming = null;
  if (!panel.part) return told.say(t('part.missing'));
  if (panel.part.visit) panel.part.moved = isSame => {
    if (page.shown === key) route[isSame ? 'replace' : 'push'](page.here);
  };
  if (later.offer) panel.part.offer?.(later.offer);
  if (key === 'queue') page.dock();
  if (page.shown === key) page.show(key);
}
