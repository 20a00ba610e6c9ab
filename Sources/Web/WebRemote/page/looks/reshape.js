// The page takes another shape, such as that of a watch: other parts, and what the hub tells a watch. Loaded when a
// window changes so, and after a while.

import { become } from './baton-verbs.js';
import { shape } from './base.js';
import { fetchProfile, profile } from './connect.js';
import { panels } from './panels.js';
import { t } from './translate.js';

/** `page` is that of remote.js. */
export function reshape({ told: { hub, say }, later, dock, show, shown }) {
  if (shape() === 'watch') panels.queue.part?.closed();
  later.fetch();
  const now = profile();
  fetchProfile(now).then(() => become(hub, now), () => say(t('part.missing')));
  dock();
  show(shown);
}
