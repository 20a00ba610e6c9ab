// The menu of what plays: what is rarely wanted, and what must not be pressed by accident.

import { Acts } from '../items/acts.js';
import { isSpoken } from '../../../../../examples/browser/client/baton-basics.js';
import { field } from '../parts/forms.js';
import { albumAddress, artistAddress } from '../parts/links.js';
import { addAgain, set, setStopAfter, stopAfter } from './modes.js';
import { buzz, make, put } from '../parts/parts.js';
import { keepPreset } from '../presets/presets.js';
import { addressOf } from '../shell/route.js';
import { actLine, closeSheet, linkLine, openLine, openSheet, styled } from '../parts/sheet.js';
import { isAsleep } from './sleep.js';
import { cycle, titleOf } from '../looks/themes.js';
import { t } from '../shell/translate.js';

/** In thousandths, as the protocol has them. */
const speeds = [500, 750, 1000, 1250, 1500, 1750, 2000];
const steps = [5000, 10000, 15000, 20000, 30000, 45000, 60000];

export async function openNowMenu({ hub, say, looks }) {
  await styled();
  const view = hub.view(), item = hub.said.now, has = !!view.uri, hasLibrary = !!hub.said.lib;
  const acts = new Acts(hub, say);
  // The theme changes below the open sheet, so that one can look at them all.
  const theme = make('button', { class: 'small', id: 'theme',
    onclick: () => { buzz(); put(theme, t('theme.is', { name: cycle(looks) })) } },
    t('theme.is', { name: titleOf(looks) }));
  openSheet(view.title ?? t('play.nothing'),
    isAsleep(hub) ? openLine(t('asleep.name'), 'clock', () => askWhere(hub)) : null,
    has ? actLine(t('play.againNext'), 'playnext', () => addAgain(hub, say, view, 'next'), 'guest', { id: 'playnext' })
      : null,
    has ? actLine(t('play.addToEnd'), 'enqueue', () => addAgain(hub, say, view, 'end'), 'guest', { id: 'enqueue' })
      : null,
    has && hub.has('library') ? linkLine(t('lyrics.name'), 'lyrics', addressOf('lyrics')) : null,
    has && hub.said.pl ? actLine(t('item.addToList'), 'lists', () => acts.choose({ ...item, title: view.title }),
      'remote') : null,
    has && hasLibrary ? linkLine(t('item.toAlbum'), 'album', albumAddress(hub, item)) : null,
    has && hasLibrary ? linkLine(t('item.toArtist'), 'people', artistAddress(hub, item)) : null,
    ...has && !view.isLive ? [
      turnLine('stopAfter', stopAfter(view), single => setStopAfter(hub, single)),
      turnLine('consume', view.consume, consume => set(hub, { consume })),
      hub.has('sound') ? speedLine(hub, view) : null] : [],
    ...has && isSpoken(hub.said, view.kind)
      ? [...stepLines(hub, view), switchLine(hub, 'voice', 'book.set'), switchLine(hub, 'trim', 'book.set')] : [],
    hub.said.modes && hub.has('sound') ? switchLine(hub, 'mono', 'mode.set') : null,
    linkLine(t('presets.name'), 'presets', addressOf('presets')),
    has ? openLine(t('item.asPreset'), 'presets', () => keepPreset({ ...item, art: item.art?.id }, say)) : null,
    has && hub.said.book ? actLine(t('chapters.is', { n: hub.said.book.i, all: hub.said.book.n }), 'queue', async () =>
      (await import('../books/chapters.js')).openChapters(hub)) : null,
    has && isSpoken(hub.said, view.kind) ? openLine(t('progress.name'), 'clock', async () =>
      (await import('./progress.js')).openProgress(hub, say, { ...item, title: view.title }),
    { 'data-do': 'progress', 'data-needs': 'remote' }) : null,
    has && !view.isLive && hub.has('books') ? actLine(t('bookmarks.name'), 'mark', async () =>
      (await import('../books/bookmarks.js')).openBookmarks(hub, say)) : null,
    linkLine(t('wall.name'), 'wall', '#/wall'),
    theme, has ? actLine(t('play.stop'), 'stop', () => stop(hub, say), 'remote', { id: 'stop' }) : null);
}
async function askWhere(hub) {
  const { asleepButtons } = await import('./asleep.js');
  openSheet(t('asleep.name'), ...await asleepButtons(hub, closeSheet));
}
/** What is off, on for each entry, or on for this one alone. */
function turnLine(name, now = 'off', choose) {
  const select = make('select', { id: name, 'data-needs': 'remote',
    onchange: () => { buzz(); choose(select.value) } },
  ...['off', 'once', 'on'].map(value => make('option', { value, selected: value === now }, t(`play.turn.${value}`))));
  return field(t(`play.${name}`), select);
}
/** A speed that was chosen elsewhere stands among these. */
function speedLine(hub, { speed: now }) {
  const all = [...new Set([...speeds, now])].sort((one, other) => one - other), choose = () => {
    const speed = Number(select.value);
    buzz();
    set(hub, { speed });
  };
  const select = make('select', { id: 'speed', 'data-needs': 'remote', onchange: choose },
    ...all.map(value => make('option', { value, selected: value === now }, t('play.times', { n: value / 1000 }))));
  return field(t('play.speed'), select);
}
/** How far the two buttons go while speech plays. */
function stepLines(hub, view) {
  const line = (text, name, now) => {
    const select = make('select', { 'data-step': name, 'data-needs': 'remote', onchange: () => {
      buzz();
      hub.press('mode.set', { [name]: Number(select.value) }, { kind: 'mode' });
    } }, ...[...new Set([...steps, now])].sort((one, other) => one - other).map(value =>
      make('option', { value, selected: value === now }, t('play.seconds', { n: value / 1000 }))));
    return field(t(text), select);
  };
  return [line('play.stepBack', 'backMs', view.steps[0]), line('play.stepForward', 'forwardMs', view.steps[1])];
}
/** `voice`: quiet speech is raised. `trim`: its silences are left out. `mono`: both channels are mixed to one. */
function switchLine(hub, name, command) {
  const box = make('input', { type: 'checkbox', id: name, 'data-needs': 'remote', checked: !!hub.said.modes?.[name],
    onchange: () => { buzz(); hub.press(command, { [name]: box.checked }, { kind: 'mode' }) } });
  return field(t(`play.${name}`), box);
}

/** The page stays with the hub: stop ends what plays, at the beginning of its entry, and nothing else. */
async function stop(hub, say) {
  const line = { posMs: 0, atMs: hub.clock.hubMs ?? 0, rate: 0 };
  const res = await hub.press('stop', {}, { kind: 'play', guess: { st: 'stopped', line } });
  if (res.ok) say(t('play.stopped'), 3000);
}
