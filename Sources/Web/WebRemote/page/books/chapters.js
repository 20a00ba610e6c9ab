// The chapters of what plays, as a list in a sheet; a tap goes to the beginning of one.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { make, spell } from '../parts/parts.js';
import { closeSheet, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

export async function openChapters(hub) {
  const { book, now } = hub.said;
  if (!book) return;
  const found = now.uri ? await hub.ask('lib.item', { uri: now.uri }) : null;
  // A source that does not know its items tells of none: then the one that is heard stands alone.
  const all = found?.chapters ?? [], known = all.length === book.n;
  const line = ({ title, startMs }, n) => make('button', {
    class: 'small act', 'data-needs': 'remote', 'aria-current': n === book.i ? 'true' : null,
    onclick: () => { closeSheet(); hub.press('book.chapter', { entry: book.entry, n }, { key: token(4) }) },
  }, make('span', { dir: 'auto' }, `${n}. ${title}`), make('span', {}, spell(startMs)));
  const lines = known ? all.map((chapter, index) => line(chapter, index + 1)) : [line(book, book.i)];
  openSheet(t('chapters.name'), ...lines);
}
