// What is kept on the hub's own disk: how much of it is there, the rules by which more is kept, the limit, and each
// item that a person has named, with its progress and a button that gives it up.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { field, twice, wrong } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { readOn } from '../parts/rest.js';
import { subHead } from '../parts/roothead.js';
import { addressOf } from '../shell/route.js';
import { styled } from '../parts/sheet.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { decimal, percent } from '../shell/writing.js';

const units = [[30, 'GiB'], [20, 'MiB'], [10, 'KiB']], mostRule = 1000, usualRule = 50;
export function size(bytes) {
  const [power, name] = units.find(([power]) => bytes >= 2 ** power) ?? units.at(-1), n = bytes / 2 ** power;
  return `${decimal(n, n < 10 && n % 1 ? 1 : 0)} ${name}`;
}
const bar = (done, all) => {
  const made = make('progress', { max: Math.max(1, all), 'aria-hidden': 'true' });
  made.value = done;
  return made;
};

export class Kept {
  #hub; #say; #rev; #told = ''; #isAsking = false; #isOld = false; #shown = null;
  #sum; #now; #limit; #favourites; #played; #n; #cards; #note;
  static async open({ hub, say }) {
    await Promise.all([styled(), loadStyle('kept.css')]);
    return new Kept(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#sum = make('div', { class: 'keptsum' });
    this.#now = make('p', { class: 'note', role: 'status', dir: 'auto' });
    this.#limit = this.#number('keeplimit', 'admin', { min: 0, onchange: () => this.#setLimit() });
    this.#favourites = this.#rule('favourites', t('kept.favourites'));
    this.#played = this.#rule('played', t('kept.played'));
    const again = () => { if (this.#isOn('played')) this.#press({ rule: 'played', n: this.#count, on: true }) };
    this.#n = this.#number('keepplayed', 'remote', { min: 1, max: mostRule, value: usualRule, onchange: again });
    const list = make('ul', { class: 'cards', 'aria-label': t('kept.name') });
    this.#cards = new Keyed(list, { key: ({ uri, rule }) => uri ?? rule, make: row => this.#card(row) });
    this.#note = make('p', { class: 'note' });
    this.element = make('div', { class: 'more keeping waiting' }, subHead(t('kept.name'), 'library'), this.#sum,
      this.#now, field(t('kept.limit'), this.#limit), make('h2', {}, t('kept.rules')), this.#favourites, this.#played,
      field(t('kept.howMany'), this.#n), make('h2', {}, t('kept.items')), list, this.#note);
  }
  #number(id, needs, more) {
    return make('input', { id, type: 'number', step: 1, inputmode: 'numeric', 'data-needs': needs, ...more });
  }
  #rule(name, text) {
    const button = make('button', { class: 'switch', role: 'switch', 'aria-checked': 'false', 'data-rule': name,
      'data-needs': 'remote' });
    button.append(make('span', {}, text), make('i'));
    button.onclick = () => this.#turn(name);
    return button;
  }
  opened() { this.#read() }
  /** Read again when the hub says that something is another, or that one of the tracks on the way is further. */
  draw() {
    const { keep } = this.#hub.said, rev = JSON.stringify([keep, this.#hub.live]);
    if (rev === this.#rev || !this.element.isConnected) return;
    this.#rev = rev;
    const list = keep?.now?.map(({ title, pct }) => `${title} ${percent(pct)}`).join(' · ');
    put(this.#now, keep?.msg ?? (list ? t('kept.now', { list }) : ''));
    this.#read();
  }
  /** One question at a time; what has changed meanwhile is asked for behind it. */
  async #read() {
    this.#isOld = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isOld && this.#hub.live && this.#hub.has('copies')) {
      this.#isOld = false;
      const res = await this.#hub.press('keep.list', {}, { silent: true });
      if (res.ok) Object.assign(res.d, await readOn(this.#hub, 'keep.list', res.d, {}, 'rows'));
      if (res.ok) this.#show(res.d); else put(this.#note, res.err?.msg ?? t('hub.refused'));
    }
    this.#isAsking = false;
    // All of it appears together: the sum stands above what can be pressed.
    this.element.classList.remove('waiting');
  }
  #show(d) {
    const told = JSON.stringify(d);
    if (told === this.#told) return;
    [this.#told, this.#shown] = [told, d];
    this.#sum.replaceChildren(...this.#summary(d));
    if (this.#limit !== document.activeElement && this.#limit.ariaInvalid !== 'true')
      this.#limit.value = Math.round(d.limit / 2 ** 30);
    for (const button of [this.#favourites, this.#played])
      mark(button, 'aria-checked', this.#isOn(button.dataset.rule));
    const n = d.rows.find(({ rule }) => rule === 'played')?.n;
    if (n && this.#n !== document.activeElement) this.#n.value = n;
    this.#cards.draw(d.rows);
    put(this.#note, d.rows.length ? d.more ? t('andMore', { n: d.more }) : '' : t('kept.none'));
  }
  #summary({ rows, bytes, limit, spare }) {
    const sum = name => rows.reduce((sum, row) => sum + row[name], 0), whole = sum('whole'), n = sum('tracks');
    const words = [t('kept.tracks', { whole, n }), t('kept.much', { size: size(bytes), limit: size(limit) })];
    if (spare !== undefined) words.push(t('kept.spare', { size: size(spare) }));
    return [make('p', {}, words.join(' · ')), bar(whole, n)];
  }
  #card(row) {
    const { uri, rule, title, whole, tracks, left, bytes, msg } = row, key = uri ?? rule;
    const words = [t('kept.tracks', { whole, n: tracks }), bytes ? size(bytes) : null];
    if (left) words.push(t('kept.left', { n: left }));
    const name = rule ? title : make('a', { href: addressOf('library', { at: uri }), 'data-at': `to ${key}` }, title);
    const end = () => this.#press({ ...uri ? { uri } : { rule }, on: false });
    const drop = twice(t('kept.drop'), t('kept.sure'), end, t('kept.dropThis', { title }));
    mark(drop, 'data-needs', 'remote');
    mark(drop, 'data-at', `drop ${key}`);
    return make('li', { class: 'card keptrow', 'data-key': key },
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, name),
        make('small', {}, words.filter(Boolean).join(' · ')),
        msg ? make('small', { class: 'trouble', dir: 'auto' }, msg) : null,
        whole < tracks ? bar(whole, tracks) : null), drop);
  }

  #isOn(rule) { return !!this.#shown?.rows.some(row => row.rule === rule) }
  get #count() { return Math.min(mostRule, Math.max(1, Math.round(this.#n.valueAsNumber) || usualRule)) }
  #turn(rule) {
    const on = !this.#isOn(rule);
    this.#press({ rule, ...rule === 'played' && on && { n: this.#count }, on });
  }
  async #press(p) {
    buzz();
    const res = await this.#hub.press('keep.set', p, { key: token(6) });
    if (res.ok && p.on) this.#say(t('kept.willBe'), 3000);
    this.#told = '';
    this.#read();
  }
  async #setLimit() {
    const n = this.#limit.valueAsNumber;
    // A field that is empty breaks no rule of the browser.
    if (!this.#limit.reportValidity()) return;
    if (Number.isNaN(n)) return wrong(this.#limit, t('wrong.anyNumber'));
    buzz();
    const res = await this.#hub.press('keep.limit', { bytes: Math.round(n) * 2 ** 30 }, { key: token(6) });
    if (res.ok) this.#say(t('kept.limitIs', { size: size(n * 2 ** 30) }), 3000);
    this.#told = '';
    this.#read();
  }
}
