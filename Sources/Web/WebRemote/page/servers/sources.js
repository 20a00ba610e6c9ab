// What the section `src` says of the accounts at servers: whose item a row is, and which of them fail.

import { t } from '../shell/translate.js';
import { listed } from '../shell/writing.js';

export const sourcesOf = hub => hub.said.src?.list ?? [];
/** The name of the source of an item: the word before the colon of its uri. */
export const nameOf = uri => /^([a-z][a-z0-9-]*):/.exec(uri ?? '')?.[1];
export const sourceOf = (hub, uri) => {
  const name = nameOf(uri);
  return name && sourcesOf(hub).find(source => source.name === name);
};
export const titleOf = source => source.title || source.name;
/** Accounts with which a person can do something; one that is switched off or asked just now is well. */
const failing = hub => sourcesOf(hub).filter(({ state }) => ['down', 'unconfigured'].includes(state));
/** The sentence about them; empty while all are well. */
export function failureWords(hub) {
  const titles = failing(hub).map(titleOf);
  return titles.length ? t('sources.failing', { sources: listed(titles) }) : '';
}
