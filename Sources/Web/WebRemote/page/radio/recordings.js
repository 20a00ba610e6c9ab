// What is recorded of the radio now and what is due: each with its state, its song or what is wrong, and a button that
// ends it.

import { twice } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, make, mark } from '../parts/parts.js';
import { stopRecording } from './stations.js';
import { locale, t } from '../shell/translate.js';
import { date } from '../shell/writing.js';

const clockOf = ms => date(ms, { hour: '2-digit', minute: '2-digit' });
const midnight = ms => new Date(ms).setHours(0, 0, 0, 0);

/** “Today”, “Tomorrow”, or the date. */
function dayOf(ms) {
  const days = Math.round((midnight(ms) - midnight(Date.now())) / 864e5);
  if (days < 0 || days > 1) return date(ms, { weekday: 'short', day: 'numeric', month: 'short' });
  const word = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(days, 'day');
  return word.charAt(0).toLocaleUpperCase(locale()) + word.slice(1);
}

/** The state of a recording as a line. */
export function recordingWords(rec) {
  const often = rec.every ? t(`radio.often.${rec.every}`) : null;
  const begin = clockOf(rec.at), end = rec.end && clockOf(rec.end);
  const words = rec.st === 'due' ? [`${dayOf(rec.at)}, ${end ? `${begin}–${end}` : begin}`]
    : rec.st === 'trouble' ? [t('radio.trouble', { reason: rec.msg ?? t('radio.notHeard') })]
      : [rec.song ? t('quoted', { text: rec.song }) : null, t('radio.since', { at: begin }),
        end ? t('radio.until', { at: end }) : t('radio.untilStopped')];
  return [...words, often].filter(Boolean).join(' · ');
}

export class Recordings {
  #hub; #say; #cards;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.list = make('ul', { class: 'cards recs', 'aria-label': t('radio.recordings') });
    this.#cards = new Keyed(this.list, { key: ({ id }) => id, make: rec => this.#card(rec),
      after: () => { this.element.hidden = !this.list.firstChild } });
    const heading = make('h2', {}, t('radio.recordings'));
    this.element = make('section', { class: 'recordings', hidden: true }, heading, this.list);
  }
  draw() { this.#cards.draw(this.#hub.said.radio?.rec ?? []) }
  #card(rec) {
    const does = rec.st === 'due' ? 'cancel' : 'stop', text = t(`radio.${does}.short`);
    const end = () => { buzz(); stopRecording(this.#hub, this.#say, rec) };
    // One that repeats does not begin again, so a second tap is asked for.
    const button = rec.every ? twice(text, t('radio.forGood'), end)
      : make('button', { class: 'small', onclick: end }, text);
    mark(button, 'data-needs', 'remote');
    mark(button, 'aria-label', t(`radio.${does}.of`, { title: rec.title }));
    return make('li', { class: 'card rec', 'data-rec': rec.id, 'data-st': rec.st },
      make('i', { class: 'dot', 'aria-hidden': 'true' }),
      make('span', { class: 'texts' }, make('b', { dir: 'auto' }, rec.title),
        make('span', { class: 'unread' }, ` ${t(`radio.state.${rec.st}`)}`),
        make('small', { dir: 'auto' }, recordingWords(rec))),
      button);
  }
}
