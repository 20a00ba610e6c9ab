// The menu of a watch: everything that does not fit on its one screen, opened by a tap on the title.

import { $, buzz, calm, make, put, shape } from './parts.js';
import { Rooms } from './rooms.js';

const watchSections = ['n', 'l', 'v', 'm', 'r', 'b', 'x'];
const modeNames = { once: 'Once', 'repeat-all': 'Repeat all', 'repeat-one': 'Repeat one', shuffle: 'Shuffle' };

/**
 * After ten seconds without a touch a watch shows a dark screen; the next touch counts, and wakes it. Before that, a
 * title that is too long scrolls by once in ten seconds.
 */
class Rest {
  #timer = 0;
  constructor(hub) {
    for (const event of ['pointerdown', 'keydown', 'wheel']) addEventListener(event, () => this.wake(), { passive: true });
    setInterval(() => this.#pass(hub), 10000);
    this.wake();
  }
  wake() {
    clearTimeout(this.#timer);
    document.documentElement.classList.remove('ambient');
    this.#timer = setTimeout(() => document.documentElement.classList.toggle('ambient', shape() === 'watch'), 10000);
  }
  #pass(hub) {
    const title = $('title'), over = title.scrollWidth - title.clientWidth, is = document.documentElement.classList;
    if (over < 4 || calm.matches || document.hidden || !hub.isPlaying || is.contains('ambient') || shape() !== 'watch') return;
    const there = { textIndent: `${-over}px`, textOverflow: 'clip' }, here = { textIndent: '0', textOverflow: 'clip' };
    title.animate([here, { ...there, offset: .7 }, { ...there, offset: .9 }, here], { duration: 1500 + over * 40, easing: `steps(${Math.ceil(over / 4)})` });
  }
}

export class WatchMenu {
  #hub; #rooms; #mode; #theme; #title; #open = false; #deck; #looks;
  constructor(hub, looks, deck) {
    [this.#hub, this.#looks, this.#deck] = [hub, looks, deck];
    this.#rooms = new Rooms(hub, () => { }, () => this.close());
    this.#title = make('h2', { dir: 'auto' });
    const row = (text, act) => make('button', { class: 'small', onclick: () => { buzz(); act() } }, text);
    this.#mode = row('', () => deck.cycle());
    this.#theme = row('', () => { looks.cycle(); this.#label() });
    this.element = make('div', { class: 'watchmenu' }, row('Done', () => this.close()), this.#title,
      make('div', { class: 'pair' }, row('− 15 s', () => hub.seekBy(-15000)), row('+ 15 s', () => hub.seekBy(15000))),
      this.#mode, this.#rooms.element, this.#theme);
    new Rest(hub);
  }
  #label() { put(this.#theme, `Theme: ${this.#looks.title}`) }
  open() {
    this.#open = true;
    // A watch receives the list of rooms only while this menu shows it.
    if (this.#hub.profile === 'watch') this.#hub.subscribe({ sections: [...watchSections, 'rooms'] });
    this.#label();
    this.draw(this.#hub.view());
    $('sheet').replaceChildren(this.element);
    $('sheet').onclose = () => {
      this.#open = false;
      if (this.#hub.profile === 'watch') this.#hub.subscribe({ sections: watchSections });
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
