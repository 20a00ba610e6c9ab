// The rooms of a server: a room of the hub plays along with one of them, or has its own queue again.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { make } from '../parts/parts.js';
import { actLine, leaving, nameText, openSheet } from '../parts/sheet.js';
import { titleOf } from './sources.js';
import { t } from '../shell/translate.js';

const idOf = uri => decodeURIComponent(uri.slice(uri.indexOf('/') + 1));

/** `here` is the room of the hub that plays along. */
export async function openServerRooms({ hub, say }, source, here = hub.room) {
  const { name } = source, title = titleOf(source), isLeft = leaving();
  const [found, joined] = await Promise.all([
    hub.ask('lib.browse', { node: `${name}:shelf/rooms`, limit: 50 }),
    hub.press('room.joined', {}, { room: here, silent: true })]);
  if (isLeft()) return;
  if (!found) return say(t('hub.unread'));
  const act = async (m, p, done) => {
    // The server says first what its room plays.
    const { ok, err } = await hub.press(m, p, { key: token(6), ttl: 20000, room: here });
    say(ok ? done : err?.msg ?? t('hub.silent'), 5000);
  };
  const join = row => actLine(nameText(row.title), 'play', () =>
    act('room.join', { source: name, room: idOf(row.uri) }, t('server.joined', { room: row.title })));
  openSheet(t('server.rooms', { source: title }),
    make('p', { class: 'note' }, t('server.joinSays')),
    ...found.rows.map(join),
    joined.ok && joined.d?.source === name && actLine(t('server.leave', { room: joined.d.name }), 'x',
      () => act('room.unjoin', {}, t('server.left'))));
}
