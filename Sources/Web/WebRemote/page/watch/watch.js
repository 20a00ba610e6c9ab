// The menu of a watch: everything that does not fit on its one screen, opened by a tap on the title.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { seekBy, subscribe } from '../../../../../examples/browser/client/baton-verbs.js';
import { watchWords } from '../making/jobwords.js';
import { cycle, modeOf } from '../playing/modes.js';
import { $, buzz, calm, make, put, shape } from '../parts/parts.js';
import { Rooms } from '../rooms/rooms.js';
import { isAsleep, sleepChips } from '../playing/sleep.js';
import { is, turn } from '../shell/state.js';
import { steerButtons, wishes } from '../making/steering.js';
import { cycle as nextTheme, titleOf } from '../looks/themes.js';
import { t } from '../shell/translate.js';
import { WatchPresets } from '../presets/watchpresets.js';
import { WatchQueue } from './watchqueue.js';

const watchSections = ['n', 'l', 'v', 'm', 'r', 'b', 'x', 'g', 'z'];

/**
 * After ten seconds without a touch a watch shows a dark screen; the next touch counts, and wakes it. Before that, a
 * title that is too long scrolls by once in ten seconds.
 */
class Rest {
  #timer = 0;
  constructor(hub) {
    for (const event of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(event, () => this.wake(), { passive: true });
    setInterval(() => this.#pass(hub), 10000);
    this.wake();
  }
  wake() {
    clearTimeout(this.#timer);
    turn('ambient', false);
    this.#timer = setTimeout(() => turn('ambient', shape() === 'watch'), 10000);
  }
  #pass(hub) {
    const title = $('title'), over = title.scrollWidth - title.clientWidth;
    if (over < 4 || calm.matches || document.hidden || !hub.isPlaying || is('ambient') || shape() !== 'watch') return;
    const there = { textIndent: `${-over}px`, textOverflow: 'clip' }, here = { textIndent: '0', textOverflow: 'clip' };
    title.animate([here, { ...there, offset: .7 }, { ...there, offset: .9 }, here],
      { duration: 1500 + over * 40, easing: `steps(${Math.ceil(over / 4)})` });
  }
}

export class WatchMenu {
  #hub; #rooms; #sleep = make('div'); #mode; #live; #theme; #title; #making; #steer; #open = false; #looks; #say;
  #back; #forward; #where = make('div', { hidden: true }); #isTold = false; #queue;
  static open({ hub, looks, say }) { return new WatchMenu(hub, looks, say) }
  constructor(hub, looks, say) {
    [this.#hub, this.#looks, this.#say] = [hub, looks, say];
    this.#rooms = new Rooms(hub, () => { }, () => this.close());
    this.#title = make('h2', { dir: 'auto' });
    this.#steer = make('div', { class: 'pair' }, ...steerButtons(hub, say, wishes.slice(0, 2)));
    this.#making = make('p', { class: 'note', dir: 'auto' });
    const row = (text, act) => make('button', { class: 'small', onclick: () => { buzz(); act() } }, text);
    this.#mode = row('', () => cycle(hub, say));
    this.#theme = row('', () => { nextTheme(looks); this.#label() });
    // A station has no modes, and one that is behind returns to what comes now.
    this.#live = row(t('past.live'), () => hub.press('radio.live', { entry: hub.view().entry }, { key: token(4) }));
    this.#queue = new WatchQueue(hub, say, { close: () => this.close(), left: () => this.#end() });
    const presets = new WatchPresets(hub, say), open = () => { this.#end(); presets.open() };
    this.element = make('div', { class: 'watchmenu' }, row(t('done'), () => this.close()), this.#where,
      row(t('presets.name'), open),
      this.#title, this.#making, this.#steer,
      make('div', { class: 'pair' }, this.#back = row('', () => seekBy(hub, -hub.view().steps[0])),
        this.#forward = row('', () => seekBy(hub, hub.view().steps[1]))),
      this.#queue.element, this.#sleep, this.#mode, this.#theme, this.#rooms.element);
    new Rest(hub);
  }
  #label() { put(this.#theme, t('theme.is', { name: titleOf(this.#looks) })) }
  open() {
    this.#open = true;
    // A watch receives the queue, the list of rooms, how the music goes on and how far steps go only while this menu
    // shows them.
    if (this.#hub.viewName === 'watch')
      subscribe(this.#hub, { sections: [...watchSections, 'queue', 'rooms', 'endless', 'modes'] });
    this.#label();
    this.#offer();
    if (this.#hub.has('books')) this.#sleep.replaceChildren(...sleepChips(this.#hub, 'pair', () => this.close()));
    this.draw(this.#hub.view());
    $('sheet').replaceChildren(this.element);
    $('sheet').onclose = () => this.#end();
    $('sheet').showModal();
  }
  /** Where a person may have fallen asleep. */
  async #offer() {
    this.#where.hidden = true;
    if (!isAsleep(this.#hub)) return;
    const { asleepButtons } = await import('../playing/asleep.js');
    const buttons = await asleepButtons(this.#hub, () => this.close());
    this.#where.replaceChildren(make('h3', { class: 'sleeping' }, t('asleep.name')), ...buttons);
    this.#where.hidden = !buttons.length;
  }
  #end() {
    this.#open = false;
    this.#queue.end();
    if (this.#hub.viewName === 'watch') subscribe(this.#hub, { sections: watchSections });
  }
  close() { $('sheet').close() }
  draw(view) {
    const isToTell = isAsleep(this.#hub) && this.#hub.isPlaying;
    const isNew = isToTell && !this.#isTold;
    this.#isTold = isToTell;
    // What is said is drawn too, so this must not be new any more.
    if (isNew) this.#say(t('asleep.tap'), 8000);
    if (!this.#open) return;
    put(this.#back, t('play.backBy', { n: view.steps[0] / 1000 }));
    put(this.#forward, t('play.forwardBy', { n: view.steps[1] / 1000 }));
    put(this.#title, view.title ?? t('play.nothing'));
    put(this.#making, watchWords(this.#hub));
    this.#making.hidden = !this.#making.textContent;
    this.#steer.hidden = !this.#hub.said.endless?.on;
    put(this.#mode, t(`mode.${modeOf(view)}`));
    const [shown, other] = view.isLive ? [this.#live, this.#mode] : [this.#mode, this.#live];
    if (other.parentNode) other.replaceWith(shown);
    this.#rooms.draw(view);
    this.#queue.draw();
  }
}
