// The panels of the page: which there are, where each is reached, and where it is not shown.

/**
 * The class and the module that a panel is made of are loaded when it is opened first. A panel without a tab is reached
 * from the one that `of` names; `section` is the part of the hub's state without which there is none.
 */
export const panels = {
  playing: {},
  rooms: { module: 'rooms', type: 'Rooms' },
  queue: { module: 'queue', type: 'Queue' },
  people: { module: 'people', type: 'People', of: 'more', section: 'people' },
  library: { module: 'library', type: 'Library', section: 'lib' },
  lists: { module: 'lists', type: 'Lists', of: 'library', section: 'pl' },
  kept: { module: 'kept', type: 'Kept', of: 'library' },
  radio: { module: 'radio', type: 'Radio', of: 'library' },
  imagine: { module: 'imagine', type: 'Imagine', of: 'library' },
  presets: { module: 'presets', type: 'Presets', of: 'playing' },
  heard: { module: 'heard', type: 'Heard', of: 'playing' },
  lyrics: { module: 'lyrics', type: 'Lyrics', of: 'playing' },
  more: { module: 'more', type: 'More' },
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
    const [found] = await Promise.all([import(`./${module}.js`), isBare || applySheet('panels.css')]);
    return await found[type].open(told);
  } catch { return null }
}
