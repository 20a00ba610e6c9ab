// How far the reading of the music is, and what to do where there is none yet.

import { make, mark, put } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { linkLine, openLine } from '../parts/sheet.js';
import { lacks } from '../shell/roles.js';
import { isOwnMachine } from '../setup/ownmachine.js';
import { t } from '../shell/translate.js';
import { listed } from '../shell/writing.js';

export class Scan {
  #bar = make('i'); #words = make('p'); #invited = null;
  constructor() {
    this.element = make('div', { class: 'scan', hidden: true, role: 'progressbar', 'aria-label': t('scan.label'),
      'aria-valuemin': 0 }, this.#bar, this.#words);
  }
  draw(scan) {
    this.element.hidden = !scan;
    if (!scan) return;
    const { done = 0, total, failed } = scan, part = total ? Math.min(1, done / total) : 0;
    this.#bar.style.transform = `scaleX(${part.toFixed(3)})`;
    const files = total ? t('scan.filesOf', { done, n: total }) : t('count.files', { n: done });
    put(this.#words, t('scan.reading', { files: failed ? `${files}, ${t('scan.failed', { n: failed })}` : files }));
    mark(this.element, 'aria-valuenow', done);
    mark(this.element, 'aria-valuemax', total);
  }
  /** An empty library leads whoever may set up the hub there; others learn whom to ask. */
  invitation(hub) {
    const isAdmin = hub.role === 'admin', mayBegin = isAdmin || isOwnMachine && !lacks(hub.role, 'remote'),
      hasDemo = !!hub.view().queue?.len;
    const admins = mayBegin ? [] : [...new Set((hub.said.people?.list ?? [])
      .filter(person => person.role === 'admin').map(person => person.name))];
    const told = JSON.stringify([mayBegin, hasDemo, admins]);
    if (this.#invited?.told === told) return this.#invited;
    const words = mayBegin ? t('empty.admin') : admins.length ? t('empty.ask', { names: listed(admins, 'disjunction') })
      : t('empty.askOwner');
    const begin = mayBegin ? linkLine(t('setup.name'), 'home', addressOf('setup')) : null;
    if (begin) { begin.classList.add('filled'); begin.dataset.do = 'setup' }
    const invited = make('div', { class: 'invited', 'data-said': words + told }, make('p', {}, words), begin,
      hub.has('making') ? linkLine(t('empty.imagine'), 'pen', addressOf('imagine')) : null,
      hasDemo ? openLine(t('empty.demo'), 'play', () => {
        if (!hub.isPlaying) hub.toggle();
        location.hash = addressOf('playing');
      }, { 'data-do': 'demo', 'data-needs': 'remote' }) : null);
    return this.#invited = Object.assign(invited, { told });
  }
}
