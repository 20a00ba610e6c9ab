// The titles of the station that plays, as far as the hub has kept them, newest first: a tap goes back to one, a button
// saves it.

import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, mark, put } from '../parts/parts.js';
import { subHead } from '../parts/roothead.js';
import { Past } from '../radio/past.js';
import { addressOf } from '../shell/route.js';
import { styled } from '../parts/sheet.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

export class Heard {
  #hub; #say; #past; #cards; #note;
  static async open({ hub, say }) {
    await Promise.all([styled(), loadStyle('heard.css')]);
    return new Heard(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#past = Past.of(hub, () => this.element.isConnected && this.#show());
    const list = make('ol', { class: 'cards', 'aria-label': t('heard.name') });
    this.#cards = new Keyed(list, { key: ({ n }) => n, make: title => this.#card(title) });
    this.#note = make('p', { class: 'note' });
    this.element = make('div', { class: 'more heard' }, subHead(t('heard.name'), 'home'), list, this.#note);
  }
  opened() { this.#past.read() }
  draw() {
    if (!this.element.isConnected) return;
    this.#past.draw();
    this.#show();
  }
  #show() {
    const past = this.#past, { titles, behindMs } = past, current = past.titleAt(behindMs)?.n;
    const rows = past.isThere ? titles.toReversed() : [];
    const rest = past.more ? t('andMore', { n: past.more }) : rows.length ? '' : t('heard.none');
    put(this.#note, past.isThere ? rest : t('heard.noStation'));
    this.#cards.draw(rows.map(({ n, at, end, title, part, saved }) =>
      ({ n, at, end, title, part, saved, isCurrent: n === current })));
  }
  #card({ n, at, end, title, part, saved, isCurrent }) {
    const words = [date(at, { hour: '2-digit', minute: '2-digit' }), end === undefined ? t('heard.onAir') : null];
    words.push(part ? t('heard.part') : null, saved ? t('heard.saved') : null);
    const go = make('button', {
      class: 'main', 'data-needs': 'remote', 'data-at': `go ${n}`, 'aria-current': isCurrent ? 'true' : null,
      onclick: () => this.#go(n),
    }, make('b', { dir: 'auto' }, title || t('heard.untitled')), make('small', {}, words.filter(Boolean).join(' · ')));
    const save = make('button', {
      class: 'tool', 'data-needs': 'remote', 'data-at': `save ${n}`,
      'aria-label': t(saved ? 'heard.isSaved' : 'heard.save', { title }), onclick: () => this.#save(n, title, end),
    }, icon('save'));
    mark(save, 'aria-pressed', !!saved);
    return make('li', { class: 'card heardrow', 'data-n': n }, go, this.#search(title), save);
  }
  /** To one's own copy, or another place of the song. */
  #search(title) {
    if (!title || !this.#hub.said.lib) return null;
    const q = title.replace(/\s+[-–—]\s+/g, ' ').slice(0, 200), label = t('heard.find', { title });
    const href = addressOf('search', { q });
    return make('a', { class: 'tool', href, 'aria-label': label, title: label }, icon('search'));
  }
  #go(n) {
    buzz();
    this.#past.toTitle(n);
  }
  async #save(n, title, end) {
    buzz();
    const res = await this.#past.save(n);
    if (res.ok) this.#say(t(end === undefined ? 'heard.willBeSaved' : 'heard.nowSaved', { title }), 4000);
    this.#past.read();
  }
}
