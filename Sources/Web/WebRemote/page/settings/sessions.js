// Where a user is signed in, each place with a button that ends the session there. Users see their own, and admins
// those of others.

import { twice } from '../parts/forms.js';
import { make } from '../parts/parts.js';
import { leaving, openSheet } from '../parts/sheet.js';
import { moment } from '../servers/sourcewords.js';
import { t } from '../shell/translate.js';

/** `parts` are the hub and who says sentences; `another` names the user where it is not the one of this page. */
export async function openSessions(parts, name, another = {}) {
  const { hub, say } = parts, isLeft = leaving(), found = await hub.ask('user.sessions', another);
  if (isLeft()) return;
  if (!found) return say(t('hub.unread'));
  const end = async session => {
    const isAway = leaving(), res = await hub.press('user.revoke', { ...another, session });
    if (res.ok) say(t('sessions.ended'), 3000);
    if (!isAway()) openSessions(parts, name, another);
  };
  openSheet(t('sessions.of', { name }), make('ul', { class: 'cards', id: 'sessions' },
    ...found.list.map(row => card(row, end)),
    found.list.length ? null : make('li', { class: 'note' }, t('sessions.none')),
    found.more ? make('li', { class: 'note' }, t('andMore', { n: found.more })) : null));
}

/** The session of this page has no button: signing out ends it. */
function card({ session, createdMs, from, here }, end) {
  return make('li', { class: here ? 'card device here' : 'card device', 'data-session': session },
    make('b', { dir: 'auto' }, here ? t('sessions.here') : from || t('unknown')),
    here ? make('span') : twice(t('sessions.end'), t('tapAgain'), () => end(session)),
    make('small', { dir: 'auto' }, [here ? from : '', t('since', { when: moment(createdMs) })].filter(Boolean)
      .join(' · ')));
}
