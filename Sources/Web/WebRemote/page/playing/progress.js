// Where a person is in a book or an episode, in a sheet: the place, what other devices have reported beside it, and how
// to go on there, finish the item or begin it anew.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { nameOf } from '../items/items.js';
import { make, spell } from '../parts/parts.js';
import { actLine, closeSheet, isOpen, openLine, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

export async function openProgress(hub, say, row) {
  const res = await hub.press('progress.list', { uri: row.uri }, { silent: true });
  if (!isOpen()) return;
  if (!res.ok) return say(res.err?.msg ?? t('hub.noAnswer'));
  const { place, sides = [], item } = res.d.rows[0] ?? {}, durMs = row.durMs ?? item?.durMs;
  const set = async (m, p, sentence) => {
    const answer = await hub.press(m, { uri: row.uri, ...p }, { key: token(6) });
    if (answer.ok) say(sentence, 4000);
  };
  const line = side => {
    const at = atOf(side, durMs);
    const button = openLine(t('progress.goOn', { at }), 'play', () => {
      closeSheet();
      set('progress.restore', { session: side.session }, t('progress.isSet', { name: nameOf(row), at }));
    }, { 'data-needs': 'remote', 'data-session': side.session });
    button.append(make('small', { dir: 'auto' }, from(side)));
    return button;
  };
  const note = place ? [atOf(place, durMs), from(place)].filter(Boolean).join(' · ') : t('progress.none');
  openSheet(t('progress.of', { name: nameOf(row) }),
    make('p', { class: 'note', dir: 'auto', 'data-at': 'place' }, note),
    ...sides.length ? [make('h3', {}, t('progress.beside')), ...sides.map(line)] : [],
    place?.fin ? null : actLine(t('progress.finish'), 'check',
      () => set('progress.finish', {}, t('progress.isFinished', { name: nameOf(row) })), 'remote',
      { 'data-do': 'finish' }),
    place && (place.fin || place.posMs > 0) ? actLine(t('progress.reset'), 'prev',
      () => set('progress.reset', {}, t('progress.isReset', { name: nameOf(row) })), 'remote',
      { 'data-do': 'reset' }) : null);
}

function atOf({ posMs, fin }, durMs) {
  if (fin) return t('progress.finished');
  if (!posMs) return t('progress.begin');
  return durMs ? t('progress.at', { at: spell(posMs), length: spell(durMs) }) : spell(posMs);
}
const from = ({ dev, atMs }) => [dev, atMs ? date(atMs, { dateStyle: 'medium', timeStyle: 'short' }) : null]
  .filter(Boolean).join(', ');
