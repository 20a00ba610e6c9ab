// What a finished piece has: its sound, its score and what its worker said of it, to be kept on this device.

import { icon, make } from '../parts/parts.js';
import { t } from '../shell/translate.js';

/** What the files beside the sound are called in words. */
const named = { 'score.mid': 'piece.score', 'metadata.json': 'piece.metadata' };

/**
 * Links that save them, and the recipe by which the same piece is made again on any hub. Only what has a recipe can be
 * varied; `vary` is the line for that.
 */
export async function pieceParts(hub, uri, vary) {
  const { media, files = [], item, recipe } = await hub.ask('lib.item', { uri, media: true }) ?? {};
  const save = (words, { url }, name) => make('a', { class: 'small act', href: url, download: name ?? '' },
    icon('save'), make('span', {}, words));
  const made = recipe ?? item?.recipe;
  return [made ? vary : null, media ? save(t('piece.sound'), media, item?.title) : null,
    ...files.map(file => save(named[file.name] ? t(named[file.name]) : file.name, file, file.name)),
    made ? make('p', { class: 'note recipe', dir: 'ltr', lang: 'en' }, made) : null].filter(Boolean);
}
