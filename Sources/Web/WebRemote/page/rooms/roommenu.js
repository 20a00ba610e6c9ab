// The menu of a room: its music goes to another room, or that of another room comes here.

import { token } from './baton-basics.js';
import { make } from './parts.js';
import { actLine, openSheet, styled } from './sheet.js';
import { t } from './translate.js';

/** Rooms beyond these are reached by dragging. */
const most = 12;

/** `told` has `go(id)` and `move(from, to)`, which get rooms. */
export async function openRoomMenu(hub, room, { go, move }) {
  await styled;
  const others = (hub.said.rooms?.list ?? []).filter(({ id }) => id !== room.id),
    plays = ['playing', 'buffering'].includes(room.st);
  const turn = () => hub.press('toggle', { want: plays ? 'paused' : 'playing' }, { key: token(4), room: room.id });
  openSheet(room.name, make('p', { class: 'note', dir: 'auto' }, room.title ?? t('room.empty')),
    room.id === hub.room ? null : actLine(t('room.show'), 'rooms', () => go(room.id)),
    room.title ? actLine(t(plays ? 'play.pause' : 'play.play'), plays ? 'pause' : 'play', turn, 'remote') : null,
    ...others.filter(other => other.title).slice(0, most)
      .map(other => actLine(t('room.playHere', { room: other.name }), 'into', () => move(other, room), 'remote')),
    ...room.title ? others.slice(0, most).map(other => actLine(t('room.moveTo', { room: other.name }), 'next',
      () => move(room, other), 'remote')) : []);
}
