// The user who is signed in with this browser: signing in, up and out, and another password. The token is in a cookie
// that no program of a page can read, so the page asks over HTTP, and is loaded again as that user.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { exportData } from './exporting.js';
import { field, hashing, refusedAt, twice } from '../parts/forms.js';
import { forgetRows } from '../library/lastrows.js';
import { ownUser } from './me.js';
import { buzz, make, refill, remember } from '../parts/parts.js';
import { openSessions } from './sessions.js';
import { errorWords, t } from '../shell/translate.js';

export class Account {
  #hub; #say; #told = '';
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.element = make('div', { class: 'more', id: 'account', hidden: true });
  }
  get #parts() { return { hub: this.#hub, say: this.#say } }
  /** Nothing of a hub without users. */
  async read() {
    const me = await ownUser(this.#hub), told = JSON.stringify(me ?? null);
    // Without an answer of a hub that was lost, what is typed stays.
    if (told === this.#told || !me && !this.#hub.live || this.element.contains(document.activeElement)) return;
    this.#told = told;
    const rows = !me ? [make('p', { class: 'note' }, t('account.none'))] : me.user ? this.#own(me) : this.#doors(me);
    this.element.hidden = false;
    refill(this.element, [make('h2', {}, t('account.name')), ...rows], 'at');
  }
  #own(me) {
    const old = this.#secret(t('account.old'), 'current-password', { name: 'old' }),
      fresh = this.#secret(t('account.new'), 'new-password', { minlength: 8, name: 'password' });
    return [
      make('p', { class: 'note', id: 'signedin' }, t('account.as', { name: me.user, role: t(`role.${me.role}`) })),
      make('button', { class: 'small', id: 'signout', onclick: () => this.#ask('user.signout', {}) },
        t('account.signOut')),
      make('button', { class: 'small', id: 'export', onclick: () => { buzz(); exportData(this.#parts) } },
        t('account.export')),
      make('button', { class: 'small', id: 'signedinat',
        onclick: () => { buzz(); openSessions(this.#parts, me.user) } }, t('sessions.name')),
      ...me.guest ? [] : [this.#form('password', t('account.change'), () => this.#change(old, fresh), old, fresh),
        twice(t('account.elsewhere'), t('tapAgain'), () => this.#endOthers())],
    ];
  }
  #doors(me) {
    const name = make('input', { maxlength: 64, autocomplete: 'username', autocapitalize: 'off', required: true,
        name: 'name' }),
      password = this.#secret(t('account.password'), 'current-password');
    const given = () => ({ name: name.value.trim(), password: password.querySelector('input').value });
    const at = err => refusedAt(form, err, password.querySelector('input'));
    const signIn = () => this.#ask('user.signin', given(), at);
    const form = this.#form('signin', t('account.signIn'), signIn, field(t('account.user'), name), password);
    if (me.signup !== 'off') form.append(make('button', { class: 'small', id: 'signup', type: 'button',
      onclick: () => form.reportValidity() && this.#ask('user.signup', given(), at) }, t('account.signUp')));
    const enter = () => this.#ask('user.guest', name.value.trim() ? { name: name.value.trim() } : {});
    if (me.guests === 'off') return [form];
    return [form, make('button', { class: 'small', id: 'enter', onclick: enter }, t('account.guest'))];
  }
  #secret(text, autocomplete, more = {}) {
    return field(text, make('input', { type: 'password', maxlength: 1024, autocomplete, required: true, ...more }));
  }
  #form(id, text, act, ...fields) {
    return make('form', { id, class: 'more', onsubmit: event => { event.preventDefault(); act() } },
      ...fields, make('button', { class: 'small' }, text));
  }
  /** `refused` shows at a field what the hub answered; without it that is said. */
  async #ask(m, p, refused = null) {
    buzz();
    const body = JSON.stringify({ t: 'cmd', id: 1, m, k: token(6), p });
    const answer = await fetch('/baton/user?cookie=1', { method: 'POST', body })
      .then(response => response.json()).catch(() => null);
    if (answer?.ok) {
      // What one person has looked for is nothing for the next.
      remember('searches', []);
      await forgetRows();
      return location.reload();
    }
    const msg = answer?.err ? errorWords(answer.err.code, answer.err.msg) : t('hub.notConnected');
    if (refused) refused({ ...answer?.err, msg }); else this.#say(msg);
  }
  async #change(old, fresh) {
    const [before, after] = [old, fresh].map(line => line.querySelector('input'));
    const { ok, err } = await this.#hub.press('user.passwd', { old: before.value, password: after.value },
      { ...hashing, silent: true });
    if (!ok) return refusedAt(before.form, err, err?.code === 'wrong_password' ? before : after);
    before.value = after.value = '';
    this.#say(t('account.changed'));
  }
  async #endOthers() {
    const res = await this.#hub.press('user.revoke', {});
    if (res.ok) this.#say(t('account.ended'), 3000);
  }
}
