// Six large tiles, each of which plays what was kept there with one tap. They are this device's own.

import { artAddress } from '../parts/cover.js';
import { onMenu } from '../gestures/hold.js';
import { own } from '../parts/become.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make, mark } from '../parts/parts.js';
import { subHead } from '../parts/roothead.js';
import { count, free, keepOn, playTile, tilesOf, whatPlays } from './presettiles.js';
import { actLine, openSheet, styled } from '../parts/sheet.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';

/** Keeps an item on a tile that is chosen then. */
export function keepPreset(item, say) {
  const name = (item.title ?? item.uri).slice(0, 60);
  openSheet(t('presets.keepOn', { title: name }),
    ...tilesOf().map((old, index) => actLine(`${index + 1}: ${old ? old.title : t('presets.free')}`,
      old ? 'note' : 'presets', () => {
    keepOn(index, item);
    say(t('presets.kept', { n: index + 1 }), 3000);
  })));
}

export class Presets {
  #hub; #say; #tiles = Array(count).fill(null); #shown;
  static async open({ hub, say }) {
    await Promise.all([styled(), loadStyle('presets.css')]);
    return new Presets(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.grid = make('div', { class: 'presets', role: 'list', 'aria-label': t('presets.name') });
    this.#shown = new Keyed(this.grid, { key: ({ index }) => index, make: tile => this.#tile(tile) });
    this.element = make('div', { class: 'more' }, subHead(t('presets.title'), 'home'), this.grid);
    onMenu(this.grid, event => this.#menu(Number(event.target.closest('[data-index]')?.dataset.index ?? -1)));
  }
  opened() { this.#show() }
  draw(view) {
    if (this.element.isConnected) this.#show();
    for (const tile of this.grid.children) mark(tile.firstChild, 'aria-current',
      tile.firstChild.dataset.uri && tile.firstChild.dataset.uri === view.uri ? 'true' : null);
  }
  #show() {
    this.#tiles = tilesOf(this.#hub.said.radio?.list);
    this.#shown.draw(this.#tiles.map((kept, index) => ({ kept, index })));
  }
  #tile({ kept, index }) {
    return make('div', { role: 'listitem' }, make('button', {
      class: 'small preset', 'data-index': index, 'data-needs': kept ? 'remote' : null, 'data-uri': kept?.uri ?? '',
        'aria-label': kept ? t('item.play', { title: kept.title }) : t('presets.tile', { n: index + 1 }),
      onclick: () => kept ? this.#play(kept) : this.#say(t('presets.how')),
    }, this.#picture(kept), make('b', { dir: 'auto' }, kept?.title ?? t('presets.freeTile')),
      make('small', { dir: 'auto' }, kept?.isOfRadio ? t('radio.name') : kept?.from ?? '')));
  }
  #picture(kept) {
    const box = make('span', { class: 'art', 'aria-hidden': 'true' },
      icon(kept?.kind === 'station' ? 'radio' : kept ? 'note' : 'presets'));
    if (kept?.art) box.append(make('img', { alt: '', decoding: 'async', draggable: 'false',
      src: artAddress(kept.art, 150), onerror: event => event.target.remove() }));
    return own(box, `${kept?.kind} ${kept?.art}`);
  }
  async #play(kept) {
    buzz();
    const res = await playTile(this.#hub, kept), { title, kind } = kept;
    if (res.ok) this.#say(kind === 'track' ? t('presets.plays', { name: t('quoted', { text: title }) })
      : t('item.playsAll', { name: t('quoted', { text: title }) }), 3000);
  }
  #menu(index) {
    const kept = this.#tiles[index];
    if (index < 0) return false;
    openSheet(kept?.title ?? t('presets.tileN', { n: index + 1 }),
      kept ? actLine(t('play.play'), 'play', () => this.#play(kept)) : null,
      this.#hub.view().entry ? actLine(t('presets.keepPlaying'), 'presets', () => this.#keep(index)) : null,
      kept && !kept.isOfRadio ? actLine(t('presets.empty'), 'x', () => { free(index); this.#show() }) : null);
    return true;
  }
  async #keep(index) {
    const item = await whatPlays(this.#hub);
    if (!item) return;
    keepOn(index, item);
    this.#show();
  }
}
