// The card of a room: its cover, what plays, play and pause, its volume, and the way there.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { artAddress, orLetters } from '../parts/cover.js';
import { buzz, icon, make, mark, put, showIcon } from '../parts/parts.js';
import { placeholder } from '../items/placeholder.js';
import { roomLine } from './roomline.js';
import { RoomSlider } from './roomslider.js';
import { t } from '../shell/translate.js';

const doing = ['playing', 'paused', 'buffering', 'stopped'], coverWidth = 56;
const isOn = room => ['playing', 'buffering'].includes(room.st);

export class RoomCard {
  #hub; #room; #parts; #slider = null;
  /** `told` has `go(id)`, `bring(room)` and `menu(room)`; a watch has no slider and no menu. */
  constructor(hub, room, told, isWatch) {
    this.#hub = hub;
    const { id } = room, line = isWatch ? null : roomLine(room);
    const p = this.#parts = {
      art: make('span', { class: 'art', 'aria-hidden': 'true' }), name: make('b', { dir: 'auto' }),
      state: make('span', { class: 'state' }), title: make('small', { dir: 'auto' }),
      next: make('small', { class: 'coming', dir: 'auto' }), outputs: make('small', { dir: 'auto' }) };
    p.main = make('button', { class: 'main', 'data-id': id, onclick: () => told.go(id) }, isWatch ? null : p.art,
      make('span', { class: 'texts' }, p.name, p.state, p.title, p.next, p.outputs, line));
    p.bring = make('button', { class: 'small', 'data-id': `bring ${id}`, 'data-needs': 'remote',
      onclick: () => told.bring(this.#room) }, t('room.moveHere'));
    this.element = make('li', { class: 'card', 'data-room': id }, p.main);
    if (!isWatch) {
      p.toggle = make('button', { class: 'tool', 'data-do': 'toggle', 'data-id': `toggle ${id}`, 'data-needs': 'remote',
        onclick: () => this.#toggle() }, icon('play'));
      const menu = make('button', { class: 'tool', 'data-do': 'more', 'data-id': `more ${id}`,
        'aria-haspopup': 'dialog',
        onclick: () => told.menu(id) }, icon('dots'));
      // Keys do by the menu what a pointer does by the grip.
      p.grip = make('button', { class: 'tool grip', 'data-do': 'move', 'data-id': `grip ${id}`, tabindex: -1 },
        icon('grip'));
      p.menu = menu;
      this.#slider = new RoomSlider(hub);
      this.element.append(p.toggle, menu, p.grip, this.#slider.element);
    }
    // Elsewhere its menu has it, and Play on….
    if (isWatch) this.element.append(p.bring);
  }
  draw(room, { canBring, canTurn }) {
    this.#room = room;
    const p = this.#parts;
    const playing = doing.includes(room.st) ? t(`room.${room.st}`) : room.st,
      state = `${playing}, ${room.mute ? t('volume.muted') : t('room.volume', { n: room.level })}`;
    this.element.classList.toggle('here', room.here);
    mark(p.main, 'aria-current', room.here ? 'true' : null);
    mark(p.main, 'aria-label', `${room.name}. ${state}. ${room.title ?? ''}`);
    put(p.name, room.name);
    put(p.state, this.#slider ? playing : state);
    put(p.title, room.title ?? t('room.empty'));
    put(p.next, room.next ? t('play.nextIs', { title: room.next }) : '');
    put(p.outputs, [...room.outputs ?? [], ...room.along ?? []].join(', '));
    p.bring.hidden = !canBring || room.here;
    mark(p.bring, 'aria-label', t('room.moveTo', { room: room.name }));
    if (!this.#slider) return;
    this.#drawCover(room);
    showIcon(p.toggle.firstChild, isOn(room) ? 'pause' : 'play');
    mark(p.toggle, 'aria-label', t(isOn(room) ? 'room.pauseOf' : 'room.playOf', { room: room.name }));
    p.toggle.disabled = !room.title;
    mark(p.menu, 'aria-label', t('room.menu', { room: room.name }));
    mark(p.grip, 'aria-label', t('room.carry', { room: room.name }));
    this.#slider.element.hidden = !canTurn;
    this.#slider.draw(room);
  }
  #drawCover(room) {
    const { art } = this.#parts, told = room.art ?? room.title ?? '';
    if (art.dataset.told === told) return;
    art.dataset.told = told;
    art.className = 'art';
    art.replaceChildren();
    placeholder(art, { title: room.title ?? room.name }, 'rooms');
    if (room.art) art.append(orLetters(make('img', { alt: '', draggable: 'false',
      src: artAddress(room.art, coverWidth) })));
  }
  #toggle() {
    buzz();
    this.#hub.press('toggle', { want: isOn(this.#room) ? 'paused' : 'playing' },
      { key: token(4), room: this.#room.id });
  }
}
