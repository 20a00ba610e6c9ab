// Who may see a list of a user: the user alone, all, or those who know its address. The address holds a word that the
// hub makes, which is good for nothing once the list is shared otherwise.

import { copyText } from '../parts/clipboard.js';
import { buzz, icon, make } from '../parts/parts.js';
import { addressOf } from '../shell/route.js';
import { publicOrigin } from '../parts/publicorigin.js';
import { leaving, openSheet } from '../parts/sheet.js';
import { t } from '../shell/translate.js';

const ways = ['private', 'shared', 'link'];

/** `list` is the row of the list; `changed` is called when others may see it than before. */
export async function openSharing({ hub, say }, list, changed) {
  const isLeft = leaving(), origin = await publicOrigin(hub) ?? location.origin;
  let { share } = list, word = null;
  const choose = async way => {
    buzz();
    const res = await hub.press('pl.share', { id: list.id, share: way });
    if (!res.ok) return false;
    [share, word] = [res.d?.share ?? way, res.d?.link ?? null];
    changed(share);
    return true;
  };
  // Sharing it so again tells the word.
  if (share === 'link' && !await choose('link') || isLeft()) return;
  const change = async (way, told) => {
    const isAway = leaving();
    if (!await choose(way)) return;
    say(told, 4000);
    if (!isAway()) draw();
  };
  const draw = () => openSheet(t('share.of', { name: list.name }),
    make('div', { class: 'acts', id: 'sharing', role: 'radiogroup', 'aria-label': t('share.name') },
      ...ways.map(way => make('button', { class: share === way ? 'small sure' : 'small', role: 'radio',
        'aria-checked': `${share === way}`, 'data-share': way,
        onclick: () => change(way, t(`share.is.${way}`)) }, t(`share.${way}`)))),
    word ? linkPart(word) : null);
  const linkPart = link => {
    const address = `${origin}${location.pathname}${addressOf('lists', { list: list.id, link })}`;
    return make('div', { class: 'acts' }, make('p', { class: 'note' }, t('share.linkAbout')),
      make('label', { class: 'line' }, make('input', { id: 'sharelink', readonly: true, value: address, dir: 'ltr',
        'aria-label': t('share.address'), onfocus: event => event.target.select() })),
      make('button', { class: 'small act', id: 'sharecopy', onclick: () => copy(address) }, icon('copy'),
        make('span', {}, t('share.copy'))),
      make('button', { class: 'small act', id: 'sharerevoke',
        onclick: () => change('private', t('share.revoked')) }, icon('x'), make('span', {}, t('share.revoke'))));
  };
  const copy = async address => say(t(await copyText(address) ? 'facts.copied' : 'facts.notCopied'), 3000);
  draw();
}
