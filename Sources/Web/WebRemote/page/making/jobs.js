// The pieces that were asked for, newest first: what the hub says without being asked, and those that ended long ago.

import { actOf, jobCard, writeJobCard } from './jobcard.js';
import { jobsOf } from './jobwords.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, put } from '../parts/parts.js';
import { t } from '../shell/translate.js';

export class Jobs {
  #hub; #acts; #earlier = []; #more = 0; #cards; #told = ''; #note;
  /** `acts` has a function for each button of a card, and `more` for its menu; they get the job. */
  constructor(hub, acts) {
    [this.#hub, this.#acts] = [hub, acts];
    this.list = make('ul', { class: 'cards', 'aria-label': t('imagine.jobs'),
      onclick: event => this.#clicked(event) });
    this.#cards = new Keyed(this.list, { key: ({ job }) => job, make: job => jobCard(hub, job),
      draw: (element, job) => writeJobCard(hub, element, job) });
    this.#note = make('p', { class: 'note' });
    this.element = make('section', { class: 'jobs' }, make('h2', {}, t('imagine.jobs')), this.list, this.#note);
  }
  /** Asks for those that the hub does not tell by itself. */
  async read() {
    const found = await this.#hub.ask('job.list', {});
    if (found) [this.#earlier, this.#more, this.#told] = [found.jobs, found.more ?? 0, ''];
    this.draw();
  }
  /** A job that the hub tells of is as it says; the others are as they were when they were asked for. */
  get rows() {
    const rows = new Map([...this.#earlier, ...jobsOf(this.#hub)].map(job => [job.job, job]));
    return [...rows.values()].sort((one, other) => other.at - one.at);
  }
  find(id) { return this.rows.find(job => job.job === id) }
  /** A time that is left goes on by itself, so it is written anew each second while it is seen. */
  draw(isSecond = false) {
    const rows = this.rows, told = JSON.stringify(rows);
    if (told === this.#told && !isSecond) return;
    this.#told = told;
    this.#cards.draw(rows);
    put(this.#note, rows.length ? this.#more ? t('andMore', { n: this.#more }) : '' : t('imagine.none'));
  }
  #clicked(event) {
    const button = event.target.closest('button'), job = button?.closest('li')?.job;
    if (!job) return;
    buzz();
    this.#acts[button.dataset.do === 'more' ? 'more' : actOf(job)](job);
  }
}
