// What this page and its hub are; for admins, also the figures that help when something is wrong.

import { copyText } from '../parts/clipboard.js';
import { ListenPlots } from '../listening/listenplots.js';
import { make, mark, put, spell } from '../parts/parts.js';
import { WholeList } from '../parts/rest.js';
import { sourcesOf, titleOf } from '../servers/sources.js';
import { stateOf } from '../servers/sourcewords.js';
import { t } from '../shell/translate.js';
import { date, decimal } from '../shell/writing.js';

const ms = x => x === null || x === undefined ? t('unknown')
  : t('time.ms', { n: x < 10 ? decimal(x, 1) : Math.round(x) });
const size = n => n < 10000 ? t('size.bytes', { n }) : t('size.kb', { n: Math.round(n / 1024) });

/** What everybody is told. */
const plain = ['hub', 'role', 'user'];

export class About {
  #hub; #say; #facts; #name; #copies; #timer = 0; #plots = new ListenPlots(); #problems;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#problems = new WholeList(hub, ['hub.info', {}, 'problems'], () => this.draw());
    this.#facts = make('dl', { class: 'facts' });
    this.#name = make('h2', {}, t('facts.name'));
    this.#copies = make('button', { class: 'small', id: 'copy', onclick: () => this.#copy() }, t('facts.copy'));
    this.element = make('div', { class: 'more', id: 'about' }, this.#name, this.#facts, this.#plots.element,
      this.#copies);
  }
  opened() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (!this.element.isConnected) clearInterval(this.#timer);
      else this.draw();
    }, 1000);
  }
  facts() {
    const hub = this.#hub, view = hub.view(), { stats, said } = hub, at = hub.position(view);
    const count = what => what === undefined ? null : `${what}`;
    return [
      ['server', hub.url], ['hub', said.hub ? `${said.hub.name} ${said.hub.version}` : null],
        ['profiles', hub.features?.join(', ') || null],
        ['role', hub.role ? t(`role.${hub.role}`) : null], ['user', hub.name],
      ['connection', hub.stopped || (hub.live ? t('facts.live', { view: hub.viewName, n: stats.connections })
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
      ['problems', [...this.#problems.rows(said.hub, 'problems').map(problem => problem.msg),
        this.#problems.more && `+${this.#problems.more}`].filter(Boolean).join(' ') || null],
    ].filter(([name, value]) => value && (hub.role === 'admin' || plain.includes(name)));
  }
  draw() {
    const events = this.#hub.stats.events.slice(-8)
      .map(event => `${date(event.at, { timeStyle: 'medium' })} ${event.text}`);
    const isAdmin = this.#hub.role === 'admin';
    const facts = [...this.facts(), ...isAdmin ? [['recent', events.join('\n')]] : []];
    for (const part of [this.#name, this.#copies, this.#plots.element]) part.hidden = !isAdmin;
    if (isAdmin) this.#plots.draw();
    if (this.#facts.children.length !== facts.length * 2) {
      this.#facts.replaceChildren(...facts.flatMap(() => [make('dt'), make('dd', { dir: 'auto' })]));
    }
    facts.forEach(([name, value], index) => {
      const [term, text] = [...this.#facts.children].slice(index * 2, index * 2 + 2);
      put(term, t(`facts.${name}`));
      put(text, value);
      // What the hub and the client say is English.
      mark(text, 'lang', ['server', 'hub', 'profiles', 'revision', 'problems', 'recent'].includes(name) ? 'en' : null);
    });
  }
  async #copy() {
    const events = this.#hub.stats.events.map(event => `${new Date(event.at).toISOString()} ${event.text}`);
    const text = [...this.facts().map(([name, value]) => `${t(`facts.${name}`)}: ${value}`), '', ...events, '',
      navigator.userAgent].join('\n');
    if (await copyText(text)) this.#say(t('facts.copied'), 2000); else this.#say(t('facts.notCopied'));
  }
}
