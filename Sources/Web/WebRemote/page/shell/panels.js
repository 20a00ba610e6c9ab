// The panels of the page: how each is loaded when it is opened first, and where it is not shown.

/**
 * A panel without a tab is reached from the one that `of` names. `isDocked` tells whether the queue stands beside the
 * panel, and `chosen` is called when a person has chosen a room.
 */
export function panelsOf({ hub, say, deck, looks, isDocked, chosen }) {
  // Only when the hub has said that it has none, so that tabs do not move at the first state.
  const hasNo = section => () => hub.rev !== null && !hub.said[section];
  return {
    playing: {},
    rooms: { fetch: async () => new (await import('./rooms.js')).Rooms(hub, say, chosen) },
    queue: { hidden: isDocked, fetch: async () => new (await import('./queue.js')).Queue(hub, say) },
    people: { of: 'more', hidden: hasNo('people'), fetch: async () => new (await import('./rooms.js')).People(hub) },
    library: { hidden: hasNo('lib'), fetch: async () => (await import('./library.js')).Library.open(hub, say) },
    lists: { of: 'library', hidden: hasNo('pl'), fetch: async () => (await import('./lists.js')).Lists.open(hub, say) },
    kept: { of: 'library', fetch: async () => (await import('./kept.js')).Kept.open(hub, say) },
    radio: { of: 'library', fetch: async () => (await import('./radio.js')).Radio.open(hub, say) },
    imagine: { of: 'library', fetch: async () => (await import('./imagine.js')).Imagine.open(hub, say) },
    presets: { of: 'playing', fetch: async () => (await import('./presets.js')).Presets.open(hub, say) },
    heard: { of: 'playing', fetch: async () => (await import('./heard.js')).Heard.open(hub, say) },
    lyrics: { of: 'playing', fetch: async () => (await import('./lyrics.js')).Lyrics.open(hub) },
    more: { fetch: async () => (await import('./more.js')).More.open(hub, say, deck, looks) },
  };
}
