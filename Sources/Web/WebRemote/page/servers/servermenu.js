// What an admin can do with one source: test, change, switch off, copy its rows, give it files, see what was not sent
// yet, remove.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { twice } from '../parts/forms.js';
import { make, put } from '../parts/parts.js';
import { openServerForm } from './serverform.js';
import { openServerRooms } from './serverrooms.js';
import { actLine, closeSheet, leaving, openLine, openSheet } from '../parts/sheet.js';
import { titleOf } from './sources.js';
import { moment, tested } from './sourcewords.js';
import { t } from '../shell/translate.js';
import { openUpload } from '../settings/upload.js';

export function openServerMenu(parts, source, account) {
  const { hub, say, renew } = parts, { name } = source, title = titleOf(source);
  const told = make('p', { class: 'note', role: 'status', 'data-at': 'told' });
  // A test takes as long as the server does, at most ten seconds.
  const test = async () => {
    put(told, t('asking'));
    const { ok, d, err } = await hub.press('source.test', { name }, { silent: true, ttl: 15000 });
    put(told, ok ? tested(d) : err?.msg ?? t('hub.silent'));
  };
  const act = async (m, p, done) => {
    const res = await hub.press(m, { name, ...p }, { key: token(6), ttl: 15000 });
    if (res.ok) say(done, 3000);
    renew();
  };
  const remove = twice(t('remove'), t('server.removeSure', { source: title }), () => {
    closeSheet();
    act('source.remove', {}, t('server.removed', { source: title }));
  });
  const able = what => source.can?.includes(what), isOn = source.state !== 'disabled';
  openSheet(title,
    make('p', { class: 'note', dir: 'auto' },
      [account.url, account.user, t('server.named', { name })].filter(Boolean).join(' · ')), told,
    openLine(t('test'), 'check', test, { 'data-do': 'test', disabled: !isOn }),
    ...account.conf ? [make('p', { class: 'note' }, t('server.inFile'))] : [
      openLine(t('change'), 'pen', () => openServerForm(parts, account), { 'data-do': 'set' }),
      actLine(t(isOn ? 'server.switchOff' : 'server.switchOn'), 'power',
        () => act('source.set', { on: !isOn }, t(isOn ? 'server.isOff' : 'server.isOn', { source: title }))),
    ],
    ...isOn && able('mirror') ? [actLine(t('server.copy'), 'repeat-all',
      () => act('source.sync', {}, t('server.isCopied', { source: title })))] : [],
    ...isOn && able('rescan') ? [actLine(t('server.rescan'), 'repeat-all',
      () => act('source.sync', { rescan: true }, t('server.rescans', { source: title })))] : [],
    ...isOn && able('rooms') ? [openLine(t('server.join'), 'rooms', () => openServerRooms(parts, source),
      { 'data-do': 'rooms' })] : [],
    ...isOn && able('upload') ? [openLine(t('server.give'), 'add', () => openUpload(parts, source),
      { 'data-do': 'upload' })] : [],
    openLine(t('server.notSent'), 'clock', () => openPending(parts, source), { 'data-do': 'pending' }),
    ...account.conf ? [] : [remove]);
}

const deeds = ['favourite', 'stars', 'played', 'playing', 'progress', 'queue'],
  deedOf = what => deeds.includes(what) ? t(`deed.${what}`) : what;

/** What was done here and its server does not know yet. */
async function openPending({ hub, say, renew }, source) {
  const { name } = source, title = titleOf(source), isLeft = leaving(), d = await hub.ask('source.pending', { name });
  if (isLeft()) return;
  if (!d) return say(t('hub.unread'));
  const drop = async () => {
    closeSheet();
    const res = await hub.press('source.pending', { name, drop: true }, { key: token(6) });
    if (res.ok) say(t('server.forgotten', { source: title }), 3000);
    renew();
  };
  const rows = d.notes.map(note => make('li', { class: note.refused ? 'card source away' : 'card source' },
    make('b', { dir: 'auto' }, deedOf(note.what)),
    make('small', { dir: 'auto' }, [moment(note.atMs), note.tries ? t('server.tries', { n: note.tries }) : null,
      note.uri].filter(Boolean).join(' · ')),
    note.msg ? make('small', { class: 'trouble', dir: 'auto' },
      note.refused ? t('server.refusedWhy', { reason: note.msg }) : note.msg) : null));
  const more = d.total - rows.length;
  openSheet(t('item.notSent', { source: title }),
    rows.length ? make('ul', { class: 'cards' }, ...rows,
      more > 0 ? make('li', { class: 'note' }, t('andMore', { n: more })) : null)
      : make('p', { class: 'note' }, t('server.allSent', { source: title })),
    ...rows.length ? [twice(t('server.forget'), t('server.forgetSure'), drop)] : []);
  nameItems(hub, d.notes, rows);
}

/** Adds the titles of the first items, one question after the other, for as long as they are shown. */
async function nameItems(hub, notes, rows) {
  for (const [at, { what, uri }] of notes.slice(0, 20).entries()) {
    if (!uri) continue;
    const found = await hub.ask('lib.item', { uri });
    if (!rows[at].isConnected) return;
    if (found?.item?.title) put(rows[at].firstChild, `${deedOf(what)}: ${found.item.title}`);
  }
}
