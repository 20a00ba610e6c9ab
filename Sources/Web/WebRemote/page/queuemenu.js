// The menu of the queue: saves it at a server that keeps queues, and goes on with what is saved there.

import { token } from './baton.js';
import { continueFrom, continueWords } from './continue.js';
import { make } from './parts.js';
import { actLine, openSheet, styled } from './sheet.js';
import { sourcesOf, titleOf } from './sources.js';
import { moment, stateOf } from './sourcewords.js';

async function save(hub, say, source) {
  const res = await hub.press('queue.save', { source: source.name }, { key: token(6) });
  if (res.ok) say(`The queue is saved at ${titleOf(source)}.`, 3000);
}

export async function openQueueMenu(hub, say) {
  await styled;
  const list = sourcesOf(hub).filter(source => source.can?.includes('queue')), isEmpty = !hub.view().queue?.len;
  openSheet('The queue', ...list.flatMap(source => {
    const title = titleOf(source), kept = source.continue;
    if (source.state !== 'ok') return [make('p', { class: 'note' }, `${title}: ${stateOf(source).toLowerCase()}.`)];
    return [
      isEmpty ? null : actLine(`Save the queue to ${title}`, 'enqueue', () => save(hub, say, source)),
      kept ? actLine(`${continueWords(source)}, from ${title}${kept.atMs ? `, saved ${moment(kept.atMs)}` : ''}`, 'play', () => continueFrom(hub, say, source)) : null,
    ].filter(Boolean);
  }));
}
