// The menu of an item, and the playlists that it may be added to.

import { field, needed, sent } from '../parts/forms.js';
import { carry, mayCarry } from '../carrying/carried.js';
import { below, isContainer, nameOf, playedAs, quoted, titleOf } from './items.js';
import { keepLine } from '../library/keep.js';
import { albumAddress, artistAddress } from '../parts/links.js';
import { icon, make, mark, put } from '../parts/parts.js';
import { placeLines } from './places.js';
import { keepPreset } from '../presets/presets.js';
import { linkLine, nameText, openLine } from '../parts/sheet.js';
import { sourceOf, titleOf as titleOfSource } from '../servers/sources.js';
import { stationLines } from '../radio/stations.js';
import { t } from '../shell/translate.js';

const mostLists = 1000;
const carriedKinds = ['track', 'album', 'playlist', 'episode', 'book', 'generation'];

/** `more` are further buttons: `[text, icon, act]`. */
export function openItemMenu(acts, row, more) {
  const { hub, say } = acts;
  const opens = isContainer(row), lines = opens
    ? [[t('item.playAll'), 'play', () => acts.all(row), 'remote'],
      [t('item.shuffleAll'), 'shuffle', () => acts.shuffle(row), 'remote'],
      [t('item.playNext'), 'playnext', () => acts.add(row, 'next'), 'guest'],
      [t('item.addAll'), 'enqueue', () => acts.add(row, 'end'), 'guest']]
    : [[t('item.playOnly'), 'play', () => acts.now(row), 'remote'],
      [t('item.playNext'), 'playnext', () => acts.add(row, 'next'), 'guest'],
      [t('item.addToEnd'), 'enqueue', () => acts.add(row, 'end'), 'guest']];
  acts.sheet(titleOf(row), make('p', { class: 'note', dir: 'auto' }, below(hub, row)),
    ...row.away ? [] : lines.map(line => acts.line(...line)),
    ...row.kind === 'track' && sourceOf(hub, row.uri)?.can?.includes('similar')
      ? [acts.line(t('item.addSimilar'), 'enqueue', () => acts.similar(row))] : [],
    row.away || ['shelf', 'station'].includes(row.kind) || !hub.has('listening') ? null
      : acts.line(t('only.name'), 'device', () => acts.only(row), 'remote'),
    ...placeLines(hub, acts, row),
    row.kind === 'track' ? linkLine(t('item.toAlbum'), 'album', albumAddress(hub, row)) : null,
    ['track', 'album'].includes(row.kind) ? linkLine(t('item.toArtist'), 'people', artistAddress(hub, row))
      : null,
    ['book', 'episode'].includes(row.kind) ? openLine(t('progress.name'), 'clock', async () =>
      (await import('../playing/progress.js')).openProgress(hub, say, row),
    { 'data-do': 'progress', 'data-needs': 'remote' }) : null,
    ...keepLine(hub, acts, row, nameOf(row), say),
    mayCarry() && !row.away && carriedKinds.includes(row.kind) ? openLine(t('carried.take'), 'save',
      () => takeAlong(acts, row), { 'data-do': 'carry', 'data-needs': 'remote' }) : null,
    hub.has('playlists') ? openLine(t('item.addToList'), 'lists', () => acts.choose(row), { 'data-needs': 'remote' })
      : null,
    row.uri && row.kind !== 'shelf' ? openLine(t('item.asPreset'), 'presets', () => keepPreset(row, say))
      : null,
    ...stationLines(hub, say, row, () => acts.edited()),
    row.kind === 'podcast' ? make('button', { class: 'small act', 'data-do': 'podcast', onclick: async () =>
      (await import('../podcasts/podcasts.js')).openPodcast(hub, say, row, () => acts.edited()) },
      icon('radio'), make('span', {}, t('podcasts.one'))) : null,
    // A hub marks no shelf; a mark from before can be taken away.
    ...more.map(line => acts.line(...line)), row.kind !== 'shelf' || row.fav ? favourite(acts, row) : null,
    ...row.kind === 'track' ? [stars(acts, row)] : []);
}
/** The progress is said, since a book takes its time. */
async function takeAlong({ hub, say, close }, row) {
  close();
  const why = await carry(hub, row, (n, all) => say(t('carried.taking', { n, all }), 60000));
  say(why ?? t('carried.taken', { name: nameOf(row) }), why ? 8000 : 4000);
}
function favourite(acts, row) {
  const isStation = row.kind === 'station',
    [on, off] = isStation ? ['radio.isPreset', 'radio.makePreset'] : ['item.isFavourite', 'item.makeFavourite'];
  const text = make('span'), press = () => { acts.favour(row).then(draw); draw() };
  const button = openLine(text, isStation ? 'star' : 'heart', press, { 'data-do': 'fav', 'data-needs': 'remote' });
  const draw = () => { mark(button, 'aria-pressed', !!row.fav); put(text, t(row.fav ? on : off)) };
  draw();
  return button;
}
function stars(acts, row) {
  const draw = () => buttons.forEach((button, index) => {
    mark(button, 'aria-checked', index + 1 === (row.stars ?? 0));
    button.classList.toggle('lit', index < (row.stars ?? 0));
  });
  // Choosing the same star again removes the rating.
  const buttons = [1, 2, 3, 4, 5].map(n => make('button', {
    role: 'radio', 'data-needs': 'remote', 'aria-label': t('count.stars', { n }), onclick: () => {
      acts.rate(row, row.stars === n ? 0 : n).then(draw);
      draw();
    },
  }, icon('star')));
  draw();
  return make('div', { class: 'stars', role: 'radiogroup', 'aria-label': t('item.rating') }, ...buttons);
}
/** Asks which playlist to add the item to, an existing or a new one. */
export async function choosePlaylist(acts, row) {
  const { hub, say } = acts;
  const name = make('input', { maxlength: 64, autocomplete: 'off', placeholder: t('list.example'),
    ...needed(t('list.needsName')) });
  const { choices } = await import('../servers/serverlists.js');
  const [found, there] = await Promise.all([allPlaylists(hub), choices(hub)]);
  const add = async (list, title) => {
    acts.close();
    const res = await acts.press('pl.edit', { ...list, ops: [{ add: [playedAs(row)] }] });
    if (res.ok) say(t('list.hasIt', { name: nameOf(row), list: quoted(title) }), 3000);
  };
  const create = async event => {
    event.preventDefault();
    const title = name.value.trim();
    const { ok } = await sent(form, name,
      () => acts.press('pl.create', { name: title, uris: [playedAs(row)] }, { silent: true }));
    if (ok) say(t('list.isNew', { name: nameOf(row), list: quoted(title) }), 3000);
  };
  const form = make('form', { class: 'pair', onsubmit: create }, field(t('list.new'), name),
    make('button', { class: 'small' }, t('create')));
  acts.sheet(t('list.addTo', { name: nameOf(row) }), ...found.filter(list => !list.smart).map(list =>
    openLine(nameText(list.name), 'lists', () => add({ id: list.id }, list.name))),
  ...there.map(list => {
    const at = make('small', { dir: 'auto' }, t('source.at', { source: titleOfSource(sourceOf(hub, list.uri)) }));
    const button = openLine(nameText(titleOf(list)), 'lists', () => add({ list: list.uri }, titleOf(list)),
      { 'data-list': list.uri });
    button.append(at);
    return button;
  }), form);
}
/** The hub answers a hundred at once. */
async function allPlaylists(hub) {
  const all = [];
  for (let isMore = true; isMore;) {
    const rows = (await hub.ask('pl.list', all.length ? { from: all.length } : {}))?.rows ?? [];
    all.push(...rows);
    isMore = rows.length === 100 && all.length < mostLists;
  }
  return all;
}
