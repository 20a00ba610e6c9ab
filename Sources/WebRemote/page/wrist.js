// Everything that a watch's one screen has no room for, one tap on the title away: a short list of large rows.

import { $, buzz, make, put } from './parts.js';
import { Rooms } from './rooms.js';

const wristSections = ['n', 'l', 'v', 'm', 'r', 'b', 'x'];
const modeNames = { once: 'Once', 'repeat-all': 'Repeat all', 'repeat-one': 'Repeat one', shuffle: 'Shuffle' };

export class Wrist {
  #hub; #rooms; #mode; #theme; #title; #open = false; #deck; #looks;
  constructor(hub, looks, deck) {
    [this.#hub, this.#looks, this.#deck] = [hub, looks, deck];
    this.#rooms = new Rooms(hub, () => { }, () => this.close());
    this.#title = make('h2', { dir: 'auto' });
    const row = (text, act) => make('button', { class: 'small', onclick: () => { buzz(); act() } }, text);
    this.#mode = row('', () => deck.cycle());
    this.#theme = row('', () => { looks.cycle(); this.#label() });
    this.element = make('div', { class: 'wrist' }, row('Done', () => this.close()), this.#title,
      make('div', { class: 'pair' }, row('− 15 s', () => hub.seekBy(-15000)), row('+ 15 s', () => hub.seekBy(15000))),
      this.#mode, this.#rooms.element, this.#theme);
    $('open').onclick = () => { buzz(); this.open() };
  }
  #label() { put(this.#theme, this.#looks.theme === 'cat' ? 'Theme: Black Cat' : `Theme: ${this.#looks.theme[0].toUpperCase()}${this.#looks.theme.slice(1)}`) }
  open() {
    this.#open = true;
    // A watch pays for the list of rooms only while it looks at it.
    if (this.#hub.profile === 'watch') this.#hub.subscribe({ sections: [...wristSections, 'rooms'] });
    this.#label();
    this.draw(this.#hub.view());
    $('sheet').replaceChildren(this.element);
    $('sheet').onclose = () => {
      this.#open = false;
      if (this.#hub.profile === 'watch') this.#hub.subscribe({ sections: wristSections });
    };
    $('sheet').showModal();
  }
  close() { $('sheet').close() }
  draw(view) {
    if (!this.#open) return;
    put(this.#title, view.title ?? 'No music');
    put(this.#mode, modeNames[view.mode] ?? 'Once');
    this.#rooms.draw(view);
  }
}
