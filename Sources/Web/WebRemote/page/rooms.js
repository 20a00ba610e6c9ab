// The rooms of the hub, and the people who are connected: two lists that show what the hub says.

import { token } from './baton.js';
import './icons.js';
import { buzz, icon, make, shape } from './parts.js';
import { ladder } from './volume.js';

const doing = { playing: 'Playing', paused: 'Paused', buffering: 'Waiting for data', stopped: 'Stopped' };

/** Redraws a list when its content has changed, and keeps the focus. */
function relist(element, value, rows) {
  const said = JSON.stringify(value);
  if (element.dataset.said === said) return;
  element.dataset.said = said;
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.id : null;
  element.replaceChildren(...rows());
  if (focused) element.querySelector(`[data-id="${CSS.escape(focused)}"]`)?.focus();
}

export class Rooms {
  #hub; #say; #chosen;
  /** `chosen` is called when the person chose another room. */
  constructor(hub, say, chosen = () => { }) {
    [this.#hub, this.#say, this.#chosen] = [hub, say, chosen];
    this.element = make('ul', { class: 'cards', 'aria-label': 'Rooms' });
  }
  draw(view) {
    const hub = this.#hub, { list = [], more } = hub.said.rooms ?? {};
    const rooms = list.map(room => ({ ...room, here: room.id === hub.room, next: room.id === hub.room ? view.nextText : null }));
    const canBring = rooms.length > 1 && !!view.entry, canTurn = !!hub.span && shape() !== 'watch';
    relist(this.element, [rooms, canBring, canTurn, more], () => [
      ...rooms.map(room => this.#card(room, canBring, canTurn)),
      more ? make('li', { class: 'note' }, `and ${more} more`) : null,
    ].filter(Boolean));
  }
  #card(room, canBring, canTurn) {
    const state = `${doing[room.st] ?? room.st}, ${room.mute ? 'muted' : `volume ${room.level}%`}`;
    return make('li', { class: room.here ? 'card here' : 'card' },
      make('button', {
        class: 'main', 'data-id': room.id, 'aria-current': room.here ? 'true' : null,
        'aria-label': `${room.name}. ${state}. ${room.title ?? ''}`, onclick: () => this.#go(room.id),
      },
        make('b', { dir: 'auto' }, room.name), make('span', { class: 'state' }, state),
        make('small', { dir: 'auto' }, room.title ?? 'Nothing in the queue'),
        room.next ? make('small', { class: 'coming', dir: 'auto' }, `Next: ${room.next}`) : null,
        room.outputs?.length ? make('small', {}, room.outputs.join(', ')) : null),
      canTurn ? this.#level(room) : null,
      canBring && !room.here
        ? make('button', { class: 'small', 'aria-label': `Move the music to ${room.name}`, onclick: () => this.#bring(room) }, 'Move here') : null);
  }
  /** The volume of a room, also of one that this page does not follow. A tap is one step, so that no tap makes it loud. */
  #level(room) {
    const step = (sign, d, does) => make('button', {
      'data-id': `${sign} ${room.id}`, 'aria-label': `${does} in ${room.name}, ${room.level} percent`,
      onclick: () => { buzz(); this.#hub.press('vol.step', { d: d * ladder(d > 0 ? room.level : room.level - 1) }, { key: token(4), room: room.id }) },
    }, icon(sign));
    return make('div', { class: 'roomlevel', role: 'group', 'aria-label': `Volume in ${room.name}` },
      step('less', -1, 'Quieter'), make('output', {}, `${room.level}%`), step('more', 1, 'Louder'));
  }
  async #go(id) {
    buzz();
    await this.#hub.follow(id);
    this.#chosen();
  }
  async #bring(room) {
    buzz();
    const res = await this.#hub.press('room.move', { to: room.id }, { key: token(4) });
    if (!res.ok) return;
    this.#say(`The music is in ${room.name} now.`, 3000);
    await this.#hub.follow(room.id);
    this.#chosen();
  }
}

export class People {
  #hub;
  constructor(hub) {
    this.#hub = hub;
    this.element = make('ul', { class: 'cards', 'aria-label': 'People' });
  }
  draw() {
    const { people, rooms } = this.#hub.said;
    if (!people) return;
    const list = people.list ?? [], names = new Map((rooms?.list ?? []).map(room => [room.id, room.name]));
    const mine = list.filter(person => person.name === this.#hub.name).pop();
    relist(this.element, [list, people.n, people.more, [...names], this.#hub.name], () => [
      ...list.map(person => make('li', { class: person === mine ? 'person here' : 'person' }, icon('people'),
        make('b', { dir: 'auto' }, person.name || 'Unnamed device'), person === mine ? make('span', { class: 'state' }, 'this device') : null,
        make('small', {}, [person.role, names.get(person.room) ?? person.room, since(person.sinceMs), person.idleSinceMs ? `idle ${since(person.idleSinceMs)}` : ''].filter(Boolean).join(' · ')))),
      !people.list && people.n ? make('li', { class: 'note' }, `${people.n} connected`) : null,
      people.more ? make('li', { class: 'note' }, `and ${people.more} more`) : null,
    ].filter(Boolean));
  }
}

function since(ms) {
  if (!ms) return '';
  const at = new Date(ms), hours = (Date.now() - ms) / 3600000;
  return `since ${hours > 20 ? at.toLocaleDateString([], { day: 'numeric', month: 'short' }) : at.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}`;
}
