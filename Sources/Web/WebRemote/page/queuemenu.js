// The menu of the queue, which saves it at a server that keeps queues and goes on with what is saved there; and that of a row in it.

import { token } from './baton.js';
import { continueFrom, continueWords } from './continue.js';
import { Acts, below, titleOf as titleOfRow } from './items.js';
import { albumAddress, artistAddress } from './links.js';
import { make } from './parts.js';
import { actLine, linkLine, openSheet, styled } from './sheet.js';
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

/** `jump` and `remove` are the queue's own. */
export async function openRowMenu(hub, say, row, { jump, remove }) {
  await styled;
  const acts = new Acts(hub, say), hasLibrary = !!hub.said.lib && !!row.uri;
  openSheet(titleOfRow(row), make('p', { class: 'note', dir: 'auto' }, below(hub, row)),
    actLine('Play from here on', 'play', jump, 'remote'),
    row.uri ? actLine('Play this again next', 'playnext', () => acts.add(row, 'next'), 'guest') : null,
    hasLibrary ? linkLine('Go to the album', 'album', albumAddress(hub, row)) : null,
    hasLibrary ? linkLine('Go to the artist', 'people', artistAddress(hub, row)) : null,
    hub.said.pl && row.uri ? actLine('Add to a list…', 'queue', () => acts.choose(row), 'remote') : null,
    actLine('Remove from the queue', 'x', remove, 'remote'));
}
