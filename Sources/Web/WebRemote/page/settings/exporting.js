// Everything that the hub keeps for the user of this page, as a file of JSON in the form of `baton user export`. The
// hub tells it in pages of rows.

import { save } from '../parts/files.js';
import { ownUser } from './me.js';
import { t } from '../shell/translate.js';

export async function exportData({ hub, say }) {
  const rows = [];
  for (let from = 0; from !== null;) {
    const { ok, d, err } = await hub.press('user.export', { from }, { silent: true });
    if (!ok) return say(err?.msg ?? t('hub.unread'));
    rows.push(...d.rows);
    from = d.rows.length && d.cursor ? Number(d.cursor) : null;
  }
  const me = await ownUser(hub);
  save(`baton-${me?.user ?? 'user'}.json`, JSON.stringify({ rows }, null, 1), 'application/json');
  say(t('account.exported', { n: rows.length }), 4000);
}
