// Links by which radios, cars and players hear a room. What opens a stream is shown once, when the link is
// made; the hub keeps no copy of it.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { copyText } from '../parts/clipboard.js';
import { field, refusedAt, twice } from '../parts/forms.js';
import { buzz, icon, make } from '../parts/parts.js';
import { publicOrigin } from '../parts/publicorigin.js';
import { leaving, openSheet } from '../parts/sheet.js';
import { moment } from '../servers/sourcewords.js';
import { t } from '../shell/translate.js';

/** `room` has an id and a name. `made` is the address of a link that was made just now, shown above the others. */
export async function openRoomLinks({ hub, say }, room, made = null) {
  const isLeft = leaving(), about = { room: room.id }, { ok, d: found } = await hub.press('listen.links', {}, about);
  if (!ok || isLeft()) return;
  const name = make('input', { id: 'linkname', maxlength: 64, autocomplete: 'off', name: 'name',
    placeholder: t('links.example') });
  const create = async event => {
    event.preventDefault();
    buzz();
    const isAway = leaving(), text = name.value.trim();
    const res = await hub.press('listen.link', text ? { name: text } : {},
      { ...about, key: token(6), silent: true });
    const address = res.ok ? `${await publicOrigin(hub) ?? location.origin}${res.d.mp3}` : null;
    if (isAway()) return;
    if (res.ok) openRoomLinks({ hub, say }, room, address); else refusedAt(name.form, res.err, name);
  };
  const end = async link => {
    const isAway = leaving(), res = await hub.press('listen.revoke', { link }, about);
    if (res.ok) say(t('share.revoked'), 4000);
    if (!isAway()) openRoomLinks({ hub, say }, room);
  };
  openSheet(t('links.of', { name: room.name }), make('p', { class: 'note' }, t('links.about')),
    make('form', { class: 'pair', onsubmit: create },
      field(t('links.for'), name), make('button', { class: 'small', id: 'linkmake' }, t('links.make'))),
    made ? fresh(made, say) : null,
    make('ul', { class: 'cards', id: 'roomlinks' }, ...found.list.map(row => card(row, end)),
      found.list.length ? null : make('li', { class: 'note' }, t('links.none')),
      found.n ? make('li', { class: 'note' }, t('links.hearing', { n: found.n })) : null));
}

function fresh(address, say) {
  const copy = async () => say(t(await copyText(address) ? 'facts.copied' : 'facts.notCopied'), 3000);
  return make('div', { class: 'acts' }, make('p', { class: 'note' }, t('links.once')),
    make('label', { class: 'line' }, make('input', { id: 'linkaddress', readonly: true, value: address, dir: 'ltr',
      'aria-label': t('links.address'), onfocus: event => event.target.select() })),
    make('button', { class: 'small act', id: 'linkcopy', onclick: copy }, icon('copy'),
      make('span', {}, t('share.copy'))));
}

function card({ link, name, by, madeMs }, end) {
  return make('li', { class: 'card device', 'data-link': link },
    make('b', { dir: 'auto' }, name || link), twice(t('share.revoke'), t('tapAgain'), () => end(link)),
    make('small', { dir: 'auto' }, [by, t('since', { when: moment(madeMs) })].filter(Boolean).join(' · ')));
}
