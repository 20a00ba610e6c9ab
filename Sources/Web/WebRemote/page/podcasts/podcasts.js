// Subscriptions to podcasts: added by an address or from a file of OPML, written as one, and what is done with each.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { save } from '../parts/files.js';
import { field, sent, twice } from '../parts/forms.js';
import { buzz, make } from '../parts/parts.js';
import { actLine, closeSheet, leaving, openSheet } from '../parts/sheet.js';
import { escaped, give, readFile } from '../radio/stationfiles.js';
import { t } from '../shell/translate.js';

const perPart = 25, keeps = [0, 1, 2, 3, 5, 10, 20];

/** The hub answers when it has read the feed, from a server that may take its time. */
const reading = { ttl: 30000 };

/** All subscriptions, page after page; null when not all of them could be read. */
async function podcasts(hub) {
  const all = [];
  for (let cursor; cursor !== null;) {
    const page = await hub.ask('podcast.list', { limit: 100, ...cursor && { cursor } });
    if (!page) return null;
    all.push(...page.podcasts);
    cursor = page.cursor ?? null;
  }
  return all;
}

/** The menu of all podcasts; `edited` is called when there are others. */
export function openPodcasts(hub, say, edited) {
  const url = make('input', {
    type: 'url', required: true, maxlength: 1024, autocomplete: 'off', placeholder: 'https://', 'data-at': 'feed',
    name: 'url',
  });
  const add = async event => {
    event.preventDefault();
    const address = url.value.trim(), res = await sent(form, url,
      () => hub.press('podcast.add', { url: address }, { key: token(6), ...reading, silent: true }), say);
    if (!res.ok) return;
    const title = res.d?.podcasts?.[0]?.title ?? address;
    say(t(res.st === 'noop' ? 'podcasts.isThere' : 'podcasts.isAdded', { title }), 4000);
    edited();
  };
  const refresh = async () => {
    if ((await hub.press('podcast.refresh', {}, { key: token(6), ...reading })).ok) say(t('podcasts.isLooked'), 3000);
  };
  const form = make('form', { class: 'more', onsubmit: add }, field(t('podcasts.address'), url),
    make('button', { class: 'small', 'data-needs': 'remote' }, t('podcasts.add')));
  openSheet(t('shelf.podcasts'), form,
    actLine(t('podcasts.refresh'), 'clock', refresh, 'remote'),
    actLine(t('podcasts.import'), 'folder', () => choose(hub, say, edited), 'remote'),
    actLine(t('podcasts.export'), 'save', () => write(hub, say), 'remote'));
}

function choose(hub, say, edited) {
  const input = make('input', { type: 'file', class: 'unseen', accept: '.opml,.xml', 'data-at': 'opml' });
  input.oncancel = () => input.remove();
  input.onchange = async () => {
    const [file] = input.files;
    input.remove();
    try {
      const { stations } = await readFile(file), urls = stations.map(({ url }) => url);
      for (let at = 0; at < urls.length; at += perPart)
        await give(hub, 'podcast.import', { urls: urls.slice(at, at + perPart) });
      say(t('podcasts.imported', { n: urls.length }), 5000);
    } catch (error) { say(t('radio.notImported', { name: file.name.slice(0, 80), reason: error.message })) }
    edited();
  };
  document.body.append(input);
  input.click();
}

async function write(hub, say) {
  const all = await podcasts(hub);
  if (!all) return say(t('hub.noAnswer'));
  const rows = all.filter(({ url }) => url), outline = ({ title, url }) =>
    `    <outline type="rss" text="${escaped(title)}" title="${escaped(title)}" xmlUrl="${escaped(url)}"/>\n`;
  save('podcasts.opml', '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n'
    + `  <head><title>Podcasts</title></head>\n  <body>\n${rows.map(outline).join('')}  </body>\n</opml>\n`);
  say(t('podcasts.exported', { n: rows.length }), 3000);
}

/** The menu of one podcast. */
export async function openPodcast(hub, say, row, edited) {
  const isLeft = leaving(), known = (await podcasts(hub))?.find(({ uri }) => uri === row.uri);
  if (isLeft()) return;
  if (!known) return say(t('hub.noAnswer'));
  const select = make('select', { 'data-at': 'keep', 'data-needs': 'remote', onchange: async () => {
    buzz();
    const n = Number(select.value), res = await hub.press('podcast.keep', { uri: row.uri, n }, { key: token(6) });
    if (res.ok) known.keep = n; else select.value = known.keep;
  } }, ...[...new Set([...keeps, known.keep])].sort((one, other) => one - other)
    .map(value => make('option', { value, selected: value === known.keep }, `${value}`)));
  const refresh = async () => {
    if ((await hub.press('podcast.refresh', { uri: row.uri }, { key: token(6), ...reading })).ok) edited();
  };
  const remove = async () => {
    if (!(await hub.press('podcast.remove', { uri: row.uri }, { key: token(6) })).ok) return;
    closeSheet();
    say(t('podcasts.isRemoved', { title: known.title }), 3000);
    edited();
  };
  const leave = twice(t('podcasts.remove'), t('podcasts.removeSure'), remove);
  leave.dataset.needs = 'remote';
  openSheet(known.title, known.msg ? make('p', { class: 'note', dir: 'auto' }, known.msg) : null,
    field(t('podcasts.keep'), select), actLine(t('podcasts.refresh'), 'clock', refresh, 'remote'), leave);
}
