// Lists of stations as files: read here (m3u, pls, OPML, XSPF, or JSON as Radio-Browser writes it) and given to the hub
// in parts, and written from what the hub keeps. The content says what a file is, since names of files often say
// something else.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { save } from '../parts/files.js';
import { t } from '../shell/translate.js';

const mostBytes = 8 << 20, mostStations = 10000, perPart = 100, bytesPerPart = 9000;
const limits = { title: 200, picture: 1024, country: 64, language: 64 }, tagLimit = 64, mostTags = 12;
const isAddress = text => /^https?:\/\/[^/\s]/i.test(text) && bytesOf(text) <= 1024;
const bytesOf = text => new TextEncoder().encode(text).length;

/** A text of at most so many bytes, without control characters. */
function cut(text, most) {
  let line = `${text ?? ''}`.replace(/\p{Cc}+/gu, ' ').trim();
  while (bytesOf(line) > most) line = [...line].slice(0, -Math.max(1, Math.floor((bytesOf(line) - most) / 4))).join('');
  return line;
}
/** One entry of a file as the hub takes it; null for what names no http address. */
function station({ url, tags = [], ...texts }) {
  const address = `${url ?? ''}`.trim();
  if (!isAddress(address)) return null;
  const made = { url: address };
  for (const [name, most] of Object.entries(limits)) {
    const text = cut(texts[name], most);
    if (text) made[name] = text;
  }
  if (made.picture && !isAddress(made.picture)) delete made.picture;
  const words = [...new Set(tags.map(tag => cut(tag, tagLimit)).filter(Boolean))].slice(0, mostTags);
  return { title: new URL(address).host, ...made, ...words.length && { tags: words } };
}
const split = text => `${text ?? ''}`.split(',');

function fromJSON(text) {
  const found = JSON.parse(text), list = Array.isArray(found) ? found : found.stations ?? [];
  return list.filter(Boolean).map(({ name, title, url_resolved, url, favicon, picture, country, language, tags }) => ({
    title: name ?? title, url: url_resolved || url, picture: favicon ?? picture, country, language,
    tags: Array.isArray(tags) ? tags : split(tags),
  }));
}
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const signs = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, data = /^\s*<!\[CDATA\[([^]*)\]\]>\s*$/;
const plain = text => text?.replace(data, '$1').replace(signs, (all, hex, digits, name) => {
  const code = hex ? parseInt(hex, 16) : Number(digits);
  return name ? entities[name] ?? all : code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
});
/** Attributes by their names in small letters. */
const attributes = text => Object.fromEntries([...text.matchAll(/([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)]
  .map(([, name, one, other]) => [name.toLowerCase(), plain(one ?? other)]));
/** OPML and XSPF by their elements alone: how deep they stand means nothing. */
function fromXML(text) {
  if (/<!ENTITY/i.test(text)) throw new Error(t('radio.file.entities'));
  const inner = (part, name) => plain(new RegExp(`<${name}\\b[^>]*>([^]*?)</${name}>`, 'i').exec(part)?.[1]);
  const outlines = [...text.matchAll(/<outline\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi)].map(([, part]) => attributes(part));
  return [
    ...outlines.filter(one => one.url ?? one.xmlurl).map(one => ({
      ...one, title: one.text ?? one.title, url: one.url ?? one.xmlurl, picture: one.image, tags: split(one.category),
    })),
    ...text.split(/<track>/i).slice(1).map(part =>
      ({ title: inner(part, 'title'), url: inner(part, 'location'), picture: inner(part, 'image') })),
  ];
}
function fromPLS(lines) {
  const found = new Map();
  for (const line of lines) {
    const [, name, number, value] = /^(file|title)(\d+)\s*=\s*(.*)$/i.exec(line) ?? [];
    if (name) found.set(number, { ...found.get(number), [name.toLowerCase() === 'file' ? 'url' : 'title']: value });
  }
  return [...found.values()];
}
function fromM3U(lines) {
  let title = null;
  return lines.flatMap(line => {
    if (/^#EXTINF:/i.test(line)) title = line.replace(/^#EXTINF:[^,]*,?/i, '').trim();
    if (!line || line.startsWith('#')) return [];
    const row = { title, url: line };
    title = null;
    return [row];
  });
}

/** The stations in the text of a file, and how many entries were passed over. Throws a sentence for any other file. */
export function readStations(text) {
  const head = text.replace(/^\uFEFF/, '').trimStart(), lines = head.split(/\r\n|\r|\n/).map(line => line.trim());
  let rows;
  if (/^\[playlist\]/i.test(head)) rows = fromPLS(lines);
  else if (/^[[{]/.test(head)) try { rows = fromJSON(head) } catch { throw new Error(t('radio.file.json')) }
  else if (/^<!doctype html|^<html/i.test(head)) throw new Error(t('radio.file.page'));
  else if (head.startsWith('<')) rows = fromXML(head);
  else if (/#EXT-X-/i.test(head.slice(0, 4096))) throw new Error(t('radio.file.pieces'));
  else rows = fromM3U(lines);
  const made = rows.map(station), stations = made.filter(Boolean).slice(0, mostStations);
  if (!stations.length) throw new Error(t('radio.file.none'));
  return { stations, passedOver: made.length - stations.length };
}

async function textOf(file) {
  if (file.size > mostBytes) throw new Error(t('radio.file.large', { n: mostBytes >> 20 }));
  const bytes = await file.arrayBuffer();
  try { return new TextDecoder('utf-8', { fatal: true }).decode(bytes) } catch { /* Not in UTF-8. */ }
  return new TextDecoder('windows-1252').decode(bytes);
}
/** Parts of a list that each fit into one message. */
function* partsOf(stations) {
  let part = [], bytes = 0;
  for (const one of stations) {
    const size = bytesOf(JSON.stringify(one)) + 1;
    if (part.length && (part.length >= perPart || bytes + size > bytesPerPart)) { yield part; [part, bytes] = [[], 0] }
    part.push(one);
    bytes += size;
  }
  if (part.length) yield part;
}

/** Sends a part of a list. Throws a sentence. */
export async function give(hub, m, p) {
  const { ok, err } = await hub.press(m, p, { key: token(6), silent: true });
  if (!ok) throw new Error(err?.msg ?? t('hub.refused'));
}
/** What stands in a file. Throws a sentence. */
export const readFile = async file => readStations(await textOf(file));

/** Gives the stations of a file to the hub. Throws a sentence. */
export async function importStations(hub, file, told = () => { }) {
  const { stations, passedOver } = await readFile(file);
  let done = 0;
  for (const add of partsOf(stations)) {
    try { await give(hub, 'radio.edit', { add }) } catch ({ message: reason }) {
      throw new Error(t('radio.keptSoFar', { reason, n: done, all: stations.length }));
    }
    told(done += add.length, stations.length);
  }
  return { n: stations.length, passedOver };
}

const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = text => text.replace(/[&<>"]/g, sign => escapes[sign]);
const outline = ({ title, url, picture, country, language, tags }) => {
  const all = { text: title, type: 'audio', URL: url, image: picture, country, language, category: tags?.join(',') };
  const written = Object.entries(all).filter(([, value]) => value)
    .map(([name, value]) => `${name}="${escaped(value)}"`);
  return `    <outline ${written.join(' ')}/>\n`;
};
const opml = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0">\n  <head><title>Stations</title></head>\n  <body>\n',
  '  </body>\n</opml>\n',
];
const writers = {
  m3u8: stations => `#EXTM3U\n${stations.map(({ title, url }) => `#EXTINF:-1,${title}\n${url}\n`).join('')}`,
  opml: stations => opml[0] + stations.map(outline).join('') + opml[1],
};
/** All stations that the hub keeps, as a file that the browser saves. Gives back how many. */
export async function exportStations(hub, kind) {
  const stations = [];
  for (let cursor; cursor !== null;) {
    const page = await hub.ask('radio.list', { limit: 100, ...cursor && { cursor } });
    if (!page) throw new Error(t('radio.notRead'));
    stations.push(...page.stations.filter(({ url }) => url));
    cursor = page.cursor ?? null;
  }
  save(`stations.${kind}`, writers[kind](stations));
  return stations.length;
}
