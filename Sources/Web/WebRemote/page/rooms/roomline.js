// How far each room of the list has come: a bar and the time, drawn once a second while a room plays and the list is in
// sight.

import { make, mark, put, spell } from '../parts/parts.js';
import { t } from '../shell/translate.js';

/** Where the current item of a room is, in ms, or null; the page knows that of its own room better. */
function positionOf(hub, room) {
  if (room.id === hub.room) return hub.position();
  if (!room.line) return null;
  const { posMs, atUs, rate, durMs } = room.line, passed = Math.max(0, (hub.clock.hubMs ?? atUs / 1000) - atUs / 1000);
  return Math.min(posMs + passed * rate / 1000, durMs || Infinity);
}

export function roomLine(room) {
  const element = make('div', { class: 'roomline', role: 'progressbar',
    'aria-label': t('room.position', { room: room.name }), 'aria-valuemin': 0 }, make('i'), make('small'));
  element.room = room;
  return element;
}

function drawOne(hub, element) {
  const { room } = element, at = positionOf(hub, room);
  const whole = (room.id === hub.room ? hub.view().durationMs : room.line?.durMs) || null;
  element.hidden = at === null || room.st === 'stopped' || !room.title;
  if (element.hidden) return;
  element.firstChild.style.transform = `scaleX(${whole ? (at / whole).toFixed(4) : 0})`;
  const words = whole ? t('time.of', { at: spell(at), whole: spell(whole) }) : spell(at);
  put(element.lastChild, words);
  mark(element, 'aria-valuenow', Math.floor(at / 1000));
  mark(element, 'aria-valuemax', Math.floor((whole ?? at) / 1000));
  mark(element, 'aria-valuetext', words);
}

export class RoomLines {
  #hub; #list; #timer = 0;
  constructor(hub, list) {
    [this.#hub, this.#list] = [hub, list];
    document.addEventListener('visibilitychange', () => this.draw());
  }
  /** `rooms` are those of the list as the hub says them now. */
  draw(rooms) {
    clearTimeout(this.#timer);
    const lines = [...this.#list.querySelectorAll('.roomline')];
    if (rooms) for (const line of lines) line.room = rooms.find(({ id }) => id === line.room.id) ?? line.room;
    for (const line of lines) drawOne(this.#hub, line);
    const goesOn = this.#hub.live && lines.some(({ hidden, room }) => !hidden && room.st === 'playing');
    if (goesOn && this.#list.isConnected && !document.hidden) this.#timer = setTimeout(() => this.draw(), 1000);
  }
}
