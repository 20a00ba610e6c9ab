// The radio: presets as tiles with pictures, what is recorded, and all stations, searched by name, country, tag and
// language.

import { Acts } from '../items/acts.js';
import { whenUp } from '../gestures/finger.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, mark } from '../parts/parts.js';
import { Recordings } from './recordings.js';
import { actLine, openLine, openSheet, styled } from '../parts/sheet.js';
import { Shelves } from '../library/shelves.js';
import { asRow } from './stations.js';
import { loadStyle } from '../parts/styles.js';
import { tile } from '../items/tile.js';
import { t } from '../shell/translate.js';

const filters = { country: 'radio.country', tag: 'radio.kind', language: 'radio.language' };
const coverWidth = 132, accepted = '.m3u,.m3u8,.pls,.opml,.xml,.xspf,.json';
export class Radio extends Shelves {
  #find; #filters = {}; #row; #toggle; #presets; #strip; #recordings; #section = ''; #tiles;
  static async open({ hub, say }) {
    await Promise.all([styled(), loadStyle('radio.css')]);
    return new Radio(hub, say);
  }
  constructor(hub, say) {
    super(hub, say, new Acts(hub, say), t('radio.name'), { kind: 'radio' });
    const onkeydown = event => this.#keyed(event), tool = (name, text, sign, onclick) =>
      make('button', { class: 'tool', 'data-do': name, 'aria-label': text, title: text, onclick }, icon(sign));
    this.#find = this.#input('find', t('radio.find'), { maxlength: 200, enterkeyhint: 'search', onkeydown });
    this.#toggle = tool('filter', t('radio.filters'), 'filter', () => this.#turnFilters());
    const menu = tool('stations', t('radio.menu'), 'dots', () => this.#menu());
    mark(menu, 'data-needs', 'remote');
    this.head.append(this.#find, this.#toggle, menu);
    for (const [name, key] of Object.entries(filters)) this.#filters[name] = this.#input(name, t(key));
    this.#row = make('div', { class: 'filters seek' }, ...Object.values(this.#filters));
    this.head.after(this.#row);
    this.#showFilters(false);
    this.#recordings = new Recordings(hub, say);
    const does = event => {
      const button = event.target.closest('button'), row = button?.closest('li').row;
      if (row) this.did(button.dataset.do, row);
    };
    this.#strip = make('ul', { class: 'strip', 'aria-label': t('presets.name'), onclick: does });
    const words = row => t('radio.preset.number', { n: row.preset });
    this.#tiles = new Keyed(this.#strip, { key: row => row.uri,
      make: row => tile(this.hub, row, { width: coverWidth, small: words(row) }) });
    const heading = make('h2', {}, t('presets.name'));
    this.#presets = make('section', { class: 'stripbox', hidden: true }, heading, this.#strip);
    this.above.append(this.#recordings.element, this.#presets);
  }
  #input(name, text, more) {
    return make('input', {
      type: 'search', 'data-at': name, placeholder: text, 'aria-label': text, maxlength: 64, autocomplete: 'off',
      spellcheck: 'false', oninput: () => this.#typed(), ...more,
    });
  }

  // ---- What is looked for.
  get #inputs() { return Object.entries({ find: this.#find, ...this.#filters }) }
  #question() {
    const words = this.#inputs.map(([name, { value }]) => [name, value.trim()]);
    return Object.fromEntries(words.filter(([, value]) => value));
  }
  get #isSearch() { return Object.keys(this.#question()).length > 0 }
  #typed() {
    this.scroller.scrollTop = 0;
    this.moved(true);
    this.ask(true);
  }
  #keyed(event) {
    if (event.key === 'Escape' && this.#find.value) {
      event.stopPropagation();
      this.#find.value = '';
      return this.#typed();
    }
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    this.list.querySelector('[data-do=main]')?.focus();
  }
  #showFilters(isOn) {
    this.#row.hidden = !isOn;
    mark(this.#toggle, 'aria-expanded', isOn);
  }
  #turnFilters() {
    const isOn = this.#row.hidden;
    buzz();
    this.#showFilters(isOn);
    if (isOn) return this.#filters.country.focus();
    for (const input of Object.values(this.#filters)) input.value = '';
    this.#typed();
  }
  address() { return this.#question() }
  visit(wanted) {
    const asked = JSON.stringify(this.#question());
    for (const [name, input] of this.#inputs) input.value = wanted[name] ?? '';
    this.#showFilters(Object.keys(filters).some(name => wanted[name]));
    if (JSON.stringify(this.#question()) !== asked) this.ask(true);
  }
  request() { return ['radio.list', { ...this.#question(), limit: 80 }] }
  take(here, d, from) { super.take(here, { ...d, rows: d.stations.map(asRow) }, from) }
  isMixed() { return false }

  // ---- Presets and recordings, which the hub tells without being asked.
  show() {
    super.show();
    this.#drawSection();
  }
  draw(view) {
    this.#drawSection();
    for (const { firstChild, row } of this.#tiles.elements) {
      mark(firstChild, 'aria-current', row.uri === view.uri ? 'true' : null);
    }
    super.draw(view);
  }
  #drawSection() {
    const { n = 0, list = [] } = this.hub.said.radio ?? {}, section = JSON.stringify([n, list]);
    this.#recordings.draw();
    whenUp(this.#presets, () => { this.#presets.hidden = !list.length || this.#isSearch });
    if (section === this.#section) return;
    // The stars of rows on the screen may be others now.
    if (this.#section) this.renew();
    this.#section = section;
    this.#tiles.draw(list.map((preset, index) => asRow({ ...preset, preset: index + 1 })));
  }
  emptyWords() {
    if (this.#isSearch) return t('radio.notFound');
    const line = (text, act) => make('button', { class: 'small', 'data-needs': 'remote', onclick: act }, text);
    const words = make('div', { class: 'invited' }, make('p', {}, t('radio.none')),
      line(t('radio.addTitle'), () => this.#add()), line(t('radio.importList'), () => this.#import()));
    words.dataset.said = 'no station';
    return words;
  }

  // ---- The menu of the whole list.
  #menu() {
    const add = openLine(t('radio.add'), 'radio', () => this.#add(),
      { 'data-do': 'addstation', 'data-needs': 'remote' });
    const line = (key, sign, act) => actLine(t(key), sign, act, 'remote');
    openSheet(t('radio.stations'), add, line('radio.import', 'folder', () => this.#import()),
      line('radio.exportM3u', 'queue', () => this.#export('m3u8')),
      line('radio.exportOpml', 'queue', () => this.#export('opml')));
  }
  async #add() { (await import('./stationforms.js')).askAddress(this.hub, this.say, () => this.renew()) }
  #import() {
    const input = make('input', { type: 'file', class: 'unseen', accept: accepted, 'data-at': 'stationfile' });
    input.onchange = () => this.#read(input);
    input.oncancel = () => input.remove();
    this.element.append(input);
    input.click();
  }
  async #read(input) {
    const [file] = input.files, { importStations } = await import('./stationfiles.js');
    input.remove();
    try {
      const told = (done, all) => this.say(t('radio.progress', { n: done, all }));
      const { n, passedOver } = await importStations(this.hub, file, told);
      const others = passedOver ? ` ${t('radio.passedOver', { n: passedOver })}` : '';
      this.say(`${t('radio.imported', { n })}${others}`, 5000);
    } catch (error) {
      this.say(t('radio.notImported', { name: file.name.slice(0, 80), reason: error.message }));
    }
    this.renew();
  }
  async #export(kind) {
    const { exportStations } = await import('./stationfiles.js');
    try {
      this.say(t('radio.exported', { n: await exportStations(this.hub, kind), name: `stations.${kind}` }), 4000);
    } catch (error) { this.say(error.message) }
  }
}
