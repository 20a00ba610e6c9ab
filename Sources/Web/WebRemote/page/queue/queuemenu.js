// The menu of the queue, which saves it at a server that keeps queues and goes on with what is saved there; and that of
// a row in it.

import { Acts } from '../items/acts.js';
import { items, token } from '../../../../../examples/browser/client/baton-basics.js';
import { continueFrom, continueWords } from '../playing/continue.js';
import { below, titleOf as titleOfRow } from '../items/items.js';
import { jobLines } from '../making/joblines.js';
import { jobOf } from '../making/jobwords.js';
import { albumAddress, artistAddress } from '../parts/links.js';
import { make } from '../parts/parts.js';
import { makeList } from '../playlists/newlist.js';
import { actLine, linkLine, openLine, openSheet, styled } from '../parts/sheet.js';
import { addressOf } from '../shell/route.js';
import { sourcesOf, titleOf } from '../servers/sources.js';
import { moment, stateOf } from '../servers/sourcewords.js';
import { t } from '../shell/translate.js';

async function save(hub, say, source) {
  const res = await hub.press('queue.save', { source: source.name }, { key: token(6) });
  if (res.ok) say(t('queue.saved', { source: titleOf(source) }), 3000);
}

/** Keeping what plays leaves it playing. */
async function clear(hub, say) {
  const { rev, len } = hub.view().queue;
  const res = await hub.press('queue.clear', { base: rev, keep: 'current' }, { key: token(4), kind: 'queue' });
  if (res.ok && len) say(t('queue.cleared'), 3000);
}

export async function openQueueMenu(hub, say) {
  await styled();
  const list = sourcesOf(hub).filter(source => source.can?.includes('queue')), isEmpty = !hub.view().queue?.len,
    acts = new Acts(hub, say);
  openSheet(t('queue.name'), ...isEmpty ? [] : [
    hub.said.pl ? openLine(t('queue.asPlaylist'), 'lists', () => makeList(hub, say, acts, { isOfQueue: true }),
      { 'data-do': 'keepqueue', 'data-needs': 'remote' }) : null,
    actLine(t('queue.clear'), 'x', () => clear(hub, say), 'remote')], linkLine(t('shelf.recent'), 'clock',
    hub.said.lib ? addressOf('library', { at: items.shelf('recent') }) : null), ...list.flatMap(source => {
    const title = titleOf(source), kept = source.continue;
    if (source.state !== 'ok') return [make('p', { class: 'note' }, `${title}: ${stateOf(source)}`)];
    return [
      isEmpty ? null : actLine(t('queue.save', { source: title }), 'save', () => save(hub, say, source)),
      kept ? actLine([continueWords(source), t('play.from', { name: title }),
        kept.atMs ? t('queue.savedWhen', { when: moment(kept.atMs) }) : null].filter(Boolean).join(', '), 'play',
        () => continueFrom(hub, say, source)) : null,
    ].filter(Boolean);
  }));
}

/** `jump` and `remove` are the queue's own. */
export async function openRowMenu(hub, say, row, { jump, remove }) {
  await styled();
  const acts = new Acts(hub, say), hasLibrary = !!hub.said.lib && !!row.uri;
  const job = jobOf(hub, row.uri);
  openSheet(titleOfRow(row), make('p', { class: 'note', dir: 'auto' }, below(hub, row)),
    ...job ? jobLines(acts, job) : [],
    actLine(t('queue.playFrom'), 'play', jump, 'remote'),
    row.uri ? actLine(t('play.againNext'), 'playnext', () => acts.add(row, 'next'), 'guest') : null,
    row.uri && hub.has('listening') ? actLine(t('only.name'), 'device', () => acts.only(row), 'remote') : null,
    hasLibrary ? linkLine(t('item.toAlbum'), 'album', albumAddress(hub, row)) : null,
    hasLibrary ? linkLine(t('item.toArtist'), 'people', artistAddress(hub, row)) : null,
    hub.said.pl && row.uri ? actLine(t('item.addToList'), 'lists', () => acts.choose(row), 'remote') : null,
    actLine(t('queue.remove'), 'x', remove, 'remote'));
}
