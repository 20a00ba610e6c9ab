// A screen on a wall: after a minute without a touch, or at the address `#/wall`, it shows the cover, the time of day,
// what plays, the line of its lyrics and what comes next. Any touch or key brings the controls back, and does nothing
// else.

import { Cover } from '../parts/cover.js';
import { WakeLock } from '../settings/locks.js';
import { $, icon, make, put, shape } from '../parts/parts.js';
import { publicOrigin } from '../parts/publicorigin.js';
import { turn } from '../shell/state.js';
import { loadStyle } from '../parts/styles.js';
import { locale, t } from '../shell/translate.js';
import { ownUser } from '../settings/me.js';
import { Words } from '../lyrics/words.js';

const idleMs = 60000, time = new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' });

export class Wall {
  #hub; #isMeant = false; #isAsked = false; #timer = 0; #clock = 0; #element = null; #cover; #texts = {};
  #words; #guests = make('div', { class: 'wallguests', hidden: true }); #awake = new WakeLock(false);
  static async open({ hub }) {
    await loadStyle('wall.css');
    return new Wall(hub);
  }
  constructor(hub) {
    this.#hub = hub;
    this.#words = new Words(hub, () => !!this.#element?.isConnected, () => this.#sing());
    for (const name of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'])
      addEventListener(name, event => this.#touched(event), { capture: true, passive: false });
    this.#wait();
  }
  /** Asked for by a person: it fills the screen where the browser lets it, and a mouse that moves does not end it. */
  open() {
    this.#isMeant = true;
    // A screen on a wall opens the address itself, without a press.
    this.#isAsked = navigator.userActivation?.isActive ?? false;
    this.#show();
    if (navigator.userActivation?.isActive) document.documentElement.requestFullscreen?.().catch(() => { });
  }
  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), idleMs);
  }
  #touched(event) {
    this.#wait();
    if (!this.#element?.isConnected) return;
    // A mouse that is bumped by less than a hand would move it.
    if (event.type === 'pointermove' && (this.#isMeant || Math.hypot(event.movementX, event.movementY) < 4)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.#hide();
  }
  #hide() {
    if (this.#isMeant && document.fullscreenElement) document.exitFullscreen().catch(() => { });
    // A person is back where it was pressed; a screen that was opened by its address stays one.
    if (this.#isAsked && location.hash === '#/wall' && history.state?.before?.length) history.back();
    this.#isMeant = this.#isAsked = false;
    clearInterval(this.#clock);
    this.#element.remove();
    this.#awake.hold(false);
    turn('walled', false);
  }
  #show() {
    if (!this.#isMeant && this.#isInUse()) return this.#wait();
    if (this.#element?.isConnected) return;
    this.#element ??= this.#make();
    document.body.append(this.#element);
    turn('walled', true);
    this.#clock = setInterval(() => this.#tick(), 1000);
    this.#tick();
    this.#awake.hold(true);
    this.draw(this.#hub.view());
    this.#invite();
  }
  /** Where the hub lets guests in, their way to this room. */
  async #invite() {
    const me = await ownUser(this.#hub), areWelcome = me?.guests && me.guests !== 'off',
      page = areWelcome ? await publicOrigin(this.#hub) : null;
    this.#guests.hidden = !page;
    if (this.#guests.hidden) return;
    const { squareFor } = await import('../pairing/square.js');
    const square = squareFor(new URL(`?room=${this.#hub.room}`, page).href);
    this.#guests.replaceChildren(square, make('p', {}, t('wall.guests')));
  }
  /** Not over what someone is typing or choosing, and by itself only where the screen is large or stands for it. */
  #isInUse() {
    return shape() !== 'desktop' && location.hash !== '#/wall' || document.hidden || $('sheet').open
      || !!document.activeElement?.matches('input, select, textarea');
  }
  #make() {
    const text = name => this.#texts[name] = make('p', { class: name, dir: 'auto' }),
      art = make('div', { class: 'wallcover' });
    this.#cover = new Cover(art);
    return make('div', { id: 'wall', 'aria-hidden': 'true' }, make('div', { class: 'wallart' }, icon('note'), art),
      make('div', { class: 'walltexts' }, text('clock'), text('walltitle'), text('wallartist'), text('walllyric'),
        text('walllater'), text('wallnext'), text('wallroom')), this.#guests);
  }
  /** Without the half of the day, which a person in the room knows. */
  #tick() {
    put(this.#texts.clock, time.formatToParts().filter(({ type }) => type !== 'dayPeriod').map(({ value }) => value)
      .join('').trim());
  }
  draw(view) {
    if (!this.#element?.isConnected) return;
    put(this.#texts.walltitle, view.entry ? view.title || t('item.untitled') : t('play.nothing'));
    put(this.#texts.wallartist, view.artist ?? '');
    put(this.#texts.wallnext, view.nextText ? t('play.nextIs', { title: view.nextText }) : '');
    put(this.#texts.wallroom, view.problem ?? view.roomName ?? '');
    this.#cover.show(view.art);
    this.#words.draw(view);
  }
  /** The line that is sung, and the one after it. Lyrics without times are not shown on a wall. */
  #sing() {
    const { lines, isTimed, current } = this.#words;
    if (!this.#element) return;
    put(this.#texts.walllyric, isTimed ? lines[current]?.text ?? '' : '');
    put(this.#texts.walllater, isTimed ? lines[current + 1]?.text ?? '' : '');
  }
}
