// A room of one person stands in no list of the hub, so its name is the page's own.

import { t } from '../shell/translate.js';

export const isPrivate = id => !!id?.startsWith('only:');
/** A view of the hub's state with that name. */
export const namingPrivate = view => (said, id, ...more) => {
  const seen = view(said, id, ...more);
  return isPrivate(id) ? { ...seen, roomName: t('only.name') } : seen;
};
