// Music without end: a switch that begins with the line in the field, how many pieces are made ahead, what they go on
// from, and wishes for the next one.

import { field } from '../parts/forms.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { steerButtons } from './steering.js';
import { t } from '../shell/translate.js';

const mostAhead = 5, follows = ['motif', 'prompt'];

export class Endless {
  #hub; #told; #switch; #about; #rest; #ahead; #follow;
  /** `told` has `text()`, what stands in the field, and `worker()`. */
  constructor(hub, say, told) {
    [this.#hub, this.#told] = [hub, told];
    const needs = needOf('gen.endless');
    this.#switch = make('button', { class: 'switch', role: 'switch', 'data-do': 'endless', 'data-needs': needs,
      onclick: () => this.#turn() }, make('span', {}, t('endless.name')), make('i'));
    this.#about = make('p', { class: 'note', role: 'status' });
    const choice = (at, values, text, of) => make('select', { 'data-at': at, 'data-needs': needs,
      onchange: event => this.#set({ [at]: of(event.target.value) }) },
      ...values.map(value => make('option', { value }, text(value))));
    this.#ahead = choice('ahead', Array.from({ length: mostAhead }, (_, at) => at + 1), value => `${value}`, Number);
    this.#follow = choice('follow', follows, value => t(`endless.follow.${value}`), String);
    this.#rest = make('div', { class: 'prompt', hidden: true },
      make('div', { class: 'lines', role: 'group', 'aria-label': t('steer.name') }, ...steerButtons(hub, say)),
      field(t('endless.ahead'), this.#ahead), field(t('endless.follow'), this.#follow));
    this.element = make('section', { class: 'prompt' }, this.#switch, this.#about, this.#rest);
  }
  draw() {
    const { endless } = this.#hub.said, isOn = !!endless?.on;
    mark(this.#switch, 'aria-checked', isOn);
    this.#rest.hidden = !isOn;
    put(this.#about, this.#words(endless));
    if (!isOn) return;
    if (this.#ahead !== document.activeElement) this.#ahead.value = endless.ahead;
    if (this.#follow !== document.activeElement) this.#follow.value = endless.follow;
  }
  #words(endless) {
    if (!endless) return t('endless.about');
    const wished = endless.steer?.map(way => t(`steer.${way}`)).join(', ');
    return [endless.prompt, endless.by, wished ? t('steer.wished', { list: wished }) : null, endless.msg]
      .filter(Boolean).join(' · ');
  }
  /** Without a line in the field the room goes on as it did before. */
  #turn() {
    const on = !this.#hub.said.endless?.on, text = this.#told.text(), worker = this.#told.worker();
    this.#press(on ? { on, ...text && { text }, ...worker && { worker } } : { on });
  }
  #set(change) { this.#press({ on: true, ...change }) }
  async #press(p) {
    buzz();
    const res = await this.#hub.press('gen.endless', p), hand = document.activeElement;
    // What was refused does not stay chosen.
    if (!res.ok && [this.#ahead, this.#follow].includes(hand)) hand.blur();
    this.draw();
  }
}
