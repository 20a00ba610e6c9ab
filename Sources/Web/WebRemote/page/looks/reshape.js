// The page takes another shape, such as that of a watch: other parts, and what the hub tells a watch. Loaded when a
// window changes so, and after a while.

import { become } from '../../../../../examples/browser/client/baton-verbs.js';
import { shape } from '../parts/base.js';
import { fetchView, viewName } from '../shell/connect.js';
import { panels } from '../shell/panels.js';
import { t } from '../shell/translate.js';

/** `page` is that of remote.js. */
export function reshape({ told: { hub, say }, later, dock, show, shown }) {
  if (shape() === 'watch') panels.queue.part?.closed();
  later.fetch();
  const now = viewName();
  fetchView(now).then(() => become(hub, now), () => say(t('part.missing')));
  dock();
  show(shown);
}
