// What another app has shared with the page.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { make } from '../parts/parts.js';
import { actLine, openSheet, styled } from '../parts/sheet.js';
import { t } from './translate.js';

/**
 * An address from another app. Any page can open this one with it, so it is shown, and goes to the hub after a press.
 */
export async function takeShared(hub, say, names) {
  const query = new URLSearchParams(location.search);
  const [title, text, url] = names.map(name => query.get(name)?.trim() ?? '');
  for (const name of names) query.delete(name);
  history.replaceState(history.state, '', `${location.pathname}${query.size ? `?${query}` : ''}${location.hash}`);
  const address = /https?:\/\/\S+/i.exec(`${url} ${text} ${title}`)?.[0];
  if (!address) return say(t('share.noAddress'));
  await styled();
  const add = at => async () => {
    if ((await hub.press('queue.add', { uris: [address], at }, { key: token(4) })).ok)
      say(t(at === 'next' ? 'share.next' : 'share.atEnd'), 3000);
  };
  openSheet(t('share.title'), make('p', { class: 'note', dir: 'auto', id: 'shared' },
    title && title !== address ? `${title.slice(0, 200)} – ` : '', make('bdi', {}, address.slice(0, 500))),
    actLine(t('item.playNext'), 'playnext', add('next')), actLine(t('item.addToQueue'), 'enqueue', add('end')));
}
