// The bookmarks of what plays, in a sheet: one is set with a note; a tap on one goes there.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { field, refusedAt, sent } from '../parts/forms.js';
import { icon, make, mark, spell } from '../parts/parts.js';
import { closeSheet, leaving, openForm, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';
import { offerUndo } from '../parts/undo.js';

const noteLength = 500;
const noteInput = value => make('input', {
  maxlength: noteLength, autocomplete: 'off', dir: 'auto', value, 'data-at': 'note',
});

export async function openBookmarks(hub, say) {
  const { now } = hub.said;
  if (!now?.uri) return;
  const isLeft = leaving(), res = await hub.press('mark.list', { uri: now.uri, limit: 100 }, { silent: true });
  if (isLeft()) return;
  if (!res.ok) return say(res.err?.msg ?? t('hub.noAnswer'));
  openSheet(t('bookmarks.name'), adder(hub, say, now.entry),
    ...res.d.marks.map(bookmark => line(hub, say, now, bookmark)));
}

function adder(hub, say, entry) {
  // The place is that of the moment in which the sheet was opened, since writing takes a while.
  const note = noteInput(''), posMs = Math.max(0, Math.round(hub.position(hub.view()) ?? 0));
  const add = async event => {
    event.preventDefault();
    const res = await sent(form, note,
      () => hub.press('mark.add', { entry, posMs, note: note.value }, { key: token(6), silent: true }), say);
    if (res.ok) say(t('bookmarks.isSet', { at: spell(posMs) }));
  };
  const form = make('form', { class: 'more', onsubmit: add }, field(t('bookmarks.note'), note),
    make('button', { class: 'small', 'data-needs': 'remote' }, t('bookmarks.add', { at: spell(posMs) })));
  return form;
}

function line(hub, say, now, bookmark) {
  const { id, posMs, note, chapter } = bookmark;
  const play = () => { closeSheet(); hub.press('play', { entry: now.entry, posMs }, { key: token(4) }) };
  const more = make('button', {
    class: 'tool', 'data-needs': 'remote', onclick: () => edit(hub, say, bookmark),
  }, icon('dots'));
  mark(more, 'aria-label', t('item.more', { title: spell(posMs) }));
  return make('div', { class: 'line', 'data-mark': id },
    make('button', { class: 'small act', 'data-needs': 'remote', onclick: play }, make('span', {}, spell(posMs)),
      make('span', { dir: 'auto' }, note || chapter || '')), more);
}

function edit(hub, say, { id, posMs, note }) {
  const input = noteInput(note ?? '');
  const save = async event => {
    event.preventDefault();
    const res = await hub.press('mark.edit', { id, note: input.value }, { silent: true });
    if (res.ok) openBookmarks(hub, say); else refusedAt(input.form, res.err, input);
  };
  const remove = async () => {
    if (!(await hub.press('mark.del', { id })).ok) return;
    closeSheet();
    offerUndo(t('bookmarks.deleted', { at: spell(posMs) }), () => hub.press('mark.edit', { id, restore: true }));
  };
  openForm(spell(posMs), make('form', { class: 'more', onsubmit: save }, field(t('bookmarks.note'), input),
    make('button', { class: 'small', 'data-needs': 'remote' }, t('save')),
    make('button', { class: 'small', type: 'button', 'data-needs': 'remote', onclick: remove }, t('list.delete'))));
}
