// Settings of the hub, for admins: the room on this page, further rooms, library folders, and paired devices. Rooms and
// outputs come with the state; the list of devices is requested when it is shown and whenever a device connects or leaves.

import { token } from './baton.js';
import { Folders } from './folders.js';
import { field, twice } from './forms.js';
import { buzz, make, put } from './parts.js';
import { Servers } from './servers.js';

const roles = { listener: 'may look', guest: 'guest', remote: 'remote', admin: 'admin' };
const rails = { ceiling: 'Maximum volume', floor: 'Minimum volume', startMax: 'Maximum volume at start' };

const allDevices = 'all devices';
/** Devices that ALSA lists beside each real one: conversions, mixers and other programs. They are behind “All devices”. */
const isPlugin = id => /^alsa\/(lavrate|samplerate|speexrate|speex|jack|oss|pulse|upmix|vdownmix|null|plughw|usbstream|dmix|dsnoop|surround\d+)\b/.test(id);

/** Shows the hub's value, unless the field is being edited. */
function fill(input, value, answered) {
  if ((answered || input !== document.activeElement) && input.value !== `${value ?? ''}`) input.value = value ?? '';
}

class RoomSettings {
  #hub; #say; #name; #output; #fresh; #delete; #rails = {}; #outputs = ''; #isAll = false; #whole;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#name = make('input', { id: 'roomtitle', maxlength: 64, autocomplete: 'off', onchange: () => this.#rename() });
    this.#output = make('select', { id: 'roomoutput', onchange: () => this.#chosen() });
    // A name of a sound card is longer than a line of a phone, so it stands below in full.
    this.#whole = make('p', { class: 'note', id: 'outputname', dir: 'auto' });
    for (const rail of Object.keys(rails)) {
      this.#rails[rail] = make('input', { id: rail, type: 'number', min: 0, max: 100, inputmode: 'numeric', placeholder: '–', onchange: () => this.#rail(rail) });
    }
    this.#delete = twice('Delete this room', 'Tap again to delete its queue too', () => this.#remove());
    this.#fresh = make('input', { id: 'roomnew', maxlength: 64, autocomplete: 'off', placeholder: 'Kitchen' });
    this.element = make('div', { class: 'more' },
      make('h2', {}, 'This room'), field('Name', this.#name), field('Output', this.#output), this.#whole,
      ...Object.entries(rails).map(([rail, text]) => field(text, this.#rails[rail])), this.#delete,
      make('h2', {}, 'Another room'),
      make('form', { class: 'pair', onsubmit: event => { event.preventDefault(); this.#create() } },
        field('Name', this.#fresh), make('button', { class: 'small', id: 'roommake' }, 'Create')));
  }
  draw(view, answered) {
    const { said, room } = this.#hub, list = said.rooms?.list ?? [], mine = list.find(other => other.id === room);
    fill(this.#name, view.roomName, answered);
    fill(this.#rails.floor, view.range?.[0], answered);
    fill(this.#rails.ceiling, view.range?.[1], answered);
    this.#delete.disabled = list.length < 2;
    const outputs = said.outputs?.list ?? [], own = mine?.outputs?.[0] ?? '', known = JSON.stringify([outputs, own, list]);
    if (!answered && (known === this.#outputs || this.#output === document.activeElement)) return;
    this.#outputs = known;
    const names = new Map(list.map(other => [other.id, other.name]));
    const plain = outputs.filter(output => output.id !== 'null' && (this.#isAll || output.id === own || !isPlugin(output.id)));
    const options = [['', 'The hub’s default'], ['null', 'No sound'], ...plain.map(output =>
      [output.id, `${output.name}${output.room && output.room !== room ? ` (in ${names.get(output.room)})` : ''}${output.problem ? ': away' : ''}`])];
    if (own && !options.some(([id]) => id === own)) options.push([own, own]);
    if (!this.#isAll && outputs.some(output => output.id !== own && isPlugin(output.id))) options.push([allDevices, 'All devices…']);
    this.#output.replaceChildren(...options.map(([value, text]) => make('option', { value, selected: value === own }, text)));
    put(this.#whole, options.find(([value]) => value === own)?.[1] ?? '');
    this.#whole.hidden = this.#whole.textContent.length < 28;
  }
  /** After a refusal the old value is shown again; the hub has said why. */
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p, { key: token(4) });
    if (res.ok) this.#say(done, 3000);
    this.draw(this.#hub.view(), true);
    return res;
  }
  #chosen() {
    if (this.#output.value !== allDevices) return this.#set({ output: this.#output.value || null }, 'The output was changed.');
    this.#isAll = true;
    this.draw(this.#hub.view(), true);
    this.#output.focus();
  }
  #set(p, done) { return this.#do('room.set', { room: this.#hub.room, ...p }, done) }
  #rename() { if (this.#name.value.trim()) this.#do('room.rename', { room: this.#hub.room, name: this.#name.value.trim() }, 'Renamed.') }
  #rail(rail) {
    const level = this.#rails[rail].valueAsNumber;
    if (Number.isInteger(level)) this.#set({ [rail]: level }, `${rails[rail]} ${level}%.`);
  }
  #remove() { this.#do('room.delete', { room: this.#hub.room }, 'The room was deleted.') }
  async #create() {
    const name = this.#fresh.value.trim();
    if (!name) return this.#say('A room needs a name.');
    const res = await this.#do('room.create', { name }, `${name} was created.`);
    if (res.ok) this.#fresh.value = '';
  }
}

class Devices {
  #hub; #say; #list; #window; #role; #code; #open; #close; #told = ''; #people = ''; #until = 0; #timer = 0; #asking = false; #shown = 0;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': 'Devices' });
    this.#role = make('select', { id: 'letrole', 'aria-label': 'Role of the new device' }, ...options('remote'));
    this.#code = make('output', { id: 'code' });
    this.#open = make('button', { class: 'small', id: 'letin', onclick: () => this.#letIn() }, 'Pair a device');
    this.#close = make('button', { class: 'small', id: 'letnone', hidden: true, onclick: () => this.#letNone() }, 'Stop pairing');
    this.#window = make('p', { class: 'note', role: 'status' });
    this.element = make('div', { class: 'more' },
      make('h2', {}, 'Devices'), this.#list, field('Role of a new device', this.#role), this.#open, this.#code, this.#window, this.#close);
  }
  /** A pairing window that was opened on another remote is shown too, so that it can be closed here. Only that remote shows its code. */
  #drawWindow() {
    const hub = this.#hub, untilUs = hub.said.hub?.pairing?.untilUs ?? 0;
    if (untilUs === this.#shown || hub.profile !== 'full' || !hub.live) return;
    this.#shown = untilUs;
    this.#close.hidden = !untilUs;
    if (!untilUs) {
      if (this.#until) put(this.#window, 'Pairing is closed.');
      this.#until = 0;
      put(this.#code, '');
    } else if (!this.#until) {
      this.#until = performance.now() + untilUs / 1000 - (hub.clock.hubMs ?? untilUs / 1000);
      this.#begin();
    }
  }
  #begin() {
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#count(), 1000);
    this.#count();
  }
  /** The list also says who is connected, so it is read again when that changes. */
  draw() {
    this.#drawWindow();
    const people = JSON.stringify(this.#hub.said.people ?? null);
    if (people === this.#people || !this.#hub.live) return;
    this.#people = people;
    this.read();
  }
  async read(answered) {
    if (this.#asking) return;
    this.#asking = true;
    const found = await this.#hub.ask('dev.list', {});
    this.#asking = false;
    if (!found) return;
    const told = JSON.stringify(found.list), hand = document.activeElement, at = hand?.dataset.at;
    if (answered || told !== this.#told && !this.#list.contains(hand)) {
      this.#told = told;
      this.#list.replaceChildren(...found.list.length
        ? [...found.list.map(device => this.#card(device)), found.more ? make('li', { class: 'note' }, `and ${found.more} more`) : null].filter(Boolean)
        : [make('li', { class: 'note' }, 'No device is paired yet.')]);
      if (at) this.#list.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus();
    }
    if (!found.window && this.#until) { this.#until = 0; put(this.#code, ''); put(this.#window, 'Pairing is closed.') }
    this.#close.hidden = !found.window;
  }
  #card(device) {
    const name = make('input', { maxlength: 64, value: device.name, autocomplete: 'off', 'data-at': `name ${device.dev}`, 'aria-label': `Name of ${device.name}` });
    name.onchange = () => this.#do('dev.rename', { dev: device.dev, name: name.value.trim() }, 'Renamed.');
    const role = make('select', { 'data-at': `role ${device.dev}`, 'aria-label': `Role of ${device.name}` }, ...options(device.role, device.kind === 'browser'));
    role.onchange = () => this.#do('dev.role', { dev: device.dev, role: role.value }, `${device.name}: ${roles[role.value]}.`);
    const seen = device.open ? 'connected' : device.seenMs ? `last connected ${new Date(device.seenMs).toLocaleDateString([], { day: 'numeric', month: 'short' })}` : 'never connected';
    const until = device.expiresMs ? `until ${new Date(device.expiresMs).toLocaleString([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}` : '';
    return make('li', { class: device.open ? 'card device here' : 'card device', 'data-dev': device.dev }, name, role,
      make('small', {}, [device.kind === 'browser' ? 'a browser' : 'a device', seen, until].filter(Boolean).join(' · ')),
      twice('Unpair', 'Tap again', () => this.#do('dev.revoke', { dev: device.dev }, `${device.name} was unpaired.`)));
  }
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p);
    if (res.ok) this.#say(done, 3000);
    this.read(true);
  }
  async #letIn() {
    buzz();
    const res = await this.#hub.press('pair.open', { role: this.#role.value });
    if (!res.ok) return;
    put(this.#code, `${res.d.pin.slice(0, 3)}-${res.d.pin.slice(-3)}`);
    this.#until = performance.now() + res.d.ttlMs;
    this.#begin();
  }
  async #letNone() {
    buzz();
    await this.#hub.press('pair.close');
    this.read();
  }
  /** While the pairing window is open the list is read each second, to show the new device at once. */
  #count() {
    const left = Math.round((this.#until - performance.now()) / 1000);
    if (!this.#until || left < 0 || !this.element.isConnected) clearInterval(this.#timer);
    else put(this.#window, this.#code.value ? `Type this code on the new device, within ${left} s.`
      : `A device can be paired for ${left} s, with the code that the other remote shows.`);
    this.read();
  }
}

const options = (role, isBrowser) => Object.entries(roles).filter(([name]) => name !== 'admin' || !isBrowser)
  .map(([value, text]) => make('option', { value, selected: value === role }, text));

/** The whole section for admins; other roles see the sources, and are told how to become admin. */
export class HubSettings {
  #hub; #rooms; #servers; #folders; #devices; #mine; #isAdmin = null;
  constructor(hub, say) {
    [this.#hub, this.#rooms, this.#servers, this.#folders, this.#devices] = [hub, new RoomSettings(hub, say), new Servers(hub, say), new Folders(hub, say), new Devices(hub, say)];
    this.#mine = make('p', { class: 'note' }, 'Only an admin can change rooms, limits, sources and devices. On the hub’s machine, “baton web” opens this page as admin.');
    this.element = make('div', { class: 'more', id: 'hubsettings' });
  }
  opened() {
    if (!this.#isAdmin) return;
    this.#servers.opened();
    this.#folders.read();
    this.#devices.read();
  }
  draw(view) {
    const isAdmin = this.#hub.role === 'admin';
    if (isAdmin !== this.#isAdmin) {
      this.#isAdmin = isAdmin;
      this.element.replaceChildren(...isAdmin ? [this.#rooms.element, this.#servers.element, this.#folders.element, this.#devices.element]
        : [this.#servers.element, make('h2', {}, 'Hub settings'), this.#mine]);
      if (isAdmin) this.#servers.opened();
    }
    this.#servers.draw();
    if (!isAdmin) return;
    this.#rooms.draw(view);
    this.#folders.draw();
    this.#devices.draw();
  }
}
