// Everything that the hub keeps for the user of this page, as a file of JSON in the form of `baton user export`. The
// hub tells it in pages of rows.

import { save } from '../parts/files.js';
import { ownUser } from './me.js';
import { t } from '../shell/translate.js';

export async function exportData({ hub, say }) {
  const rows = [];
  for (let from = 0; from !== null;) {
    const { ok, d, err } = await hub.press('user.export', { from }, { silent: true });
    if (ok) {
      rows.push(...d.rows);
      from = d.rows.length && d.cursor ? Number(d.cursor) : null;
    } else if (err?.code === 'rate_limited') await new Promise(go => setTimeout(go, err.afterMs ?? 200));
    else return say(err?.msg ?? t('hub.unread'));
  }
  const me = await ownUser(hub);
  save(`baton-${me?.user ?? 'user'}.json`, JSON.stringify({ rows }, null, 1), 'application/json');
  say(t('account.exported', { n: rows.length }), 4000);
}
