// How far the reading of the music is, and what to do where there is none yet.

import { make, mark, put } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { linkLine, openLine } from '../parts/sheet.js';
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
  /** An empty library offers the ways to music; who may not add any learns whom to ask. */
  invitation(hub, say) {
    const isAdmin = hub.role === 'admin', hasDemo = !!hub.view().queue?.len,
      admins = isAdmin ? []
      : [...new Set((hub.said.people?.list ?? []).filter(person => person.role === 'admin')
        .map(person => person.name))];
    const told = JSON.stringify([isAdmin, hasDemo, admins]);
    if (this.#invited?.told === told) return this.#invited;
    const words = isAdmin ? t('empty.admin') : admins.length ? t('empty.ask', { names: listed(admins, 'disjunction') })
      : t('empty.askOwner');
    const invited = make('div', { class: 'invited', 'data-said': words + told }, make('p', {}, words),
      ...isAdmin ? this.#ways(hub, say) : [],
      linkLine(t('empty.imagine'), 'pen', addressOf('imagine')),
      hasDemo ? openLine(t('empty.demo'), 'play', () => {
        if (!hub.isPlaying) hub.toggle();
        location.hash = addressOf('playing');
      }, { 'data-do': 'demo', 'data-needs': 'remote' }) : null);
    return this.#invited = Object.assign(invited, { told });
  }
  #ways(hub, say) {
    const place = make('div');
    const folder = async () => {
      const { Folders } = await import('../settings/folders.js'), folders = new Folders(hub, say);
      place.replaceChildren(folders.element);
      await folders.read();
      place.querySelector('input')?.focus();
    };
    const server = async () => {
      const { openServerForm } = await import('../settings/serverform.js'), known = await hub.ask('source.list', {});
      if (known) openServerForm({ hub, say, known, renew: () => { } }); else say(t('empty.noServers'));
    };
    const way = (name, text, sign, act) => openLine(text, sign, () => act().catch(() => say(t('part.missing'))),
      { 'data-do': name });
    return [way('folder', t('empty.folder'), 'folder', folder), way('server', t('server.add'), 'shelf', server), place];
  }
}
