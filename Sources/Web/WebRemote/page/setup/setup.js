// The first start: whoever set up an empty hub becomes its admin, adds music, and pairs a phone. Each can be done later
// in the settings.

import { field, needed, wrong } from '../parts/forms.js';
import { Folders } from '../settings/folders.js';
import { ownUser } from '../settings/me.js';
import { openPairing } from '../pairing/pairing.js';
import { buzz, make } from '../parts/parts.js';
import { subHead } from '../parts/roothead.js';
import { linkLine, openLine, styled } from '../parts/sheet.js';
import { addressOf } from '../shell/route.js';
import { Scan } from '../library/scan.js';
import { isOwnMachine } from './ownmachine.js';
import { t } from '../shell/translate.js';

const mostWaitMs = 1000;

export class Setup {
  #hub; #say; #folders; #scan = new Scan(); #body; #role = null; #done; #demo;
  static async open({ hub, say }) {
    await styled();
    return new Setup(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#folders = new Folders(hub, say);
    this.#body = make('div', { class: 'scroller more' });
    this.element = make('div', { class: 'queue settings setup' }, subHead(t('setup.name'), 'home'), this.#scan.element,
      this.#body);
    this.draw();
  }
  opened() { if (this.#hub.role === 'admin') this.#folders.read() }
  draw() {
    const hub = this.#hub, { role } = hub;
    if (role !== this.#role) {
      this.#role = role;
      this.#body.replaceChildren(...role === 'admin' ? this.#forAdmin() : this.#becoming());
      if (role === 'admin') this.#read();
    }
    if (role !== 'admin') return;
    this.#folders.draw();
    this.#scan.draw(hub.said.lib?.scan);
    this.#done.classList.toggle('filled', !!hub.said.lib?.tracks);
    this.#demo.hidden = !hub.view().queue?.len || !!hub.said.lib?.tracks;
  }
  /** All of it appears at once, since folders that are found would push the rest down; a slow hub is not waited for. */
  async #read() {
    this.#body.classList.add('waiting');
    await Promise.race([this.#folders.read(), new Promise(done => setTimeout(done, mostWaitMs))]);
    this.#body.classList.remove('waiting');
  }

  // ---- Without the rights of an admin. That a browser is on the hub's machine proves nothing: so may be a proxy.
  #becoming() {
    const address = make('input', { id: 'setupaddress', autocomplete: 'off', spellcheck: 'false', dir: 'ltr',
      placeholder: `${location.origin}/#ticket=`, ...needed(t('setup.enter')) });
    const become = event => {
      event.preventDefault();
      const ticket = /(?:^|#ticket=)([\w-]{16,64})$/.exec(address.value.trim())?.[1];
      buzz();
      if (!ticket) { wrong(address, t('setup.enter')); return address.focus() }
      try { sessionStorage.setItem('baton.ticket', ticket) } catch { return wrong(address, t('setup.noStorage')) }
      location.reload();
    };
    const user = make('div', { class: 'more', hidden: true }, make('h2', {}, t('setup.orUser')),
      make('p', { class: 'note' }, t('setup.aboutUser')),
      linkLine(t('account.signIn'), 'person', addressOf('settings', { page: 'account' })));
    ownUser(this.#hub).then(me => { user.hidden = !me });
    const own = [make('p', { class: 'note' }, t('setup.address')),
      make('form', { class: 'more', onsubmit: become }, field(t('setup.field'), address),
        make('button', { class: 'small filled', id: 'setupbecome' }, t('setup.become'))),
      make('p', { class: 'note' }, t('setup.again'))];
    return [make('div', { class: 'more' }, make('h2', {}, t('setup.admin')),
      ...isOwnMachine ? own : [make('p', { class: 'note' }, t('setup.elsewhere'))]), user];
  }

  #forAdmin() {
    const server = async () => {
      const { openServerForm } = await import('../servers/serverform.js'),
        known = await this.#hub.ask('source.list', {});
      if (known) openServerForm({ hub: this.#hub, say: this.#say, known, renew: () => { } });
      else this.#say(t('empty.noServers'));
    };
    this.#demo = openLine(t('empty.demo'), 'play', () => {
      if (!this.#hub.isPlaying) this.#hub.toggle();
      location.hash = addressOf('playing');
    }, { 'data-do': 'demo' });
    this.#done = linkLine(t('setup.done'), 'library', addressOf('home'));
    return [this.#folders.element,
      make('div', { class: 'more' }, make('h2', {}, t('setup.other')),
        this.#hub.has('servers') ? openLine(t('server.add'), 'shelf',
          () => server().catch(() => this.#say(t('part.missing'))), { 'data-do': 'server' }) : null,
        this.#hub.has('making') ? linkLine(t('empty.imagine'), 'pen', addressOf('imagine')) : null, this.#demo),
      this.#hub.has('network') ? make('div', { class: 'more' }, make('h2', {}, t('setup.phone')),
        make('p', { class: 'note' }, t('setup.aboutPhone')),
        openLine(t('setup.pair'), 'link', () => { buzz(); openPairing(this.#hub) }, { id: 'setuppair' })) : '',
      this.#done];
  }
}
