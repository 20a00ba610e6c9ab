// The rooms of the hub: a list that shows what the hub says.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { follow } from '../../../../../examples/browser/client/baton-verbs.js';
import { droppingOnto } from '../parts/drag.js';
import { onMenu } from '../parts/hold.js';
import '../looks/icons.js';
import { buzz, icon, make, shape } from '../parts/parts.js';
import { relist } from './relist.js';
import { roomLine, RoomLines } from './roomline.js';
import { t } from '../shell/translate.js';
import { ladder } from '../playing/volumehand.js';

const doing = ['playing', 'paused', 'buffering', 'stopped'];

export class Rooms {
  #hub; #say; #chosen; #lines; #cards = new Map();
  static open({ hub, say, chosen }) { return new Rooms(hub, say, chosen) }
  /** `chosen` is called when the person chose another room. */
  constructor(hub, say, chosen = () => { }) {
    [this.#hub, this.#say, this.#chosen] = [hub, say, chosen];
    this.element = make('ul', { class: 'cards', 'aria-label': t('tab.rooms') });
    this.#lines = new RoomLines(hub, this.element);
    const find = id => hub.said.rooms?.list.find(room => room.id === id), menu = id => this.#menu(find(id));
    droppingOnto(this.element, 'room', { drop: (from, to) => this.#move(find(from), find(to)), tap: menu });
    // The grip opens the menu by a key too; by the pointer it has done so when it was let go.
    this.element.addEventListener('click', event => {
      const grip = event.target.closest('[data-do=move]');
      if (grip && !event.detail) menu(grip.closest('li').dataset.room);
    });
    onMenu(this.element, event => {
      const id = event.target.closest('[data-room]')?.dataset.room;
      if (id) menu(id);
      return !!id;
    });
  }
  draw(view) {
    const hub = this.#hub, { list = [], more } = hub.said.rooms ?? {};
    const rooms = list.map(room => ({ ...room, here: room.id === hub.room,
      next: room.id === hub.room ? view.nextText : null }));
    const canBring = rooms.length > 1 && !!view.entry, canTurn = !!hub.span && shape() !== 'watch';
    // A line that changes moves its bar and makes no card anew.
    relist(this.element, [rooms.map(({ line, ...room }) => room), canBring, canTurn, more], () => [
      ...rooms.map(room => this.#cardOf(room, canBring, canTurn)),
      more ? make('li', { class: 'note' }, t('andMore', { n: more })) : null,
    ].filter(Boolean));
    this.#lines.draw(rooms);
  }
  /** The card of a room stays for as long as it says the same: it may be under a finger. */
  #cardOf({ line, ...room }, canBring, canTurn) {
    const told = JSON.stringify([room, canBring, canTurn]), old = this.#cards.get(room.id);
    if (old?.told === told) return old.element;
    const element = this.#card({ line, ...room }, canBring, canTurn);
    this.#cards.set(room.id, { told, element });
    return element;
  }
  #card(room, canBring, canTurn) {
    const state = `${doing.includes(room.st) ? t(`room.${room.st}`) : room.st}, ${room.mute ? t('volume.muted')
      : t('room.volume', { n: room.level })}`;
    const canCarry = shape() !== 'watch';
    return make('li', { class: room.here ? 'card here' : 'card', 'data-room': room.id },
      make('button', {
        class: 'main', 'data-id': room.id, 'aria-current': room.here ? 'true' : null,
        'aria-label': `${room.name}. ${state}. ${room.title ?? ''}`, onclick: () => this.#go(room.id),
      },
        make('b', { dir: 'auto' }, room.name), make('span', { class: 'state' }, state),
        make('small', { dir: 'auto' }, room.title ?? t('room.empty')),
        room.next ? make('small', { class: 'coming', dir: 'auto' }, t('play.nextIs', { title: room.next })) : null,
        room.outputs?.length ? make('small', {}, room.outputs.join(', ')) : null,
        canCarry ? roomLine(room) : null),
      canCarry ? make('button', { class: 'tool grip', 'data-do': 'move', 'data-id': `grip ${room.id}`,
        'aria-label': t('room.menu', { room: room.name }), 'aria-haspopup': 'dialog' }, icon('grip')) : null,
      canTurn ? this.#level(room) : null,
      canBring && !room.here
        ? make('button', { class: 'small', 'data-id': `bring ${room.id}`, 'data-needs': 'remote',
          'aria-label': t('room.moveTo', { room: room.name }),
          onclick: () => this.#bring(room) }, t('room.moveHere')) : null);
  }
  /**
   * The volume of a room, also of one that this page does not follow. A tap is one step, so that no tap makes it loud.
   */
  #level(room) {
    const step = (sign, d, does) => make('button', {
      'data-id': `${sign} ${room.id}`, 'data-needs': 'guest',
        'aria-label': `${t(does, { room: room.name })}, ${t('volume.percent', { n: room.level })}`,
      onclick: () => {
        buzz();
        this.#hub.press('vol.step', { d: d * ladder(d > 0 ? room.level : room.level - 1) },
          { key: token(4), room: room.id });
      },
    }, icon(sign));
    return make('div', { class: 'roomlevel', role: 'group', 'aria-label': t('volume.ofRoom', { room: room.name }) },
      step('less', -1, 'room.quieter'), make('output', {}, `${room.level}%`), step('more', 1, 'room.louder'));
  }
  async #go(id) {
    buzz();
    await follow(this.#hub, id);
    this.#chosen();
  }
  async #bring(room) {
    if (!await this.#move({ id: this.#hub.room }, room)) return;
    await follow(this.#hub, room.id);
    this.#chosen();
  }
  /** What plays in one room goes on in another. */
  async #move(from, to) {
    if (!from || !to) return false;
    buzz();
    const res = await this.#hub.press('room.move', { to: to.id }, { key: token(4), room: from.id });
    if (res.ok) this.#say(t('room.moved', { room: to.name }), 3000);
    return res.ok;
  }
  async #menu(room) {
    if (!room) return;
    buzz();
    try {
      const { openRoomMenu } = await import('./roommenu.js');
      openRoomMenu(this.#hub, room, { go: id => this.#go(id), move: (from, to) => this.#move(from, to),
        say: this.#say });
    } catch { this.#say(t('part.missing')) }
  }
}
