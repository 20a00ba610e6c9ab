// The search: each keystroke asks, the rows of the last answer stay until the next one, and servers that answer late
// add their rows. What is found opens as it does in the library.

import { pageOfRows } from './asking.js';
import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { isHeld } from '../gestures/finger.js';
import { isContainer, quoted } from '../items/items.js';
import { Library } from './library.js';
import { icon, make, put } from '../parts/parts.js';
import { Recent } from './recent.js';
import { resultHeadings, takeFound } from './results.js';
import { whereIs } from '../servers/sourcerows.js';
import { loadStyle } from '../parts/styles.js';
import { place } from '../parts/trail.js';
import { t } from '../shell/translate.js';
import { listed } from '../shell/writing.js';

/** A press that is answered later, as after an outage, plays nothing any more. */
const pressMs = 5000;

export class Search extends Library {
  #field; #pressedAt = -pressMs; #more; #recent;
  static async open({ hub, say }, root) {
    await loadStyle('library.css');
    return new Search(hub, say, root);
  }
  constructor(hub, say, root) {
    super(hub, say, root);
    // Above the field, which stays in sight.
    this.element.prepend(this.rootHead.element);
    this.#field = make('input', {
      type: 'search', id: 'find', placeholder: t('search.name'), 'aria-label': t('search.label'), maxlength: 200,
        autocomplete: 'off', autocapitalize: 'off',
      spellcheck: 'false', enterkeyhint: 'search', oninput: () => this.#typed(), onkeydown: event => this.#keyed(event),
    });
    this.order.before(make('div', { class: 'find' }, icon('search'), this.#field));
    this.#recent = new Recent(q => this.go(this.placeOf({ q })));
    this.list.after(this.#recent.element);
    this.#more = make('p', { class: 'says', role: 'status' });
    this.scroller.append(this.#more);
  }

  focus() { this.#field.focus(); this.#field.select() }
  #typed() {
    const q = this.#field.value.trim(), isSearch = this.here.kind === 'search';
    this.#pressedAt = -pressMs;
    this.#recent.drop();
    if (!q) return isSearch ? this.goBack() : null;
    if (isSearch && this.here.q === q) return;
    if (isSearch && this.scroller.scrollTop) this.scroller.scrollTop = 0;
    if (isSearch) {
      Object.assign(this.here, this.#question(q));
      this.moved(true);
    } else this.go(place({ kind: 'search', isKnown: true, isFresh: true, ...this.#question(q) }));
    this.ask(true);
  }
  #question(q) {
    return { q, title: quoted(q), node: { uri: items.found(q), kind: 'shelf' }, total: undefined, cursor: null,
      asked: [], missed: [], isAsked: true };
  }
  placeOf(wanted) {
    if (wanted.q) return place({ kind: 'search', isFresh: true, ...this.#question(wanted.q.slice(0, 200)) });
    return super.placeOf(wanted);
  }
  #keyed(event) {
    // The keys that choose a word of Japanese or Chinese are part of typing.
    if (event.isComposing) return;
    if (event.key === 'Escape' && this.#field.value) {
      event.stopPropagation();
      this.#field.value = '';
      return this.#typed();
    }
    if (!['ArrowDown', 'Enter'].includes(event.key) || this.here.kind !== 'search') return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'ArrowDown') return this.list.querySelector('[data-do=main]')?.focus();
    // What was typed may not be answered yet.
    if (this.here.isAsked) this.#pressedAt = performance.now(); else this.#playFirst();
  }
  #playFirst() {
    this.#pressedAt = -pressMs;
    const { here } = this, best = here.rows.find(row => !row.away);
    if (here.kind !== 'search' || !best) return;
    this.#field.blur();
    if (isContainer(best)) this.acts.all(best); else this.acts.from(best, here);
  }
  request(here) {
    return here.kind === 'search' ? ['lib.search', this.available.asked({ q: here.q, limit: pageOfRows })]
      : super.request(here);
  }
  take(here, d, from) {
    const isFirst = !here.rows.length;
    here.isFresh = here.isAsked = false;
    if (here.kind === 'search') takeFound(here, d); else super.take(here, d, from);
    here.missed = [...new Set([...isFirst ? [] : here.missed ?? [], ...d.missed ?? []])];
    if (here.kind !== 'search') return;
    if (here.rows.length) this.#recent.keep(here.q);
    const isMeant = performance.now() - this.#pressedAt < pressMs;
    if (isMeant && here === this.here && here.rows.length) this.#playFirst();
    here.asked = d.asked ?? [];
    // A late row that is the same track as an earlier one is another place of it.
    for (const { uri, places } of d.joined ?? []) {
      const row = here.rows.find(row => row.uri === uri);
      if (row) { row.places = places; this.rewrite(row) }
    }
    if (here.asked.length) this.#awaitOthers(here);
  }
  breaks(here) { return here.kind === 'search' ? resultHeadings(here) : super.breaks(here) }
  /**
   * The rows of servers that had not answered yet come behind those that are shown. This question waits at the hub, so
   * it is asked beside those of the next keystrokes.
   */
  async #awaitOthers(here) {
    const { q, cursor } = here;
    here.late = cursor;
    const res = await this.hub.press('lib.search', this.available.asked({ q, limit: pageOfRows, cursor }),
      { silent: true });
    // Another search, or the same one again, took the place of this one.
    if (here.q !== q || here.late !== cursor) return;
    here.late = null;
    if (res.ok) this.take(here, res.d ?? { rows: [] });
    else [here.missed, here.asked, here.cursor] = [[...here.missed, ...here.asked], [], null];
    if (here === this.here) this.answered();
  }
  ask(anew = !this.here.isKnown) {
    // Where a search begins there are no rows to ask for.
    if (this.here.kind === 'find') { this.here.isKnown = true; return }
    if (anew) this.here.late = null; else if (this.here.late) return;
    return super.ask(anew);
  }
  show() {
    super.show();
    if (this.here.kind !== 'search') this.#field.value = '';
    else if (this.#field.value.trim() !== this.here.q) this.#field.value = this.here.q;
    this.#recent.element.hidden = this.here.kind !== 'find';
    if (this.here.kind === 'find') this.#recent.draw();
  }
  /** Which servers are still asked, and which did not answer, below the rows. */
  #others(here) {
    const titles = names => listed(names.map(name => whereIs(this.hub, `${name}:`)));
    return here.asked?.length ? t('search.asking', { sources: titles(here.asked) })
      : here.missed?.length ? t('search.without', { sources: titles(here.missed) }) : '';
  }
  sayWhatIs() {
    if (!isHeld(this.#more)) put(this.#more, this.#others(this.here));
    super.sayWhatIs();
  }
  emptyWords(here) {
    if (here.kind === 'find') return null;
    if (here.kind !== 'search') return super.emptyWords(here);
    return here.isFresh || here.asked?.length ? null : t('search.none', { words: here.title });
  }
}
