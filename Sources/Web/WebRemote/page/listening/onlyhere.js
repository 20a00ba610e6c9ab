// "Only here": an item plays on this device alone, in a room of its own that no other person sees. The page follows
// that room and plays it along. Beside the name of the room stand the way back, and a button for the sound where the
// browser has not begun it.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { follow } from '../../../../../examples/browser/client/baton-verbs.js';
import { begin as listen, highestAtStart, roomAudio } from './listening.js';
import { $, buzz, icon, make, put, recall, remember } from '../parts/parts.js';
import { isPrivate } from '../rooms/roomname.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';

const looks = loadStyle('onlyhere.css');

async function begin(hub, say) {
  const audio = roomAudio(hub, say);
  if (audio.on) return;
  audio.level = Math.min(recall('listenlevel') ?? highestAtStart, highestAtStart);
  await listen(say);
}
const silence = (hub, say) => { const audio = roomAudio(hub, say); return audio.on ? audio.stop() : null };

/** Plays an item here: `p` has `uri`, and may have `index` and `posMs`. */
export async function playOnlyHere(hub, say, p, name) {
  if (!isPrivate(hub.room)) remember('onlyhome', hub.room);
  const res = await hub.press('listen.only', p, { key: token(6) });
  if (!res.ok) return;
  await follow(hub, res.d.room);
  await begin(hub, say);
  say(t('only.plays', { name }), 4000);
}

export class OnlyHere {
  #hub; #say; #element; #back; #start; #wasPrivate = false;
  static async open({ hub, say }) {
    await looks;
    return new OnlyHere(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    // A phone has room for one text beside the name.
    this.#start = make('button', { class: 'small', id: 'onlystart', 'aria-label': t('listen.start'), onclick: () => {
      buzz();
      begin(hub, say).then(() => this.draw());
    } }, icon('note'));
    this.#back = make('button', { class: 'small', id: 'onlyback', onclick: () => this.#leave() });
    this.#element = make('div', { id: 'only' }, this.#start, this.#back);
    $('room').after(this.#element);
  }
  draw() {
    const hub = this.#hub, is = isPrivate(hub.room);
    this.#element.hidden = !is;
    // The room that follows was not asked for on this device: the hub has ended this one, or the person went elsewhere.
    if (this.#wasPrivate && !is) silence(hub, this.#say);
    this.#wasPrivate = is;
    if (!is) return;
    this.#start.hidden = roomAudio(hub, this.#say).on;
    put(this.#back, t('only.back', { room: this.#home?.name ?? t('unknown') }));
  }
  /** Where the person came from, or the first room of the hub. */
  get #home() {
    const list = this.#hub.said.rooms?.list ?? [], id = recall('onlyhome');
    return list.find(room => room.id === id) ?? list[0];
  }
  async #leave() {
    buzz();
    await silence(this.#hub, this.#say);
    if (this.#home) await follow(this.#hub, this.#home.id);
  }
}
