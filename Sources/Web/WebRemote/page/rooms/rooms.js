// The rooms of the hub: a card for each, which the hub's state writes in place, and a way to make another.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { follow } from '../../../../../examples/browser/client/baton-verbs.js';
import { droppingOnto } from '../gestures/drag.js';
import { onMenu } from '../gestures/hold.js';
import '../looks/icons.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, put, shape } from '../parts/parts.js';
import { RootHead } from '../parts/roothead.js';
import { WholeList } from '../parts/rest.js';
import { RoomCard } from './roomcard.js';
import { RoomLines } from './roomline.js';
import { addressOf } from '../shell/route.js';
import { styled } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

export class Rooms {
  #hub; #say; #chosen; #lines; #cards; #list; #head; #all; #more; #add; #people; #can = {};
  static async open({ hub, say, chosen }) {
    await styled();
    return new Rooms(hub, say, chosen);
  }
  /** `chosen` is called when the person chose another room. */
  constructor(hub, say, chosen = () => { }) {
    [this.#hub, this.#say, this.#chosen] = [hub, say, chosen];
    this.#list = make('ul', { class: 'cards', 'aria-label': t('tab.rooms') });
    this.#all = new WholeList(hub, ['room.list'], () => this.draw(hub.view()));
    this.#more = make('p', { class: 'note' });
    const isWatch = shape() === 'watch';
    this.#head = isWatch ? null : new RootHead(hub, t('tab.rooms'));
    this.#add = make('a', { class: 'small act', id: 'roomadd', href: addressOf('settings', { page: 'rooms' }),
      'data-needs': 'admin' }, icon('more'), make('span', {}, t('room.another')));
    this.#people = make('a', { class: 'small act', href: addressOf('people'), hidden: true }, icon('people'),
      make('span', {}, t('people.name')));
    this.element = make('div', { class: 'rooms' }, this.#head?.element, this.#list, this.#more,
      isWatch ? null : this.#people,
      isWatch || !hub.has('rooms') ? null : this.#add);
    this.#lines = new RoomLines(hub, this.#list);
    // A card that is pressed is of the room that it shows, also when that is gone by now.
    const find = id => this.#cards.element(id)?.row, menu = id => this.#menu(find(id));
    const told = { go: id => this.#go(id), bring: room => this.#bring(room), menu };
    this.#cards = new Keyed(this.#list, { key: room => room.id, make: room => {
      const card = new RoomCard(hub, room, told, isWatch);
      card.element.card = card;
      return card.element;
    }, draw: (element, room) => element.card.draw(room, this.#can) });
    droppingOnto(this.#list, 'room', { drop: (from, to) => this.#move(find(from), find(to)), tap: () => { } });
    onMenu(this.#list, event => {
      const id = event.target.closest('[data-room]')?.dataset.room;
      if (id) menu(id);
      return !!id;
    });
  }
  draw(view) {
    const hub = this.#hub, list = this.#all.rows(hub.said.rooms);
    // The hub tells of the room that is followed alone which devices play it along.
    const along = hub.said.listeners?.list?.filter(({ hears }) => hears).map(({ name, dev }) => name || dev);
    const rooms = list.map(room => ({ ...room, here: room.id === hub.room,
      ...room.id === hub.room && { next: view.nextText, art: view.art?.id ?? room.art, along } }));
    this.#can = { canBring: rooms.length > 1 && !!view.entry, canTurn: !!hub.span };
    this.#head?.draw();
    put(this.#more, this.#all.more ? t('andMore', { n: this.#all.more }) : '');
    this.#people.hidden = !hub.said.people;
    this.#cards.draw(rooms);
    this.#lines.draw(rooms);
  }
  async #go(id) {
    buzz();
    // The room that is here needs no answer, and one that is gone by now is refused.
    const res = await follow(this.#hub, id);
    if (res?.ok ?? true) this.#chosen();
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
