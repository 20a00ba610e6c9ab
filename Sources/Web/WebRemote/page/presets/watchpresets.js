// The six presets on a watch: one screen of tiles, opened by a swipe up over what plays or in its menu. A press plays,
// a long press keeps what plays on that tile.

import { artAddress } from '../parts/cover.js';
import { onMenu } from '../gestures/hold.js';
import { Keyed } from '../parts/keyed.js';
import { $, buzz, make, put, shape } from '../parts/parts.js';
import { count, keepOn, playTile, tilesOf, whatPlays } from './presettiles.js';
import { t } from '../shell/translate.js';

const enough = 40, pictureSide = 64;

export class WatchPresets {
  #hub; #say; #stations = []; #tiles;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.grid = make('div', { class: 'watchtiles', role: 'list', 'aria-label': t('presets.name') });
    this.#tiles = new Keyed(this.grid, { key: ({ index }) => index,
      make: ({ tile, index }) => make('div', { role: 'listitem' }, this.#button(tile, index)) });
    const done = make('button', { class: 'small', onclick: () => $('sheet').close() }, t('done'));
    this.element = make('div', { class: 'watchpresets' }, this.grid, done);
    onMenu(this.grid, event => this.#replace(event.target.closest('[data-index]')));
    this.#followSwipes();
  }
  /** A swipe up anywhere but on the volume. The press that ends it is no press of a button. */
  #followSwipes() {
    const main = $('title').closest('main');
    let from = null, isSwipe = false;
    main.addEventListener('pointerdown', event => {
      isSwipe = false;
      const isElsewhere = event.button || shape() !== 'watch' || event.target.closest('#volume');
      from = isElsewhere ? null : [event.clientX, event.clientY];
    });
    main.addEventListener('pointerup', event => {
      const [across, up] = from ? [event.clientX - from[0], from[1] - event.clientY] : [0, 0];
      from = null;
      isSwipe = up > enough && Math.abs(across) < up;
      if (isSwipe) { buzz(); this.open() }
    });
    main.addEventListener('pointercancel', () => { from = null });
    addEventListener('click', event => {
      if (!isSwipe) return;
      isSwipe = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    }, { capture: true });
  }
  /** The tiles of this device at once, those of the radio with the hub's answer. */
  async open() {
    this.#draw();
    $('sheet').replaceChildren(this.element);
    $('sheet').setAttribute('aria-label', t('presets.name'));
    $('sheet').classList.add('tiled');
    $('sheet').onclose = () => $('sheet').classList.remove('tiled');
    $('sheet').onclick = event => { if (event.target === $('sheet')) $('sheet').close() };
    if (!$('sheet').open) $('sheet').showModal();
    $('sheet').scrollTop = 0;
    if (!this.#hub.has('radio')) return;
    const found = await this.#hub.ask('radio.list', { presets: true, limit: count });
    if (!found) return;
    this.#stations = found.stations.map(({ uri, title, art }) => ({ uri, title, art }));
    this.#draw();
  }
  #draw() {
    this.#tiles.draw(tilesOf(this.#stations).map((tile, index) => ({ tile, index })));
  }
  #button(tile, index) {
    const button = make('button', {
      class: tile ? 'small' : 'small free', 'data-index': index, 'data-needs': 'remote',
      'aria-label': tile ? t('item.play', { title: tile.title }) : t('presets.freeKeep', { n: index + 1 }),
      onclick: ({ currentTarget }) => tile ? this.#play(tile, currentTarget) : this.#keep(index),
    }, make('b', { dir: 'auto' }, tile?.title ?? '+'));
    const src = tile?.art && artAddress(tile.art, pictureSide), onerror = event => event.target.remove();
    if (src) button.prepend(make('img', { alt: '', draggable: 'false', src, onerror }));
    return button;
  }
  /** The tile is lit at once, and the answer closes the tiles. */
  async #play(tile, button) {
    buzz();
    button.setAttribute('aria-busy', 'true');
    const res = await playTile(this.#hub, tile);
    button.removeAttribute('aria-busy');
    if (!res.ok) put(button.querySelector('b'), res.err?.msg ?? t('hub.refused'));
    else if (this.element.isConnected) $('sheet').close();
  }
  #replace(button) {
    if (!button) return false;
    this.#keep(Number(button.dataset.index));
    return true;
  }
  async #keep(index) {
    buzz(30);
    const item = await whatPlays(this.#hub);
    if (!item) return;
    keepOn(index, item);
    this.#draw();
  }
}
