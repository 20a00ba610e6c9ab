// Settings of this device, and the diagnostics that help when something is wrong.

import { needsEncryption } from '../shell/app.js';
import { copyText } from '../parts/clipboard.js';
import { HubSettings } from './settings.js';
import '../looks/icons.js';
import { canKeep } from '../library/keep.js';
import { languageChoice } from './languages.js';
import { ListenPlots } from '../listening/listenplots.js';
import { LockScreen, WakeLock } from './locks.js';
import { buzz, icon, make, mark, put, remember, spell } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { actLine, openSheet, styled } from '../parts/sheet.js';
import { sourcesOf, titleOf } from '../library/sources.js';
import { stateOf } from '../library/sourcewords.js';
import { applySheet } from '../parts/styles.js';
import { choose, themes } from '../looks/themes.js';
import { t } from '../shell/translate.js';
import { date, decimal } from '../shell/writing.js';

const ms = x => x === null || x === undefined ? t('unknown')
  : t('time.ms', { n: x < 10 ? decimal(x, 1) : Math.round(x) });
const size = n => n < 10000 ? t('size.bytes', { n }) : t('size.kb', { n: Math.round(n / 1024) });

export class More {
  #hub; #say; #looks; #lock; #wake = new WakeLock(); #facts; #timer = 0; #swatches = []; #settings; #links;
  #plots = new ListenPlots();
  static async open({ hub, say, looks }) {
    // The buttons of the themes look as the themes do.
    await Promise.all([styled, ...Object.keys(themes).map(theme => applySheet(`${theme}.css`))]);
    return new More(hub, say, looks);
  }
  constructor(hub, say, looks) {
    [this.#hub, this.#say, this.#looks] = [hub, say, looks];
    this.#lock = new LockScreen(hub);
    this.#settings = new HubSettings(hub, say);
    this.#facts = make('dl', { class: 'facts' });
    this.#links = make('nav', { class: 'pair links', 'aria-label': t('more.places') });
    this.element = make('div', { class: 'more' }, this.#links,
      make('h2', {}, t('theme.name')), make('div', { class: 'swatches', role: 'group', 'aria-label': t('theme.name') },
        ...this.#themes()),
      make('h2', {}, t('settings.thisDevice')),
      this.#name(),
      languageChoice(),
      LockScreen.possible ? this.#switch('lockscreen', t('lock.title'), on => this.#toggleLock(on)) : null,
      LockScreen.possible ? make('p', { class: 'note' }, t('lock.about')) : null,
      WakeLock.possible ? this.#switch('awake', t('settings.awake'), on => this.#wake.want(on)) : null,
      isSecureContext ? null : make('p', { class: 'note', id: 'plain' }, needsEncryption),
      this.#settings.element,
      make('h2', {}, t('facts.name')), this.#facts, this.#plots.element,
      make('button', { class: 'small', id: 'copy', onclick: () => this.#copy() }, t('facts.copy')));
  }
  #themes() {
    return this.#swatches = Object.entries(themes).map(([key, name]) => make('button', {
      class: 'swatch', 'data-theme': key, onclick: () => {
        buzz();
        choose(this.#looks, key);
        this.draw(this.#hub.view());
      },
    }, make('i'), name));
  }
  #name() {
    const input = make('input', { id: 'devicename', maxlength: 40, value: this.#hub.name, autocomplete: 'off',
      spellcheck: 'false' });
    input.onchange = () => {
      this.#hub.name = input.value.trim() || this.#hub.name;
      remember('name', this.#hub.name);
      this.#say(t('settings.renamed'), 3000);
    };
    return make('label', { class: 'line' }, t('name'), input);
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
    const on = () => {
      const button = this.element.querySelector('#lockscreen');
      if (button.getAttribute('aria-checked') !== 'true') button.click();
    };
    openSheet(t('lock.title'), make('p', { class: 'note' }, t('lock.about')), actLine(t('lock.show'), 'play', on));
  }
  async #toggleLock(on) {
    if (!on) return this.#lock.stop();
    if (await this.#lock.start()) return true;
    this.#say(t('lock.notAllowed'));
    return false;
  }

  opened() {
    this.#settings.draw(this.#hub.view());
    this.#settings.opened();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (!this.element.isConnected) clearInterval(this.#timer);
      else this.#draw();
    }, 1000);
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
    const { said } = this.#hub, shown = [said.pl && ['lists', 'lists', t('lists.name')],
      said.people && ['people', 'people', t('people.name')], said.radio && ['radio', 'radio', t('radio.name')],
      ['imagine', 'pen', t('imagine.name')],
      canKeep(this.#hub) && ['kept', 'enqueue', t('kept.short')], ['presets', 'presets', t('presets.name')]]
        .filter(Boolean);
    if (this.#links.children.length === shown.length) return;
    this.#links.replaceChildren(...shown.map(([panel, sign, text]) => make('a',
      { class: 'small act', href: addressOf(panel) }, icon(sign), make('span', {}, text))));
  }
  facts() {
    const hub = this.#hub, view = hub.view(), { stats, said } = hub, at = hub.position(view);
    const count = what => what === undefined ? null : `${what}`;
    return [
      ['server', hub.url], ['hub', said.hub ? `${said.hub.name} ${said.hub.version}` : null],
        ['role', hub.role ? t(`role.${hub.role}`) : null], ['user', hub.name],
      ['connection', hub.stopped || (hub.live ? t('facts.live', { profile: hub.profile, n: stats.connections })
        : t('hub.looking'))],
      ['revision', hub.rev === null ? null : `${hub.rev} / ${hub.epoch}`],
      ['clock', hub.clock.best ? t('facts.offset',
        { offset: ms(Math.round(hub.clock.best.offset / 1000)), error: ms(hub.clock.errorMs) }) : null],
      ['line', at === null ? null : t('facts.drawn', { at: spell(at), error: ms(Math.abs(hub.lagMs)) })],
      ['roundTrip', ms(stats.roundTripMs)], ['room',
        `${view.roomName ?? '–'} (${hub.room ?? '–'}), ${t(`room.${view.st}`)}`],
      ['queue', view.queue ? `${t('count.entries', { n: view.queue.len })}, ${t('facts.rev',
        { rev: `${view.queue.rev}` })}` : null],
      ['rooms', count(said.rooms?.list.length)],
      ['library', said.lib ? [...['tracks', 'albums', 'artists'].map(what => t(`count.${what}`, { n: said.lib[what] })),
        t('facts.rev', { rev: `${said.lib.rev}` })].join(', ') : null],
      ['playlists', count(said.pl?.n)],
      ['sources', sourcesOf(hub).map(source => `${titleOf(source)}: ${stateOf(source)}`).join(', ') || null],
      ['session', [t('facts.in', { size: size(stats.in) }), t('facts.out', { size: size(stats.out) }),
        t('count.messages', { n: stats.frames }), spell(Date.now() - stats.since)].join(', ')],
      ['problems', said.hub?.problems?.map(problem => problem.msg).join(' ') || null],
    ].filter(([, value]) => value);
  }
  #draw() {
    const events = this.#hub.stats.events.slice(-8)
      .map(event => `${date(event.at, { timeStyle: 'medium' })} ${event.text}`);
    const facts = [...this.facts(), ['recent', events.join('\n')]];
    this.#plots.draw();
    if (this.#facts.children.length !== facts.length * 2) {
      this.#facts.replaceChildren(...facts.flatMap(() => [make('dt'), make('dd', { dir: 'auto' })]));
    }
    facts.forEach(([name, value], index) => {
      const [term, text] = [...this.#facts.children].slice(index * 2, index * 2 + 2);
      put(term, t(`facts.${name}`));
      put(text, value);
      // What the hub and the client say is English.
      mark(text, 'lang', ['server', 'hub', 'revision', 'problems', 'recent'].includes(name) ? 'en' : null);
    });
  }
  async #copy() {
    const events = this.#hub.stats.events.map(event => `${new Date(event.at).toISOString()} ${event.text}`);
    const text = [...this.facts().map(([name, value]) => `${t(`facts.${name}`)}: ${value}`), '', ...events, '',
      navigator.userAgent].join('\n');
    if (await copyText(text)) this.#say(t('facts.copied'), 2000); else this.#say(t('facts.notCopied'));
  }
}
