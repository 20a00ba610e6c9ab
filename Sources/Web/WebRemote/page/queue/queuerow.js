// A row of the queue: its place, its cover, its texts, and the cross and grip.

import { artAddress, orLetters } from '../parts/cover.js';
import { jobOf, jobWords } from '../making/jobwords.js';
import { keptWords } from '../library/keep.js';
import { icon, make, mark, put, spell } from '../parts/parts.js';
import { placeholder } from '../items/placeholder.js';
import { awayWords, fromWhere, isAway } from '../servers/sourcerows.js';
import { t } from '../shell/translate.js';

const thumb = 44;

export function queueRow(hub, row) {
  const element = make('li', { 'data-entry': row.entry },
    make('button', { class: 'row', 'data-needs': 'remote' },
      make('span', { class: 'place', 'aria-hidden': 'true' }),
      make('span', { class: 'art thumb', 'aria-hidden': 'true' }),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }), make('small', { dir: 'auto' })),
      make('span', { class: 'length' })),
    make('button', { class: 'tool', 'data-do': 'remove', 'data-needs': 'remote' }, icon('x')),
    make('button', { class: 'tool grip', 'data-do': 'move', 'data-needs': 'remote' }, icon('grip')));
  writeQueueRow(hub, element, row);
  return element;
}

/** Texts and cover of an entry, which may be known only once it plays. */
export function writeQueueRow(hub, element, row) {
  const title = row.title ?? row.uri ?? t('item.untitled'), artist = row.artists?.join(', ') ?? '',
    away = isAway(hub, row), job = jobOf(hub, row.uri);
  // Who added an entry is said of others only.
  const by = row.by && row.by !== hub.name ? t('queue.addedBy', { name: row.by }) : null;
  const making = job && job.st !== 'ready' ? jobWords(hub, job) : null;
  const texts = [away ? awayWords(hub, row) : null, making, artist, fromWhere(hub, row), keptWords(row), by]
    .filter(Boolean).join(' · ');
  const [play, remove, move] = element.children;
  element.row = row;
  element.classList.toggle('away', away);
  showPicture(play.querySelector('.thumb'), row);
  mark(play, 'aria-label', [t('item.play', { title }), texts].filter(Boolean).join(', '));
  mark(remove, 'aria-label', t('item.remove', { title }));
  mark(move, 'aria-label', t('item.move', { title }));
  put(play.querySelector('b'), title);
  put(play.querySelector('small'), texts);
  put(play.querySelector('.length'), row.durMs ? spell(row.durMs) : '');
}

function showPicture(box, row) {
  const told = row.art?.id ?? `${row.title}`;
  if (box.dataset.art === told) return;
  box.dataset.art = told;
  box.replaceChildren();
  placeholder(box, row, 'note');
  if (row.art?.id) box.append(orLetters(make('img', { alt: '', loading: 'lazy', decoding: 'async', draggable: 'false',
    src: artAddress(row.art.id, thumb) })));
}
