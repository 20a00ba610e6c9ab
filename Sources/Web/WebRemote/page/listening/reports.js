// The last five minutes of those who hear the room on a device of their own, as they report it: how far ahead of the
// room each is, and when it began anew. This device knows its own figures, others tell theirs through the hub.

const keptMs = 300_000, people = 12;
const histories = new Map();

/** Of a listener: points of `at` (ms of the time of day), `ms` ahead of the room, `starts` and `speed` so far. */
export const history = () => [...histories.values()];

function note(who, name, point) {
  if (!histories.has(who) && histories.size >= people) return;
  const points = [...histories.get(who)?.points ?? [], { at: Date.now(), ...point }];
  histories.set(who, { who, name, points: points.filter(({ at }) => at > Date.now() - keptMs) });
}

/** `null` is this device. */
export function noteOwn({ drift, newStarts, speed }) {
  if (drift !== null) note(null, null, { ms: drift / 1000, starts: newStarts, speed });
}

/** What the hub tells of the others, each time that it is told anew. */
export function watchReports(hub) {
  let seen = null;
  hub.on('change', () => {
    const { listeners } = hub.said;
    if (!listeners || listeners === seen) return;
    seen = listeners;
    const list = listeners.list ?? [];
    for (const { who, name, dev, report } of list)
      if (report?.driftUs !== undefined && who !== hub.who)
        note(who, name || dev, { ms: report.driftUs / 1000, starts: report.starts ?? 0, speed: 1000 });
    const here = new Set(list.map(({ who }) => who));
    for (const [who, { points }] of histories)
      if (who !== null && !here.has(who) && points.at(-1).at < Date.now() - keptMs) histories.delete(who);
  });
}
