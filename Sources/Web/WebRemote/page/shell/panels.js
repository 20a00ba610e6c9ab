// The places of the page: which there are, where each is reached, and where it is not shown.

import { applySheet } from '../parts/styles.js';

const library = () => import('../library/library.js');
/**
 * The module of a place, and the class in it, are loaded when it is opened first. A place without a tab is reached from
 * the one that `of` names; `profile` is what the hub must have, and `section` the part of its state without which there
 * is none. A face is shown with what plays: over the places on a phone, beside them on a desktop.
 */
export const panels = {
  playing: { isFace: true },
  queue: { module: () => import('../queue/queue.js'), type: 'Queue', isFace: true },
  lyrics: { module: () => import('../lyrics/lyrics.js'), type: 'Lyrics', isFace: true, profile: 'library' },
  people: { module: () => import('../rooms/people.js'), type: 'People', isFace: true, profile: 'people',
    section: 'people' },
  home: { module: library, type: 'Library', root: 'home' },
  search: { module: () => import('../library/search.js'), type: 'Search', root: 'search', profile: 'library',
    section: 'lib' },
  library: { module: library, type: 'Library', root: 'library', profile: 'library', section: 'lib' },
  rooms: { module: () => import('../rooms/rooms.js'), type: 'Rooms' },
  lists: { module: () => import('../playlists/lists.js'), type: 'Lists', of: 'library', profile: 'playlists',
    section: 'pl' },
  kept: { module: () => import('../library/kept.js'), type: 'Kept', of: 'library' },
  radio: { module: () => import('../radio/radio.js'), type: 'Radio', of: 'library', profile: 'radio' },
  imagine: { module: () => import('../making/imagine.js'), type: 'Imagine', of: 'library', profile: 'making' },
  presets: { module: () => import('../presets/presets.js'), type: 'Presets', of: 'home' },
  heard: { module: () => import('../playing/heard.js'), type: 'Heard', of: 'home', profile: 'radio' },
  settings: { module: () => import('../settings/settings.js'), type: 'Settings', of: 'home' },
  setup: { module: () => import('../setup/setup.js'), type: 'Setup', of: 'home' },
};

/** The faces that a desktop shows beside the places; each has a button of its name. */
export const faces = ['queue', 'lyrics', 'people'];
/** Only when the hub has said that it has none, so that tabs do not move at the first state. */
export const isMissing = (hub, { profile, section }) => hub.rev !== null
  && (!!profile && !hub.has(profile) || !!section && !hub.said[section]);
/**
 * Makes the part of a place, or another that is not there from the beginning; null when it cannot be loaded. The style
 * sheet of panels comes meanwhile, unless it is bare. `told` has all that parts are made with, and each takes of it
 * what it needs.
 */
export async function load({ module, type, isBare, root }, told) {
  try {
    const [found] = await Promise.all([module(), isBare || applySheet('panels.css')]);
    return await found[type].open(told, root);
  } catch { return null }
}
