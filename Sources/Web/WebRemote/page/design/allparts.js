// All parts of the page, made by the modules that the page makes them with. The sentences around them are no texts of a
// person's page and stand here in English.

import { RoomCard } from '../rooms/roomcard.js';
import { field, twice, wrong } from '../parts/forms.js';
import { itemRow } from '../items/items.js';
import { icon, make } from '../parts/parts.js';
import { placeHead } from '../library/placehead.js';
import { queueRow } from '../queue/queuerow.js';
import { subHead } from '../parts/roothead.js';
import { actLine, closeSheet, openLine, openSheet, styled } from '../parts/sheet.js';
import { become } from '../shell/state.js';
import { Strip } from '../items/strip.js';
import { applySheet } from '../parts/styles.js';
import { chip, tile } from '../items/tile.js';

const hub = { said: {}, room: 'main', role: 'admin', view: () => ({}), press: async () => ({ ok: false }) };
const long = 'A title that is much longer than any screen is wide, and goes on for a while without an end in sight';
const rows = [
  { uri: 'page:track/1', kind: 'track', title: 'Harbour Lights', artists: ['Ida Ferro'], durMs: 213000, fav: true },
  { uri: 'page:track/2', kind: 'track', title: long, artists: ['Ida Ferro and the Northern Quartet'], durMs: 3213000,
    stars: 4 },
  { uri: 'page:track/3', kind: 'track', title: '夜の電車', artists: ['青い鳥'], durMs: 187000 },
  { uri: 'page:track/4', kind: 'track', title: 'نشيد الفجر', artists: ['فرقة النيل'], durMs: 187000, away: true },
  { uri: 'radio:station/1', kind: 'station', title: 'Harbour FM' },
  { uri: 'page:shelf/albums', kind: 'shelf', n: 412 },
];
const albums = [
  { uri: 'page:album/1', kind: 'album', title: 'Tall Grass', albumArtist: 'Ida Ferro', year: 2004, n: 11 },
  { uri: 'page:album/2', kind: 'album', title: long, albumArtist: 'Various Artists', year: 1987, n: 30 },
  { uri: 'page:album/3', kind: 'album', title: '夜の電車', albumArtist: '青い鳥', year: 1971, n: 6 },
  { uri: 'page:album/4', kind: 'album', title: 'نشيد الفجر', albumArtist: 'فرقة النيل', year: 2016, n: 10 },
];
const roles = [['ground', 'ink'], ['ground2', 'soft'], ['raised', 'ink'], ['raised', 'soft'], ['accent', 'onaccent'],
  ['note', 'noteink'], ['ground', 'hot'], ['ground', 'lit'], ['track', 'ink']];

const section = (name, ...parts) => make('section', {}, make('h2', {}, name), ...parts);
const side = (...parts) => make('div', { class: 'side' }, ...parts);
const button = (words, looks = '') => make('button', { class: `small ${looks}`, type: 'button' }, words);
const styledAs = (element, style) => { Object.assign(element.style, style); return element };

function words() {
  const sizes = ['title', 'head', 'row', 'text', 'small'].map(size =>
    styledAs(make('p', {}, `--t-${size}: Harbour Lights 0123`), { fontSize: `var(--t-${size})` }));
  const colours = roles.map(([ground, ink]) => styledAs(make('span', {}, `${ink} on ${ground}`),
    { background: `var(--${ground})`, color: `var(--${ink})` }));
  const steps = [1, 2, 3, 4, 5, 6, 7].map(step => styledAs(make('i', { class: 'bar' }), { width: `var(--s-${step})` }));
  return [section('Type', ...sizes), section('Head of a place', make('div', { class: 'more' }, subHead(long, 'home'))),
    section('Colour', make('div', { class: 'roles' }, ...colours)),
    section('Space', side(...steps))];
}
function buttons() {
  const waiting = button('Cannot be pressed');
  waiting.disabled = true;
  const signs = [...document.querySelectorAll('#icons symbol')].map(({ id }) => id.slice(2));
  return [section('Buttons', side(button('Filled', 'filled'), button('Quiet'),
    make('button', { class: 'tool' }, icon('dots')), waiting, twice('Remove', 'Tap again', () => { })),
  openLine('A line of a menu', 'queue', () => { })),
  section('Icons', side(...signs.map(name => make('span', { class: 'sign' }, icon(name), name))))];
}
/** The player of the document: the mini player of a phone, and the slider of the volume. */
function playing(player) {
  const volume = player.querySelector('#volume'), texts = { title: long, artist: 'Ida Ferro', level: '40%' };
  for (const [id, text] of Object.entries(texts)) player.querySelector(`#${id}`).textContent = text;
  volume.remove();
  for (const slider of [volume.querySelector('#turn'), player.querySelector('#seek')]) {
    slider.style.setProperty('--level', .4);
    slider.style.setProperty('--part', .4);
  }
  return [section('Mini player', make('main', {}, player)), section('Volume', volume)];
}
function lists() {
  const playing = itemRow(hub, { ...rows[0], title: 'What plays' });
  playing.setAttribute('aria-current', 'true');
  return [section('Rows', make('div', { class: 'flow' }, make('ol', { class: 'rows items' }, playing,
    ...rows.map(row => itemRow(hub, row)), itemRow(hub, rows[0], { number: 12 })))),
  section('Rows of the queue', make('div', { class: 'flow' }, make('ol', { class: 'rows' },
    ...rows.slice(0, 4).map((row, index) => queueRow(hub, { ...row, entry: `${index}` }))))),
  section('Head of an album', placeHead(hub, { isKnown: true, node: albums[1], title: long, rows: rows.slice(0, 2),
    length: 2 }).make()),
  strip(),
  section('Tiles', make('div', { class: 'flow' },
    make('ol', { class: 'rows items grid' }, ...albums.map(row => tile(hub, row))))),
  section('Chips', make('ul', { class: 'chips' }, ...['albums', 'artists', 'books', 'podcasts', 'years'].map(name =>
    chip({ uri: `page:shelf/${name}`, kind: 'shelf' }))))];
}
function strip() {
  const strip = new Strip(hub, 'Row of covers', { place: { uri: 'page:shelf/albums' }, clicked() { } });
  strip.fill(albums);
  return section('Row of covers', strip.element);
}
function forms() {
  const input = (more = {}) => make('input', { value: 'Kitchen', ...more }), bad = input({ value: 'kitchen' });
  const badLine = make('div', {}, field('Field with a mistake', bad));
  const turn = (text, on) => make('button', { class: 'switch', role: 'switch', 'aria-checked': `${on}` },
    make('span', {}, text), make('i'));
  const slider = make('input', { type: 'range', value: 40 });
  slider.style.setProperty('--level', .4);
  wrong(bad, 'Enter an address that begins with https:// or http://.');
  return [section('Fields', field('Field', input()), badLine, field('Number', input({ type: 'number', value: 40 })),
    field('Choice', make('select', {}, make('option', {}, 'may play, skip and queue'))),
    field('Tick', input({ type: 'checkbox', checked: true })),
    turn('Switch, on', true), turn('Switch, off', false)),
  section('Slider', field('Volume', slider))];
}
function cards() {
  const told = { go() { }, bring() { }, menu() { } };
  const rooms = [{ id: 'main', name: 'Living room', st: 'playing', level: 30, title: long, here: true },
    { id: 'other', name: 'غرفة الجلوس', st: 'paused', level: 55, title: '夜の電車', here: false }];
  const drawn = rooms.map(room => {
    const card = new RoomCard(hub, room, told, false);
    card.draw(room, { canTurn: true });
    return card.element;
  });
  return section('Cards', make('ul', { class: 'cards' }, ...drawn,
    make('li', { class: 'card source away' }, make('b', {}, 'The loft'),
      make('small', { class: 'state' }, 'Cannot be reached since 12:03'),
      make('button', { class: 'tool' }, icon('dots'))),
    make('li', { class: 'card device' }, make('b', {}, '/srv/music'), button('Remove'),
      make('small', {}, '332 tracks'))));
}
/** The sheet as it stands over the page. */
function sheet() {
  const opened = document.getElementById('sheet');
  openSheet('A sheet: Harbour Lights', make('p', { class: 'note' }, 'A note about what follows.'),
    actLine('Play next', 'playnext', () => { }), actLine('Add to the end of the queue', 'enqueue', () => { }),
    field('Name', make('input')));
  const copy = opened.cloneNode(true);
  closeSheet();
  copy.removeAttribute('id');
  copy.className = 'shown';
  return section('Sheet', copy);
}
function notes() {
  return section('Sentences',
    side(make('div', { id: 'undo' }, make('span', {}, '“Sunday” was deleted.'), button('Undo'))),
    make('p', { class: 'note' }, 'A note stands below what it is about.'),
    make('p', { class: 'wrong' }, 'This is wrong with a field.'));
}

/** All of it in one theme, once its styles have come. `player` is what plays in the document of the page. */
export async function allParts(theme, player) {
  become('theme', theme);
  await Promise.all([applySheet(`${theme}.css`), styled()]);
  return [...words(), ...buttons(), ...playing(player), ...lists(), ...forms(), cards(), sheet(), notes()];
}
