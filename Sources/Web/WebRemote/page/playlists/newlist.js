// A new playlist: empty, or of all that is in the queue.

import { parts } from '../items/acts.js';
import { field, needed, sent } from '../parts/forms.js';
import { quoted } from '../items/items.js';
import { buzz, make } from '../parts/parts.js';
import { t } from '../shell/translate.js';

/** `made` is called when there is one more playlist. `isOfQueue`: it has what is in the queue, without a choice. */
export function makeList(hub, say, acts, { made = () => { }, isOfQueue = false } = {}) {
  buzz();
  const name = make('input', { id: 'listname', maxlength: 64, autocomplete: 'off', placeholder: t('list.example'),
    ...needed(t('list.needsName')) });
  const create = withQueue => async event => {
    event?.preventDefault();
    if (!name.reportValidity()) return;
    const title = name.value.trim();
    const { ok, n, all } = await sent(form, name, async () => {
      const uris = withQueue ? await queued(hub) : [];
      return uris ? createOf(acts, title, uris) : { ok: 0, err: { msg: t('queue.unread') } };
    });
    if (!ok) return;
    const words = { name: quoted(title), n, all };
    say(n < all ? t('list.isPart', words) : t('list.created', words), n < all ? 6000 : 3000);
    made();
  };
  // Enter presses the button that sends the form, which is the one that is filled.
  const buttons = isOfQueue ? [make('button', { class: 'small', 'data-do': 'queue' }, t('save'))]
    : [make('button', { class: 'small', 'data-do': 'empty' }, t('list.createEmpty')),
      make('button', { class: 'small', type: 'button', 'data-do': 'queue', onclick: create(true) },
        t('list.createOfQueue'))];
  const form = make('form', { class: 'acts', onsubmit: create(isOfQueue) }, field(t('name'), name), ...buttons);
  acts.sheet(t(isOfQueue ? 'queue.asPlaylist' : 'list.new'), form);
  name.focus();
}

/** The URIs of the whole queue; null when not all of it could be read. */
async function queued(hub) {
  const uris = [];
  for (let left = true; left;) {
    const { ok, d } = await hub.press('queue.get', { from: uris.length, n: 100 }, { silent: true });
    if (!ok) return null;
    uris.push(...d.rows.map(row => row.uri));
    left = d.rows.length && uris.length < d.len;
  }
  return uris;
}

/** The answer of the hub, with how many are in the list: it takes a long one in parts, of which one may be refused. */
async function createOf(acts, name, uris) {
  const [first = [], ...others] = parts(uris),
    res = await acts.press('pl.create', { name, ...first.length ? { uris: first } : {} }, { silent: true });
  let n = first.length;
  for (const part of res.ok ? others : []) {
    const add = { id: res.d.id, ops: [{ add: part }] };
    if (!(await acts.press('pl.edit', add, { silent: true })).ok) break;
    n += part.length;
  }
  return { ...res, n, all: uris.length };
}
