// What an admin does with one user beside the role: a new password, sessions, devices that act as the user, marks that
// were made before the user was there, and the user's end.

import { field, hashing, refusedAt, twice } from '../parts/forms.js';
import { make } from '../parts/parts.js';
import { openSessions } from './sessions.js';
import { closeSheet, leaving, openLine, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

/** `parts` are the hub, who says sentences, and `renew`, which reads the users again. */
export function openUserMenu(parts, { user, guest }) {
  openSheet(user,
    openLine(t('sessions.name'), 'clock', () => openSessions(parts, user, { user }), { 'data-do': 'sessions' }),
    guest ? null : openLine(t('userDevices.name'), 'link', () => openDevices(parts, user), { 'data-do': 'devices' }),
    guest ? null : openLine(t('adopt.name'), 'heart', () => openAdopting(parts, user), { 'data-do': 'adopt' }),
    guest ? null : openLine(t('account.change'), 'pen', () => openPassword(parts, user), { 'data-do': 'password' }),
    twice(t('users.remove'), t('users.removeSure'), () => {
      closeSheet();
      send(parts, 'user.remove', { user }, t('users.changed'));
    }));
}

async function send({ hub, say, renew }, m, p, done) {
  const res = await hub.press(m, p, hashing);
  if (res.ok) say(done);
  renew();
  return res.ok;
}

/** A device that is linked acts as its user, and may do no more. */
async function openDevices(parts, user) {
  const { hub, say } = parts, isLeft = leaving(),
    [devices, users] = await Promise.all([hub.ask('dev.list', {}), hub.ask('user.list', {})]);
  if (isLeft()) return;
  if (!devices || !users) return say(t('hub.unread'));
  const owners = new Map(users.list.flatMap(other => (other.devices ?? []).map(dev => [dev, other.user])));
  const link = async (dev, to, done) => {
    const isAway = leaving();
    if (await send(parts, 'user.link', { dev, ...to }, done) && !isAway()) openDevices(parts, user);
  };
  openSheet(t('userDevices.of', { name: user }), make('p', { class: 'note' }, t('userDevices.about')),
    make('ul', { class: 'cards', id: 'userdevices' }, ...devices.list.map(({ dev, name }) => {
      const owner = owners.get(dev), isOwn = owner === user;
      return make('li', { class: isOwn ? 'card device here' : 'card device', 'data-dev': dev },
        make('b', { dir: 'auto' }, name),
        isOwn ? twice(t('userDevices.unlink'), t('tapAgain'), () =>
          link(dev, {}, t('userDevices.unlinked', { device: name })))
          : twice(t('userDevices.link'), t('tapAgain'), () =>
            link(dev, { user }, t('userDevices.linked', { device: name, name: user }))),
        owner ? make('small', { dir: 'auto' }, t('userDevices.belongs', { name: owner })) : null);
    }), devices.list.length ? null : make('li', { class: 'note' }, t('devices.none'))));
}

/** Marks of a person of devices, or those that belong to the hub. They cannot be given back, so it takes two taps. */
async function openAdopting(parts, user) {
  const { hub, say } = parts, isLeft = leaving(), devices = await hub.ask('dev.list', {});
  if (isLeft()) return;
  if (!devices) return say(t('hub.unread'));
  const persons = [...new Set(devices.list.map(({ person }) => person).filter(Boolean))].sort();
  const row = (person, name) => make('li', { class: 'card device', 'data-person': person ?? '' },
    make('b', { dir: 'auto' }, name), twice(t('adopt.take'), t('tapAgain'), async () => {
      if (await send(parts, 'user.adopt', { user, ...person ? { person } : {} }, t('adopt.taken', { name: user })))
        closeSheet();
    }));
  openSheet(t('adopt.of', { name: user }), make('p', { class: 'note' }, t('adopt.about')),
    make('ul', { class: 'cards', id: 'adopting' }, row(null, t('adopt.home')),
      ...persons.map(person => row(person, person))));
}

function openPassword(parts, user) {
  const input = make('input', { type: 'password', minlength: 8, maxlength: 1024, autocomplete: 'new-password',
    required: true });
  const change = async event => {
    event.preventDefault();
    const { ok, err } = await parts.hub.press('user.passwd', { user, password: input.value },
      { ...hashing, silent: true });
    if (!ok) return refusedAt(input.form, err, input);
    parts.say(t('account.changed'));
    parts.renew();
    closeSheet();
  };
  openSheet(user, make('form', { class: 'acts', id: 'userpasswd', onsubmit: change },
    field(t('account.new'), input), make('button', { class: 'small' }, t('account.change'))));
  input.focus();
}
