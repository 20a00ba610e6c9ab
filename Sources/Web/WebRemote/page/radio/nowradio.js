// The radio around what plays. While a station plays, shuffle and repeat, which a stream has not, give their places to
// recording and to the titles that were heard, and its seek bar goes back in what the hub has kept (pastbar.js). A red
// dot at the top says that stations are recorded, and leads to them. Loaded when the hub has stations.

import '../looks/icons.js';
import { isStation } from '../items/items.js';
import { $, buzz, icon, make, mark, put, shape, showIcon } from '../parts/parts.js';
import { Past } from './past.js';
import { PastBar } from './pastbar.js';
import { recordingWords } from './recordings.js';
import { addressOf } from '../shell/route.js';
import { value } from '../shell/state.js';
import { canRecord, recordingOf, recordNow, stopRecording } from './stations.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';

const radioLooks = loadStyle('nowradio.css');

export class NowRadio {
  #hub; #say; #record; #heard; #dot; #count; #past; #bar;
  /** The bar is shown when it has its looks. */
  static async open({ hub, say }) {
    await radioLooks;
    return new NowRadio(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    const onclick = () => this.#turn();
    this.#record = make('button', { id: 'record', 'data-needs': 'remote', hidden: true, onclick }, icon('record'));
    const open = () => {
      buzz();
      // A desktop has no place for what plays.
      location.hash = addressOf(value('panel') !== 'heard' ? 'heard' : shape() === 'desktop' ? 'home' : 'playing');
    };
    const label = t('heard.name');
    this.#heard = make('button', { id: 'heard', hidden: true, 'aria-label': label, onclick: open }, icon('clock'));
    $('repeat').after(this.#record, this.#heard);
    this.#past = Past.of(hub, () => this.#bar.draw());
    this.#bar = new PastBar(this.#past);
    this.#count = make('span', { 'aria-hidden': 'true' });
    const dot = make('i', { class: 'dot', 'aria-hidden': 'true' });
    this.#dot = make('a', { id: 'recs', href: addressOf('radio'), hidden: true }, dot, this.#count);
    $('room').after(this.#dot);
  }
  get #station() { const item = this.#hub.said.now; return canRecord(this.#hub, item) ? item : null }
  draw() {
    const station = this.#station, hasPreset = isStation(station), rec = station && recordingOf(this.#hub, station.uri);
    const hasNoModes = !!this.#past.station;
    // What has chapters has other buttons in their places (nowbook.js).
    for (const id of ['shuffle', 'repeat']) $(id).hidden = hasNoModes || !!this.#hub.said.book;
    // A mark on a station of the hub makes it a preset.
    showIcon($('fav').firstElementChild, hasPreset ? 'star' : 'heart');
    mark($('fav'), 'aria-label', t(hasPreset ? 'radio.preset.short' : 'play.favourite'));
    [this.#record.hidden, this.#heard.hidden] = [!station, !hasNoModes];
    this.#past.draw();
    this.#bar.draw();
    mark(this.#record, 'aria-pressed', !!rec);
    const title = station?.title ?? '', words = rec ? recordingWords(rec) : '';
    const label = rec ? `${t('radio.stop.of', { title })}. ${words}` : t('radio.recordTitle', { title });
    mark(this.#record, 'aria-label', label);
    this.#drawDot();
  }
  #drawDot() {
    const recs = (this.#hub.said.radio?.rec ?? []).filter(({ st }) => st !== 'due');
    const trouble = recs.find(({ st }) => st === 'trouble');
    this.#dot.hidden = !recs.length;
    mark(this.#dot, 'data-st', trouble ? 'trouble' : 'on');
    put(this.#count, recs.length > 1 ? `${recs.length}` : '');
    const words = recs.map(rec => `${rec.title}: ${recordingWords(rec)}`).join('. ');
    mark(this.#dot, 'aria-label', `${t('radio.recordings')}. ${words}`);
    mark(this.#dot, 'title', words);
  }
  #turn() {
    const station = this.#station, rec = station && recordingOf(this.#hub, station.uri);
    if (!station) return;
    buzz();
    if (rec) stopRecording(this.#hub, this.#say, rec); else recordNow(this.#hub, this.#say, station);
  }
}
