// Six large tiles, each of which plays what was kept there with one tap. They are this device's own.

import { token } from './baton.js';
import { artAddress } from './cover.js';
import { onMenu } from './hold.js';
import { buzz, icon, make, mark, recall, remember } from './parts.js';
import { actLine, openSheet, styled } from './sheet.js';

const count = 6;
const read = () => { const kept = recall('presets'); return Array.from({ length: count }, (_, index) => Array.isArray(kept) && kept[index]?.uri ? kept[index] : null) };

/** Keeps an item on a tile that is chosen then; of the item only what the tile shows is kept. */
export function keepPreset({ uri, title, kind, art, artists, albumArtist }, say) {
  const kept = read();
  openSheet(`Keep “${(title ?? uri).slice(0, 60)}” on`, ...kept.map((old, index) => actLine(`${index + 1}: ${old ? old.title : 'free'}`, old ? 'note' : 'presets', () => {
    kept[index] = { uri, title: (title ?? uri).slice(0, 200), kind, art: typeof art === 'string' ? art : undefined, from: (albumArtist || artists?.[0] || '').slice(0, 200) };
    remember('presets', kept);
    say(`Kept on tile ${index + 1} of the presets.`, 3000);
  })));
}

export class Presets {
  #hub; #say;
  static async open(hub, say) {
    await styled;
    return new Presets(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.grid = make('div', { class: 'presets', role: 'list', 'aria-label': 'Presets' });
    this.element = make('div', { class: 'more' }, make('h2', {}, 'Presets: one tap plays'), this.grid);
    onMenu(this.grid, event => this.#menu(Number(event.target.closest('[data-index]')?.dataset.index ?? -1)));
  }
  opened() { this.#show() }
  draw(view) { for (const tile of this.grid.children) mark(tile.firstChild, 'aria-current', tile.firstChild.dataset.uri && tile.firstChild.dataset.uri === view.uri ? 'true' : null) }
  #show() {
    this.grid.replaceChildren(...read().map((kept, index) => make('div', { role: 'listitem' }, make('button', {
      class: 'small preset', 'data-index': index, 'data-uri': kept?.uri ?? '', 'aria-label': kept ? `Play ${kept.title}` : `Tile ${index + 1}, free`,
      onclick: () => kept ? this.#play(kept) : this.#say('Open the menu of an album, a list or a track, and choose “Keep as a preset”.'),
    }, this.#picture(kept), make('b', { dir: 'auto' }, kept?.title ?? 'Free'), make('small', { dir: 'auto' }, kept?.from ?? '')))));
  }
  #picture(kept) {
    const box = make('span', { class: 'art', 'aria-hidden': 'true' }, icon(kept ? 'note' : 'presets'));
    if (kept?.art) box.append(make('img', { alt: '', decoding: 'async', draggable: 'false', src: artAddress(kept.art, 150), onerror: event => event.target.remove() }));
    return box;
  }
  async #play({ uri, title, kind }) {
    buzz();
    const res = await this.#hub.press('play', { uri }, { key: token(6) });
    if (res.ok) this.#say(kind === 'track' ? `“${title}” plays.` : `“${title}” plays. Undo in the queue brings back what was there.`, 3000);
  }
  #menu(index) {
    const kept = read();
    if (!kept[index]) return false;
    openSheet(kept[index].title, actLine('Play', 'play', () => this.#play(kept[index])), actLine('Free this tile', 'x', () => {
      kept[index] = null;
      remember('presets', kept);
      this.#show();
    }));
    return true;
  }
}
