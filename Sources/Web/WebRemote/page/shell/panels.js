// The panels of the page: which there are, where each is reached, and where it is not shown.
import { applySheet } from '../parts/styles.js';

/**
 * The module of a panel, and the class in it, are loaded when it is opened first. A panel without a tab is reached
 * from the one that `of` names; `section` is the part of the hub's state without which there is none.
 */
export const panels = {
  playing: {},
  rooms: { module: () => import('../rooms/rooms.js'), type: 'Rooms' },
  queue: { module: () => import('../queue/queue.js'), type: 'Queue' },
  people: { module: () => import('../rooms/people.js'), type: 'People', of: 'more', section: 'people' },
  library: { module: () => import('../library/library.js'), type: 'Library', section: 'lib' },
  lists: { module: () => import('../playlists/lists.js'), type: 'Lists', of: 'library', section: 'pl' },
  kept: { module: () => import('../library/kept.js'), type: 'Kept', of: 'library' },
  radio: { module: () => import('../radio/radio.js'), type: 'Radio', of: 'library' },
  imagine: { module: () => import('../making/imagine.js'), type: 'Imagine', of: 'library' },
  presets: { module: () => import('../presets/presets.js'), type: 'Presets', of: 'playing' },
  heard: { module: () => import('../playing/heard.js'), type: 'Heard', of: 'playing' },
  lyrics: { module: () => import('../lyrics/lyrics.js'), type: 'Lyrics', of: 'playing' },
  more: { module: () => import('../settings/more.js'), type: 'More' },
};

/** Only when the hub has said that it has none, so that tabs do not move at the first state. */
export const isMissing = (hub, { section }) => !!section && hub.rev !== null && !hub.said[section];
/**
 * Makes the part of a panel, or another that is not there from the beginning; null when it cannot be loaded. The style
 * sheet of panels comes meanwhile, unless it is bare. `told` has all that parts are made with, and each takes of it
 * what it needs.
 */
export async function load({ module, type, isBare }, told) {
  try {
    const [found] = await Promise.all([module(), isBare || applySheet('panels.css')]);
    return await found[type].open(told);
  } catch { return null }
}
