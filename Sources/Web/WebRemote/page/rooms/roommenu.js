// The menu of a room: its music goes to another room, that of another room comes here, it plays along with a room of a
// server, or radios hear it by a link.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { make } from '../parts/parts.js';
import { openRoomLinks } from '../settings/roomlinks.js';
import { openServerRooms } from '../servers/serverrooms.js';
import { actLine, openLine, openSheet, styled } from '../parts/sheet.js';
import { sourcesOf, titleOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';

/** Rooms beyond these are reached by dragging, and from what plays. */
const most = 12;

/** `told` has `go(id)` and `move(from, to)`, which get rooms, and says sentences. */
export async function openRoomMenu(hub, room, { go, move, say }) {
  await styled();
  const others = (hub.said.rooms?.list ?? []).filter(({ id }) => id !== room.id),
    plays = ['playing', 'buffering'].includes(room.st);
  const turn = () => hub.press('toggle', { want: plays ? 'paused' : 'playing' }, { key: token(4), room: room.id });
  openSheet(room.name, make('p', { class: 'note', dir: 'auto' }, room.title ?? t('room.empty')),
    room.id === hub.room ? null : actLine(t('room.show'), 'rooms', () => go(room.id)),
    room.title ? actLine(t(plays ? 'play.pause' : 'play.play'), plays ? 'pause' : 'play', turn, 'remote') : null,
    ...others.filter(other => other.title).slice(0, most)
      .map(other => actLine(t('room.playHere', { room: other.name }), 'rooms', () => move(other, room), 'remote')),
    ...room.title ? others.slice(0, most).map(other => actLine(t('room.moveTo', { room: other.name }), 'rooms',
      () => move(room, other), 'remote')) : [],
    hub.has('streams') ? openLine(t('links.open'), 'link', () => openRoomLinks({ hub, say }, room),
      { 'data-do': 'links', 'data-needs': 'remote' }) : null,
    ...sourcesOf(hub).filter(({ can, state }) => state !== 'disabled' && can?.includes('rooms'))
      .map(source => openLine(t('server.rooms', { source: titleOf(source) }), 'link',
        () => openServerRooms({ hub, say }, source, room.id),
        { 'data-do': 'rooms', 'data-source': source.name, 'data-needs': 'remote' })));
}
