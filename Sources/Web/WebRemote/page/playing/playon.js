// Where the music is heard: on this device, in another room, along with a room of a server, or by a link.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { follow } from '../../../../../examples/browser/client/baton-verbs.js';
import { sourcesOf, titleOf } from '../servers/sources.js';
import { buzz, make } from '../parts/parts.js';
import { actLine, linkLine, openLine, openSheet, styled } from '../parts/sheet.js';
import { isPrivate } from '../rooms/roomname.js';
import { openRoomLinks } from '../settings/roomlinks.js';
import { openServerRooms } from '../servers/serverrooms.js';
import { addressOf } from '../shell/route.js';
import { t } from '../shell/translate.js';

export async function openPlayOn(hub, say) {
  await styled();
  const view = hub.view(), list = hub.said.rooms?.list ?? [],
    here = list.find(({ id }) => id === hub.room), has = !!view.entry;
  const move = async room => {
    buzz();
    const res = has ? await hub.press('room.move', { to: room.id }, { key: token(4) }) : { ok: true };
    if (!res.ok) return;
    await follow(hub, room.id);
    if (has) say(t('room.moved', { room: room.name }), 3000);
  };
  const only = async () => {
    const posMs = Math.round(hub.position(view) ?? 0), { playOnlyHere } = await import('../listening/onlyhere.js');
    playOnlyHere(hub, say, { uri: view.uri, ...posMs ? { posMs } : {} }, view.title ?? t('item.untitled'));
  };
  openSheet(t('playon.name'),
    here ? make('p', { class: 'note', dir: 'auto' }, t('playon.now', { room: here.name })) : null,
    hub.has('listening') ? openLine(t('listen.name'), 'note', async () =>
      (await import('../listening/listening.js')).openListening(hub, say), { id: 'listenhere' }) : null,
    has && view.uri && !view.isLive && hub.has('listening') && !isPrivate(hub.room)
      ? actLine(t('only.name'), 'device', only, 'remote', { id: 'onlyhere' }) : null,
    ...list.filter(({ id }) => id !== hub.room).map(room =>
      actLine(t(has ? 'room.moveTo' : 'playon.goTo', { room: room.name }), 'rooms', () => move(room),
        has ? 'remote' : null, { id: `playon-${room.id}` })),
    ...sourcesOf(hub).filter(({ can, state }) => state !== 'disabled' && can?.includes('rooms')).map(source =>
      openLine(t('server.rooms', { source: titleOf(source) }), 'link',
        () => openServerRooms({ hub, say }, source, hub.room),
        { 'data-do': 'rooms', 'data-source': source.name, 'data-needs': 'remote' })),
    here && hub.has('streams') ? openLine(t('links.open'), 'link', () => openRoomLinks({ hub, say }, here),
      { 'data-do': 'links', 'data-needs': 'remote' }) : null,
    // With a single room there is no place of rooms.
    hub.said.people ? linkLine(t('people.name'), 'people', addressOf('people')) : null,
    hub.role === 'admin' && hub.has('rooms')
      ? linkLine(t('room.another'), 'more', addressOf('settings', { page: 'rooms' })) : null);
}
