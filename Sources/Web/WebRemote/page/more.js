// Settings of this device, and the diagnostics that help when something is wrong.

import { needsEncryption } from './app.js';
import { HubSettings } from './settings.js';
import './icons.js';
import { LockScreen, WakeLock } from './locks.js';
import { themes } from './looks.js';
import { $, buzz, icon, make, mark, put, remember, spell } from './parts.js';
import { addressOf } from './route.js';
import { actLine, openSheet, styled } from './sheet.js';
import { sourcesOf, titleOf } from './sources.js';
import { stateOf } from './sourcewords.js';

const ms = x => x === null || x === undefined ? 'unknown' : `${x < 10 ? x.toFixed(1) : Math.round(x)} ms`;
const size = n => n < 10000 ? `${n} bytes` : `${Math.round(n / 1024)} KB`;
const lockWords = 'The lock screen of this device shows what plays in the room, with play, pause and next. For that the page plays silence, so another app’s sound may pause.';

export class More {
  #hub; #say; #deck; #looks; #lock; #wake = new WakeLock(); #facts; #timer = 0; #swatches = []; #settings; #links;
  static async open(...parts) {
    await styled;
    return new More(...parts);
  }
  constructor(hub, say, deck, looks) {
    [this.#hub, this.#say, this.#deck, this.#looks] = [hub, say, deck, looks];
    this.#lock = new LockScreen(hub);
    this.#settings = new HubSettings(hub, say);
    this.#facts = make('dl', { class: 'facts' });
    this.#links = make('nav', { class: 'pair links', 'aria-label': 'More places' });
    this.element = make('div', { class: 'more' }, this.#links,
      make('h2', {}, 'Theme'), make('div', { class: 'swatches', role: 'group', 'aria-label': 'Theme' }, ...this.#themes()),
      make('h2', {}, 'This device'),
      this.#name(),
      LockScreen.possible ? this.#switch('lockscreen', 'Controls on the lock screen', on => this.#toggleLock(on)) : null,
      LockScreen.possible ? make('p', { class: 'note' }, lockWords) : null,
      WakeLock.possible ? this.#switch('awake', 'Keep the screen on', on => this.#wake.want(on)) : null,
      isSecureContext ? null : make('p', { class: 'note', id: 'plain' }, needsEncryption),
      this.#settings.element,
      make('h2', {}, 'Diagnostics'), this.#facts,
      make('button', { class: 'small', id: 'copy', onclick: () => this.#copy() }, 'Copy all'));
  }
  #themes() {
    return this.#swatches = Object.entries(themes).map(([key, name]) => make('button', {
      class: 'swatch', 'data-theme': key, onclick: () => { buzz(); this.#looks.choose(key); this.draw(this.#hub.view()) },
    }, make('i'), name));
  }
  #name() {
    const input = make('input', { id: 'devicename', maxlength: 40, value: this.#hub.name, autocomplete: 'off', spellcheck: 'false' });
    input.onchange = () => {
      this.#hub.name = input.value.trim() || this.#hub.name;
      remember('name', this.#hub.name);
      this.#say('The new name is used from the next connection on.', 3000);
    };
    return make('label', { class: 'line' }, 'Name', input);
  }
  #switch(id, text, turn) {
    const button = make('button', { id, class: 'switch', role: 'switch' }, make('span', {}, text), make('i'));
    mark(button, 'aria-checked', id === 'awake' && this.#wake.on);
    button.onclick = async () => {
      buzz();
      const on = button.getAttribute('aria-checked') !== 'true';
      mark(button, 'aria-checked', on);
      if (await turn(on) === false) mark(button, 'aria-checked', false);
    };
    return button;
  }
  /** Explains the controls on the lock screen and starts them after a press. */
  offerLock() {
    const on = () => { const button = this.element.querySelector('#lockscreen'); if (button.getAttribute('aria-checked') !== 'true') button.click() };
    openSheet('Controls on the lock screen', make('p', { class: 'note' }, lockWords), actLine('Show them here', 'play', on));
  }
  async #toggleLock(on) {
    if (!on) return this.#lock.stop();
    if (await this.#lock.start()) return true;
    this.#say('This browser does not allow it, because it plays no sound for this page.');
    return false;
  }

  opened() {
    this.#settings.draw(this.#hub.view());
    this.#settings.opened();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => { if (!this.element.isConnected) clearInterval(this.#timer); else this.#draw() }, 1000);
    this.#draw();
  }
  draw(view) {
    this.#lock.draw(view);
    if (!this.element.isConnected) return;
    this.#settings.draw(view);
    this.#drawLinks();
    for (const swatch of this.#swatches) mark(swatch, 'aria-pressed', swatch.dataset.theme === this.#looks.theme);
    this.#draw();
  }
  /** Places without a tab. */
  #drawLinks() {
    const { said } = this.#hub, shown = [said.pl && ['lists', 'lists', 'Lists'], said.people && ['people', 'people', 'People'], ['presets', 'presets', 'Presets']].filter(Boolean);
    if (this.#links.children.length === shown.length) return;
    this.#links.replaceChildren(...shown.map(([panel, sign, text]) => make('a', { class: 'small act', href: addressOf(panel) }, icon(sign), make('span', {}, text))));
  }
  facts() {
    const hub = this.#hub, view = hub.view(), { stats, said } = hub, at = hub.position(view);
    const count = what => what === undefined ? null : `${what}`;
    return [
      ['Server', hub.url], ['Hub', said.hub ? `${said.hub.name} ${said.hub.version}` : null], ['Role', hub.role], ['User', hub.name],
      ['Connection', hub.stopped || (hub.live ? `live, ${hub.profile}, number ${stats.connections}` : 'looking for the hub')],
      ['Revision', hub.rev === null ? null : `${hub.rev} of ${hub.epoch}`],
      ['Clock', hub.clock.best ? `${Math.round(hub.clock.best.offset / 1000)} ms, at most ${ms(hub.clock.errorMs)} off` : null],
      ['Line', at === null ? null : `${spell(at)}, drawn ${ms(Math.abs(this.#deck.driftMs ?? 0))} off`],
      ['Round trip', ms(stats.roundTripMs)], ['Room', `${view.roomName ?? '–'} (${hub.room ?? '–'}), ${view.st}`],
      ['Queue', view.queue ? `${view.queue.len} entries, revision ${view.queue.rev}` : null],
      ['Rooms', count(said.rooms?.list.length)],
      ['Library', said.lib ? `${said.lib.tracks} tracks, ${said.lib.albums} albums, ${said.lib.artists} artists, revision ${said.lib.rev}` : null],
      ['Playlists', count(said.pl?.n)],
      ['Sources', sourcesOf(hub).map(source => `${titleOf(source)}: ${stateOf(source).toLowerCase()}`).join(', ') || null],
      ['This session', `${size(stats.in)} in, ${size(stats.out)} out, ${stats.frames} messages, ${spell(Date.now() - stats.since)}`],
      ['Problems', said.hub?.problems?.map(problem => problem.msg).join(' ') || null],
    ].filter(([, value]) => value);
  }
  #draw() {
    const events = this.#hub.stats.events.slice(-8).map(event => `${new Date(event.at).toLocaleTimeString()} ${event.text}`);
    const facts = [...this.facts(), ['Recent', events.join('\n')]];
    if (this.#facts.children.length !== facts.length * 2) {
      this.#facts.replaceChildren(...facts.flatMap(() => [make('dt'), make('dd', { dir: 'auto' })]));
    }
    facts.forEach(([name, value], index) => {
      put(this.#facts.children[index * 2], name);
      put(this.#facts.children[index * 2 + 1], value);
    });
  }
  async #copy() {
    const events = this.#hub.stats.events.map(event => `${new Date(event.at).toISOString()} ${event.text}`);
    const text = [...this.facts().map(([name, value]) => `${name}: ${value}`), '', ...events, '', navigator.userAgent].join('\n');
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Pages without encryption have no clipboard API; the old command still works.
      const area = make('textarea', { class: 'unseen', readonly: true });
      area.value = text;
      $('panel').append(area);
      area.select();
      const copied = document.execCommand('copy');
      area.remove();
      if (!copied) return this.#say('This browser does not allow copying. Select the text by hand.');
    }
    this.#say('Copied.', 2000);
  }
}
