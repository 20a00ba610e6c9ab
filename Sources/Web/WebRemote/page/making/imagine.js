// Music from words: what is typed goes into the queue at once, and everyone sees it being made.

import { Acts } from '../items/acts.js';
import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { Clips } from './clips.js';
import { Endless } from './endless.js';
import { Jobs } from './jobs.js';
import { jobsOf } from './jobwords.js';
import { make, mark } from '../parts/parts.js';
import { PromptField } from './promptfield.js';
import { Prompts } from './prompts.js';
import { subHead } from '../parts/roothead.js';
import { styled } from '../parts/sheet.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { Unfinished } from './unfinished.js';
import { WorkerLine } from './workerline.js';

const said = { end: 'imagine.isAtEnd', next: 'imagine.isNext', play: 'imagine.playsThen' };

export class Imagine {
  #hub; #say; #acts; #orb; #prompt; #prompts; #workers; #jobs; #unfinished; #endless; #clips; #timer = 0;
  #wanted = null;
  static async open({ hub, say }) {
    await Promise.all([styled(), loadStyle('imagine.css')]);
    return new Imagine(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say, this.#acts] = [hub, say, new Acts(hub, say)];
    this.#orb = make('div', { class: 'muse', 'aria-hidden': 'true' }, make('i'), make('i'));
    this.#workers = new WorkerLine(hub, say, () => this.#workersChanged());
    this.#prompt = new PromptField(hub, { worker: () => this.#workers.chosen,
      start: (text, at) => this.#start(text, at) });
    this.#prompts = new Prompts(hub, say, { text: () => this.#prompt.text, take: text => this.#take(text) });
    const press = m => ({ job }) => this.#acts.press(m, { job });
    this.#jobs = new Jobs(hub, { approve: press('job.approve'), cancel: press('job.cancel'), retry: press('job.retry'),
      play: ({ uri, title }) => this.#acts.now({ uri, title }), more: job => this.#menu(job) });
    this.#unfinished = new Unfinished(hub);
    this.#endless = new Endless(hub, say, { text: () => this.#prompt.text, worker: () => this.#workers.chosen });
    this.#clips = new Clips(hub, say, this.#acts,
      { text: () => this.#prompt.text, worker: () => this.#workers.chosen });
    this.element = make('div', { class: 'more imagine' },
      subHead(t('imagine.name'), 'library', this.#orb), this.#prompt.element, this.#prompts.element,
      this.#jobs.element, this.#endless.element, this.#unfinished.element, this.#workers.element,
      // The grid comes with the hub's answer, and moves nothing since it is the last.
      this.#clips.element);
    document.addEventListener('visibilitychange', () => this.#rest());
  }

  // ---- While it is seen, workers are asked, and the time that is left goes on.
  opened() {
    this.#workers.begin();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#second(), 1000);
    this.#read();
  }
  closed() {
    this.#workers.end();
    clearInterval(this.#timer);
  }
  #second() {
    if (!this.element.isConnected) this.closed();
    if (document.hidden || !this.element.isConnected) return;
    if (jobsOf(this.#hub).some(job => job.dueUs)) this.#jobs.draw(true);
    this.#clips.second();
  }
  async #read() {
    this.#prompts.read();
    this.#clips.read();
    await this.#jobs.read();
    this.#showWanted();
  }
  /** An address may name a piece, whose menu is shown; nothing is made or played for it. */
  visit({ job = null }) {
    this.#wanted = job;
    this.#showWanted();
  }
  #showWanted() {
    const job = this.#wanted && this.#jobs.find(this.#wanted);
    if (!job) return;
    this.#wanted = null;
    this.#menu(job);
  }
  draw(view) {
    if (!this.element.isConnected) return;
    this.#jobs.draw();
    this.#unfinished.draw();
    this.#endless.draw();
    this.#clips.draw();
    mark(this.#orb, 'data-mood', this.#mood(view));
  }
  /** The colours of the orb are those that the state of a room has. */
  #mood(view) {
    const open = jobsOf(this.#hub).map(job => job.st);
    return !this.#workers.isAnyUp || open.includes('offline') ? 'problem'
      : ['submitting', 'running', 'fetching'].some(st => open.includes(st)) ? 'working'
        : open.includes('approval') || this.#workers.current?.st === 'placeholder' ? 'buffering'
          : view.st === 'playing' && view.uri?.startsWith('gen:') ? 'playing' : 'idle';
  }
  /** A page that nobody sees asks for no frame. */
  #rest() { this.#orb.classList.toggle('still', document.hidden) }

  #workersChanged() {
    this.#prompt.offer((this.#workers.current?.kind ?? 'built-in') !== 'built-in');
    this.#prompt.read();
    this.draw(this.#hub.view());
  }
  /** Most lines ask for a piece; some say what holds from now on, or ask for that. Tells whether the line was taken. */
  async #start(text, at) {
    const worker = this.#workers.chosen, p = { text, ...worker && { worker } };
    const { ok, d } = await this.#hub.press('gen.parse', p), [fault] = d?.faults ?? [];
    if (fault) this.#say(fault.msg);
    if (!ok || fault) return false;
    if (d.mode === 'clip' || ['session', 'scene'].includes(d.act)) return (await this.#clips.carryOut(d, p)).ok;
    return (this.#does[d.act] ?? this.#does.make)(p, at);
  }
  #does = {
    make: async (p, at) => {
      const res = await this.#hub.press('job.start', { kind: 'generation', ...p, at }, { key: token(6) });
      if (res.ok) this.#say(t(said[at]), 4000);
      this.#prompts.read();
      return res.ok;
    },
    settings: p => this.#set(p), reset: p => this.#set(p),
    show: () => { this.#say(this.#prompts.settings); return true },
    help: () => { this.#say(t('imagine.help', { list: this.#prompt.commands.join(' ') }), 12000); return true },
  };
  async #set(p) {
    const res = await this.#hub.press('gen.set', p);
    await this.#prompts.read();
    if (res.ok) this.#say(this.#prompts.settings, 4000);
    return res.ok;
  }
  #take(text) {
    this.#prompt.text = text;
    this.#prompt.field.focus();
  }
  async #menu(job) {
    try {
      (await import('./jobmenu.js')).openJobMenu(this.#hub, this.#say, this.#acts, job,
        { again: text => this.#take(text) });
    } catch { this.#say(t('part.missing')) }
  }
}
