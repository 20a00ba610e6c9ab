// What rows say of the servers that their items are from: where an item is, and why it is away.

import { sourceOf, sourcesOf, titleOf } from './sources.js';
import { t } from '../shell/translate.js';

/** The title of the source of a uri; of what is no server's, that it is the hub's own. */
export const whereIs = (hub, uri) => {
  const source = sourceOf(hub, uri);
  return source ? titleOf(source) : t('source.thisHub');
};

/** Where a row comes from, as words for its second line; null where there are no servers. */
export function fromWhere(hub, row) {
  if (!sourcesOf(hub).length || !row.uri) return null;
  const others = row.places ? row.places.length - 1 : row.alt?.length ?? 0,
    where = whereIs(hub, row.places?.[0] ?? row.uri);
  return others > 0 ? t('source.morePlaces', { source: where, n: others }) : where;
}

/** Why an item cannot be played now. */
export function whyAway(hub, row) {
  const source = sourceOf(hub, row.uri);
  if (!source || source.state === 'ok') return t('away.file');
  if (source.state === 'disabled') return t('away.off', { source: titleOf(source) });
  return source.msg?.replace(/\.$/, '') || t('away.down', { source: titleOf(source) });
}
/** The same for the second line of a row. */
export const awayWords = (hub, row) => t('away.because', { reason: whyAway(hub, row) });

/** Whether none of the places of an entry can be reached. Of the hub's own sources that is not known here. */
export const isAway = (hub, row) => [row.uri, ...row.alt ?? []]
  .every(uri => ['down', 'disabled', 'unconfigured'].includes(sourceOf(hub, uri)?.state));
