// Sessions of clips: a grid of six layers by three scenes, whose clips play together and are exchanged while they do.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { layers, stateOf } from './clipwords.js';
import { field } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { jobsOf } from './jobwords.js';
import { buzz, icon, make, mark, put, showIcon, sideKeys } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { percent } from '../shell/writing.js';

/** A clip that is made is in the loop a moment later, which the hub tells only when it is asked. */
const askedEachMs = 2000;

export class Clips {
  #hub; #say; #acts; #told; #rows = []; #jobs = ''; #shown = ''; #sessions; #askedAt = 0;
  #cells = new Map(); #heads = []; #table; #choice; #chosen; #note; #rest;
  /** `told` has `text()`, what stands in the field, and `worker()`. */
  constructor(hub, say, acts, told) {
    [this.#hub, this.#say, this.#acts, this.#told] = [hub, say, acts, told];
    loadStyle('clips.css');
    const needs = needOf('clips.add'), button = (name, text, act) => make('button', { class: 'small', 'data-do': name,
      'data-needs': needs, onclick: () => { buzz(); act() } }, text);
    this.#choice = make('select', { 'data-at': 'session', 'data-needs': needOf('clips.resume'),
      onchange: () => this.#resume(this.#choice.value) });
    this.#sessions = new Keyed(this.#choice, { key: ({ session }) => session,
      make: ({ session, name }) => make('option', { value: session }, name),
      // The grid is that of the first.
      after: () => { if (this.#choice !== document.activeElement) this.#choice.value = this.session?.session ?? '' } });
    this.#chosen = field(t('clips.session'), this.#choice);
    this.#note = make('p', { class: 'note', dir: 'auto', role: 'status' });
    this.#table = this.#grid();
    this.#rest = make('div', { class: 'prompt', hidden: true }, this.#chosen, this.#table,
      make('div', { class: 'lines' }, button('clipname', t('clips.rename'), () => this.#open('openNames')),
        button('clipon', t('clips.continue'), () => this.#continue())));
    this.element = make('section', { class: 'prompt' }, make('h2', {}, t('clips.name')),
      button('clipstart', t('clips.start'), () => this.#start()), this.#note, this.#rest);
  }
  /** The session that a person has begun or taken up last. */
  get session() { return this.#rows[0] }

  // ---- The grid, which is made once and written in place.
  #grid() {
    this.#heads = [1, 2, 3].map(scene => make('button', { class: 'small scene', 'data-scene': scene,
      'data-needs': needOf('clips.scene'), onclick: () => { buzz(); this.#play(scene) } }, icon('play'),
      make('span', { dir: 'auto' })));
    const row = layer => make('tr', {}, make('th', { scope: 'row' }, t(`clips.layer.${layer}`)),
      ...[1, 2, 3].map(scene => make('td', {}, this.#cell(layer, scene))));
    return make('table', { class: 'clips', 'aria-label': t('clips.name'), onkeydown: event => this.#keyed(event) },
      make('thead', {}, make('tr', {}, make('td'), ...this.#heads.map(head => make('th', { scope: 'col' }, head)))),
    make('tbody', {}, ...layers.map(row)));
  }
  #cell(layer, scene) {
    const cell = make('button', { class: 'cell', 'data-cell': `${layer}${scene}`, 'data-needs': needOf('clips.add'),
      onclick: () => { buzz(); this.#open('openCell', { layer, scene }) } }, icon('more'), make('span'));
    this.#cells.set(cell.dataset.cell, cell);
    return cell;
  }
  /** The keys of the arrows lead from cell to cell. */
  #keyed(event) {
    const down = { ArrowUp: -1, ArrowDown: 1 }[event.key] ?? 0, across = sideKeys[event.key] ?? 0;
    const td = event.target.closest('td, th'), table = this.#table.rows;
    if (!down && !across || !td) return;
    // At the edge of the grid, too: the same keys turn the volume elsewhere.
    event.preventDefault();
    event.stopPropagation();
    table[td.parentNode.rowIndex + down]?.cells[td.cellIndex + across]?.querySelector('button')?.focus();
  }

  // ---- What the hub has.
  async read() {
    this.#askedAt = performance.now();
    const found = await this.#hub.ask('clips.list', {});
    if (found) this.#rows = found.sessions;
    this.draw();
  }
  /** A clip is made as a job, of which the hub tells by itself. */
  draw() {
    const own = jobsOf(this.#hub).filter(({ job }) => /-c\d+$/.test(job));
    const jobs = own.map(({ job, st }) => job + st).join();
    if (jobs !== this.#jobs) {
      this.#jobs = jobs;
      this.read();
    }
    const shown = JSON.stringify([this.#rows, own.map(({ job, pct }) => [job, pct])]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#choices();
    this.#write(own);
  }
  /** Called each second while the panel is seen. */
  second() {
    const row = this.session, waits = row?.clips.some(({ scene, heard, off, st }) =>
      !heard && !off && st !== 'failed' && !row.scenes[scene - 1].msg);
    if (waits && performance.now() - this.#askedAt > askedEachMs) this.read();
  }
  #choices() {
    // Those that are as before stay, since a list that is open would close.
    this.#sessions.draw(this.#rows.map(({ session, name }) => ({ session, name })));
    this.#chosen.hidden = this.#rows.length < 2;
    this.#rest.hidden = !this.#rows.length;
    const row = this.session;
    put(this.#note, row ? [row.name, row.tempo ? t('clips.tempo', { n: row.tempo }) : null, row.key, row.by, row.worker,
      ...row.scenes.map(({ msg }) => msg)].filter(Boolean).join(' · ') : t('clips.about'));
  }
  #write(jobs) {
    const row = this.session;
    if (!row) return;
    row.scenes.forEach(({ name }, at) => {
      put(this.#heads[at].lastChild, name);
      mark(this.#heads[at], 'aria-pressed', row.scene === at + 1);
      mark(this.#heads[at], 'aria-label', t('clips.play', { scene: name }));
    });
    for (const layer of layers) for (const scene of [1, 2, 3]) {
      this.#writeCell(this.#cells.get(`${layer}${scene}`), layer, row.scenes[scene - 1].name,
        row.clips.filter(clip => clip.layer === layer && clip.scene === scene).at(-1), jobs);
    }
  }
  #writeCell(cell, layer, scene, clip, jobs) {
    const names = { layer: t(`clips.layer.${layer}`), scene }, pct = jobs.find(({ job }) => job === clip?.job)?.pct;
    const { st, words } = stateOf(clip, pct);
    mark(cell, 'data-st', st);
    mark(cell, 'aria-label', clip ? t('clips.cell', { ...names, state: words }) : t('clips.add', names));
    showIcon(cell.firstChild, st === 'failed' ? 'repeat-all' : 'more');
    put(cell.lastChild, !clip ? '' : st === 'making' && pct ? percent(pct) : `${clip.bars}`);
  }

  // ---- What people press.
  async #press(m, p, hasKey = false) {
    const res = await this.#hub.press(m, p, hasKey ? { key: token(6) } : {});
    if (res.ok) await this.read();
    return res;
  }
  async #start() {
    const text = this.#told.text(), worker = this.#told.worker();
    if (!text) return this.#say(t('clips.noLine'));
    const { ok, d } = await this.#press('clips.start', { text, ...worker && { worker } }, true);
    if (ok) this.#say(t('clips.begun', { name: d.sessions[0].name }), 4000);
  }
  /** What is typed as `/session`, `/bass` or `/scene rename`, as the hub has read it. */
  carryOut({ act, scene, prompt }, line) {
    if (act === 'session') return this.#press('clips.start', { text: prompt ?? '/session' }, true);
    if (act === 'scene') return this.#press('clips.scene', { scene, name: prompt });
    return this.#press('job.start', { kind: 'generation', ...line, at: 'none' }, true);
  }
  async #resume(session) {
    buzz();
    await this.#press('clips.resume', { session });
  }
  /** It takes over at the end of the round; a session that is not heard begins to play. */
  async #play(scene) {
    const row = this.session, view = this.#hub.view();
    const { ok } = await this.#press('clips.scene', { session: row.session, scene });
    if (!ok) return;
    if (!row.scenes[scene - 1].dur) return this.#say(t('clips.silent'), 4000);
    if (view.uri !== row.uri) this.#acts.now({ uri: row.uri, title: row.name });
    else if (view.st !== 'playing') this.#hub.press('play');
  }
  async #continue() {
    const { session } = this.session;
    const res = await this.#hub.press('clips.continue', { session, at: 'end' }, { key: token(6) });
    if (res.ok) this.#say(t('imagine.isAtEnd'), 4000);
  }
  async #open(what, place) {
    try {
      const sheets = await import('./clipsheet.js');
      sheets[what](this.session, (m, p, hasKey) => this.#press(m, p, hasKey), place);
    } catch { this.#say(t('part.missing')) }
  }
}
