// What an admin can do with one source: test, change, switch off, copy its rows, give it files, see what was not sent yet, remove.

import { token } from './baton.js';
import { twice } from './forms.js';
import { icon, make, put } from './parts.js';
import { openServerForm } from './serverform.js';
import { actLine, closeSheet, openSheet } from './sheet.js';
import { titleOf } from './sources.js';
import { moment, tested } from './sourcewords.js';
import { openUpload } from './upload.js';

export function openServerMenu(parts, source, account) {
  const { hub, say, renew } = parts, { name } = source, title = titleOf(source);
  const told = make('p', { class: 'note', role: 'status', 'data-at': 'told' });
  // A test takes as long as the server does, at most ten seconds.
  const test = async () => {
    put(told, 'Asking…');
    const { ok, d, err } = await hub.press('source.test', { name }, { silent: true, ttl: 15000 });
    put(told, ok ? tested(d) : err?.msg ?? 'The hub did not answer.');
  };
  const act = async (m, p, done) => {
    const res = await hub.press(m, { name, ...p }, { key: token(6), ttl: 15000 });
    if (res.ok) say(done, 3000);
    renew();
  };
  const remove = twice('Remove', `Tap again to remove ${title}`, () => { closeSheet(); act('source.remove', {}, `${title} was removed. Lists and history keep its tracks.`) });
  const able = what => source.can?.includes(what), isOn = source.state !== 'disabled';
  openSheet(title,
    make('p', { class: 'note', dir: 'auto' }, [account.url, account.user, `named ${name}`].filter(Boolean).join(' · ')), told,
    make('button', { class: 'small act', 'data-do': 'test', onclick: test, disabled: !isOn }, icon('play'), make('span', {}, 'Test')),
    ...account.conf ? [make('p', { class: 'note' }, 'It is in the settings file of the hub, and is changed or removed there.')] : [
      make('button', { class: 'small act', 'data-do': 'set', onclick: () => openServerForm(parts, account) }, icon('lists'), make('span', {}, 'Change…')),
      actLine(isOn ? 'Switch off' : 'Switch on', 'stop', () => act('source.set', { on: !isOn }, `${title} is ${isOn ? 'off' : 'on'}.`)),
    ],
    ...isOn && able('mirror') ? [actLine('Copy its rows now', 'repeat-all', () => act('source.sync', {}, `The rows of ${title} are being read.`))] : [],
    ...isOn && able('rescan') ? [actLine('Look for new music there', 'repeat-all', () => act('source.sync', { rescan: true }, `${title} looks for new music.`))] : [],
    ...isOn && able('upload') ? [make('button', { class: 'small act', 'data-do': 'upload', onclick: () => openUpload(parts, source) }, icon('add'), make('span', {}, 'Give it files…'))] : [],
    make('button', { class: 'small act', 'data-do': 'pending', onclick: () => openPending(parts, source) }, icon('queue'), make('span', {}, 'Not yet sent…')),
    ...account.conf ? [] : [remove]);
}

const deeds = { favourite: 'Favourite', stars: 'Stars', played: 'Played', playing: 'Plays now', progress: 'Position', queue: 'Queue' };

/** What was done here and its server does not know yet. */
async function openPending({ hub, say, renew }, source) {
  const { name } = source, title = titleOf(source), d = await hub.ask('source.pending', { name });
  if (!d) return say('The list could not be read. Please try again.');
  const drop = async () => {
    closeSheet();
    const res = await hub.press('source.pending', { name, drop: true }, { key: token(6) });
    if (res.ok) say(`${title} will not hear of that.`, 3000);
    renew();
  };
  const rows = d.notes.map(note => make('li', { class: note.refused ? 'card source away' : 'card source' },
    make('b', { dir: 'auto' }, deeds[note.what] ?? note.what),
    make('small', { dir: 'auto' }, [moment(note.atMs), note.tries ? `tried ${note.tries} time${note.tries === 1 ? '' : 's'}` : null, note.uri].filter(Boolean).join(' · ')),
    note.msg ? make('small', { class: 'trouble' }, note.refused ? `Refused: ${note.msg}` : note.msg) : null));
  const more = d.total - rows.length;
  openSheet(`Not yet sent to ${title}`,
    rows.length ? make('ul', { class: 'cards' }, ...rows, more > 0 ? make('li', { class: 'note' }, `and ${more.toLocaleString('en')} more`) : null)
      : make('p', { class: 'note' }, `${title} knows of everything that was done here.`),
    ...rows.length ? [twice('Forget all of it', 'Tap again to forget it', drop)] : []);
  nameItems(hub, d.notes, rows);
}

/** Adds the titles of the first items, one question after the other, for as long as they are shown. */
async function nameItems(hub, notes, rows) {
  for (const [at, { what, uri }] of notes.slice(0, 20).entries()) {
    if (!uri) continue;
    const found = await hub.ask('lib.item', { uri });
    if (!rows[at].isConnected) return;
    if (found?.item?.title) put(rows[at].firstChild, `${deeds[what] ?? what}: ${found.item.title}`);
  }
}
