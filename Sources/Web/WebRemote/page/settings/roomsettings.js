// Settings of the room that this page follows (its name, output and limits), and a form for another room. Rooms and
// outputs come with the state.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { follow } from '../../../../../examples/browser/client/baton-verbs.js';
import { field, needed, refusedAt, twice, wrong } from '../parts/forms.js';
import { buzz, make, put } from '../parts/parts.js';
import { WholeList } from '../parts/rest.js';
import { RoomControl } from './roomcontrol.js';
import { t } from '../shell/translate.js';
import { offerUndo } from '../parts/undo.js';

const rails = ['ceiling', 'floor', 'startMax'], mostWaitMs = 400;

const allDevices = 'all devices';
/**
 * Devices that ALSA lists beside each real one: conversions, mixers and other programs. They are behind “All devices”.
 */
const plugins = new RegExp(`^alsa/(${[
  'lavrate', 'samplerate', 'speexrate', 'speex', 'jack', 'oss', 'pulse', 'upmix', 'vdownmix',
  'null', 'plughw', 'usbstream', 'dmix', 'dsnoop', 'surround\\d+',
].join('|')})\\b`);
const isPlugin = id => plugins.test(id);

/**
 * Shows the hub's value, unless the field is being edited, or something is wrong with what was typed; `answered` is the
 * one that the hub has answered.
 */
function fill(input, value, answered) {
  const isEdited = input === document.activeElement || input.ariaInvalid === 'true';
  if ((answered === input || !isEdited) && input.value !== `${value ?? ''}`) input.value = value ?? '';
}

export class RoomSettings {
  #hub; #say; #name; #output; #empty; #fresh; #delete; #rails = {}; #outputs = ''; #isAll = false; #whole; #control;
    #all;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#name = make('input', { id: 'roomtitle', maxlength: 64, autocomplete: 'off', onchange: () => this.#rename() });
    this.#output = make('select', { id: 'roomoutput', onchange: () => this.#chosen() });
    // A name of a sound card is longer than a line of a phone, so it stands below in full.
    this.#whole = make('p', { class: 'note', id: 'outputname', dir: 'auto' });
    for (const rail of rails) {
      this.#rails[rail] = make('input', { id: rail, type: 'number', min: 0, max: 100, inputmode: 'numeric',
        placeholder: '–', onchange: () => this.#rail(rail) });
    }
    // Only a room without a speaker can do without people.
    this.#empty = make('select', { id: 'roomempty', onchange: () => this.#set({ whenEmpty: this.#empty.value },
      t(`room.whenEmpty.${this.#empty.value}`), this.#empty) },
    ...['play', 'pause'].map(value => make('option', { value }, t(`room.whenEmpty.${value}`))));
    this.#control = new RoomControl(hub, say);
    this.#all = new WholeList(hub, ['output.list'], () => this.draw(hub.view()));
    this.#delete = twice(t('room.delete'), t('room.deleteSure'), () => this.#remove());
    this.#fresh = make('input', { id: 'roomnew', maxlength: 64, autocomplete: 'off', placeholder: t('room.example'),
      ...needed(t('room.needsName')) });
    this.element = make('div', { class: 'more' },
      make('h2', {}, t('room.this')), field(t('name'), this.#name), field(t('room.output'), this.#output), this.#whole,
      field(t('room.whenEmpty'), this.#empty),
      ...rails.map(rail => field(t(`room.${rail}`), this.#rails[rail])), this.#control.element, this.#delete,
      make('h2', {}, t('room.another')),
      make('form', { class: 'pair', onsubmit: event => { event.preventDefault(); this.#create() } },
        field(t('name'), this.#fresh), make('button', { class: 'small', id: 'roommake' }, t('create'))));
  }
  /** All of it appears together: what the hub says of control stands above buttons that may be pressed. */
  async opened() {
    const isFirst = !this.#control.isRead && this.#hub.live, read = this.#control.read();
    this.element.classList.toggle('waiting', isFirst);
    if (isFirst) await Promise.race([read, new Promise(go => setTimeout(go, mostWaitMs))]);
    this.element.classList.remove('waiting');
  }
  draw(view, answered) {
    this.#control.draw();
    const { said, room } = this.#hub, list = said.rooms?.list ?? [], mine = list.find(other => other.id === room);
    fill(this.#name, view.roomName, answered);
    fill(this.#rails.floor, view.range?.[0], answered);
    fill(this.#rails.ceiling, view.range?.[1], answered);
    fill(this.#empty, mine?.whenEmpty ?? 'play', answered);
    this.#empty.parentElement.hidden = mine?.outputs?.[0] !== 'null';
    this.#delete.disabled = list.length < 2;
    const outputs = this.#all.rows(said.outputs), own = mine?.outputs?.[0] ?? '',
      known = JSON.stringify([outputs, own, list]);
    if (answered !== this.#output && (known === this.#outputs || this.#output === document.activeElement)) return;
    this.#outputs = known;
    const names = new Map(list.map(other => [other.id, other.name]));
    const plain = outputs.filter(output => output.id !== 'null'
      && (this.#isAll || output.id === own || !isPlugin(output.id)));
    const options = [['', t('output.default')], ['null', t('output.none')], ...plain.map(output =>
      [output.id, `${output.name}${output.room && output.room !== room
        ? ` (${t('output.inRoom', { room: names.get(output.room) })})` : ''}${output.problem ? `: ${t('output.away')}`
        : ''}`])];
    if (own && !options.some(([id]) => id === own)) options.push([own, own]);
    if (!this.#isAll && outputs.some(output => output.id !== own && isPlugin(output.id)))
      options.push([allDevices, t('output.all')]);
    this.#output.replaceChildren(...options.map(([value, text]) => make('option', { value, selected: value === own },
      text)));
    put(this.#whole, options.find(([value]) => value === own)?.[1] ?? '');
    this.#whole.hidden = this.#whole.textContent.length < 28;
  }
  /** After a refusal the old value is shown again; the hub has said why. */
  async #do(m, p, done, input) {
    buzz();
    const res = await this.#hub.press(m, p, { key: token(4) });
    if (res.ok) this.#say(done, 3000);
    this.draw(this.#hub.view(), input);
    return res;
  }
  #chosen() {
    if (this.#output.value !== allDevices) return this.#set({ output: this.#output.value || null },
      t('output.changed'), this.#output);
    this.#isAll = true;
    this.draw(this.#hub.view(), this.#output);
    this.#output.focus();
  }
  #set(p, done, input) { return this.#do('room.set', { room: this.#hub.room, ...p }, done, input) }
  #rename() {
    if (this.#name.value.trim()) this.#do('room.rename', { room: this.#hub.room, name: this.#name.value.trim() },
      t('renamed'), this.#name);
  }
  #rail(rail) {
    const input = this.#rails[rail], level = input.valueAsNumber;
    if (!input.reportValidity()) return;
    // A field that is empty breaks no rule of the browser.
    if (Number.isNaN(level)) return wrong(input, t('wrong.number', { from: 0, to: 100 }));
    this.#set({ [rail]: level }, t('room.railIs', { rail: t(`room.${rail}`), n: level }), input);
  }
  async #remove() {
    buzz();
    const hub = this.#hub, { room } = hub, { roomName } = hub.view();
    // Left first, so that the hub need not say that the followed room is gone.
    await follow(hub, hub.said.rooms?.list.find(other => other.id !== room)?.id ?? room);
    if (!(await hub.press('room.delete', { room }, { key: token(4) })).ok) return follow(hub, room);
    offerUndo(t('undo.roomDeleted', { name: roomName }), async () => {
      if (!(await hub.press('room.restore', { room }, { key: token(4) })).ok) return;
      this.#say(t('undo.roomRestored', { name: roomName }), 3000);
      follow(hub, room);
    });
  }
  async #create() {
    const input = this.#fresh, name = input.value.trim();
    buzz();
    const { ok, err } = await this.#hub.press('room.create', { name }, { key: token(4), silent: true });
    if (!ok) return refusedAt(input.form, err, input);
    this.#say(t('list.created', { name }), 3000);
    input.value = '';
  }
}
