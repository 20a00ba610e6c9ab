// What an admin sets for the whole house: the room on this page, further rooms, and who may come in. Nothing here is
// kept: rooms and outputs come with the state, and devices are asked for when they are looked at and when people come or go.

import { token } from './baton.js';
import { Folders } from './folders.js';
import { field, twice } from './forms.js';
import { buzz, make, put } from './parts.js';

const roles = { listener: 'may look', guest: 'guest', remote: 'remote', admin: 'admin' };
const rails = { ceiling: 'Never louder than', floor: 'Never quieter than', startMax: 'Begins at most at' };

/** Shows what is so, unless a hand is in it that has not said what it wants. */
function fill(input, value, answered) {
  if ((answered || input !== document.activeElement) && input.value !== `${value ?? ''}`) input.value = value ?? '';
}

class RoomSettings {
  #hub; #say; #name; #output; #fresh; #delete; #rails = {}; #outputs = '';
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#name = make('input', { id: 'roomtitle', maxlength: 64, autocomplete: 'off', onchange: () => this.#rename() });
    this.#output = make('select', { id: 'roomoutput', onchange: () => this.#set({ output: this.#output.value || null }, 'Heard elsewhere now.') });
    for (const rail of Object.keys(rails)) {
      this.#rails[rail] = make('input', { id: rail, type: 'number', min: 0, max: 100, inputmode: 'numeric', placeholder: '–', onchange: () => this.#rail(rail) });
    }
    this.#delete = twice('Delete this room', 'Tap again: its queue goes too', () => this.#remove());
    this.#fresh = make('input', { id: 'roomnew', maxlength: 64, autocomplete: 'off', placeholder: 'Kitchen' });
    this.element = make('div', { class: 'more' },
      make('h2', {}, 'This room'), field('Name', this.#name), field('Heard on', this.#output),
      ...Object.entries(rails).map(([rail, text]) => field(text, this.#rails[rail])), this.#delete,
      make('h2', {}, 'Another room'),
      make('form', { class: 'pair', onsubmit: event => { event.preventDefault(); this.#create() } },
        field('Name', this.#fresh), make('button', { class: 'small', id: 'roommake' }, 'Make it')));
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
    const options = [['', 'The hub’s own'], ['null', 'Nothing: silence'], ...outputs.filter(output => output.id !== 'null').map(output =>
      [output.id, `${output.name}${output.room && output.room !== room ? ` (in ${names.get(output.room)})` : ''}${output.problem ? ': away' : ''}`])];
    if (own && !options.some(([id]) => id === own)) options.push([own, own]);
    this.#output.replaceChildren(...options.map(([value, text]) => make('option', { value, selected: value === own }, text)));
  }
  /** What was refused is shown as it is; the hub has said why. */
  async #do(m, p, done) {
    buzz();
    const res = await this.#hub.press(m, p, { key: token(4) });
    if (res.ok) this.#say(done, 3000);
    this.draw(this.#hub.view(), true);
    return res;
  }
  #set(p, done) { return this.#do('room.set', { room: this.#hub.room, ...p }, done) }
  #rename() { if (this.#name.value.trim()) this.#do('room.rename', { room: this.#hub.room, name: this.#name.value.trim() }, 'Renamed.') }
  #rail(rail) {
    const level = this.#rails[rail].valueAsNumber;
    if (Number.isInteger(level)) this.#set({ [rail]: level }, `${rails[rail]} ${level}%.`);
  }
  #remove() { this.#do('room.delete', { room: this.#hub.room }, 'The room is gone.') }
  async #create() {
    const name = this.#fresh.value.trim();
    if (!name) return this.#say('A room needs a name.');
    const res = await this.#do('room.create', { name }, `${name} is there. It is among the rooms.`);
    if (res.ok) this.#fresh.value = '';
  }
}

class Devices {
  #hub; #say; #list; #window; #role; #code; #open; #close; #told = ''; #people = ''; #until = 0; #timer = 0; #asking = false; #shown = 0;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#list = make('ul', { class: 'cards', 'aria-label': 'Devices' });
    this.#role = make('select', { id: 'letrole', 'aria-label': 'What the new device may do' }, ...options('remote'));
    this.#code = make('output', { id: 'code' });
    this.#open = make('button', { class: 'small', id: 'letin', onclick: () => this.#letIn() }, 'Let a device in');
    this.#close = make('button', { class: 'small', id: 'letnone', hidden: true, onclick: () => this.#letNone() }, 'Let nobody in');
    this.#window = make('p', { class: 'note', role: 'status' });
    this.element = make('div', { class: 'more' },
      make('h2', {}, 'Devices'), this.#list, field('A new device is', this.#role), this.#open, this.#code, this.#window, this.#close);
  }
  /** A window that was opened elsewhere is shown too, so that it can be closed here; its code is shown only where it was opened. */
  #drawWindow() {
    const hub = this.#hub, untilUs = hub.said.hub?.pairing?.untilUs ?? 0;
    if (untilUs === this.#shown || hub.profile !== 'full' || !hub.live) return;
    this.#shown = untilUs;
    this.#close.hidden = !untilUs;
    if (!untilUs) {
      if (this.#until) put(this.#window, 'Nobody else can come in now.');
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
  /** Who is here changed: so may have what the list says of them. */
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
        : [make('li', { class: 'note' }, 'Nobody was let in from elsewhere yet.')]);
      if (at) this.#list.querySelector(`[data-at="${CSS.escape(at)}"]`)?.focus();
    }
    if (!found.window && this.#until) { this.#until = 0; put(this.#code, ''); put(this.#window, 'Nobody else can come in now.') }
    this.#close.hidden = !found.window;
  }
  #card(device) {
    const name = make('input', { maxlength: 64, value: device.name, autocomplete: 'off', 'data-at': `name ${device.dev}`, 'aria-label': `Name of ${device.name}` });
    name.onchange = () => this.#do('dev.rename', { dev: device.dev, name: name.value.trim() }, 'Renamed.');
    const role = make('select', { 'data-at': `role ${device.dev}`, 'aria-label': `What ${device.name} may do` }, ...options(device.role, device.kind === 'browser'));
    role.onchange = () => this.#do('dev.role', { dev: device.dev, role: role.value }, `${device.name}: ${roles[role.value]}.`);
    const seen = device.open ? 'here now' : device.seenMs ? `last here ${new Date(device.seenMs).toLocaleDateString([], { day: 'numeric', month: 'short' })}` : 'never here';
    const until = device.expiresMs ? `until ${new Date(device.expiresMs).toLocaleString([], { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })}` : '';
    return make('li', { class: device.open ? 'card device here' : 'card device', 'data-dev': device.dev }, name, role,
      make('small', {}, [device.kind === 'browser' ? 'a browser' : 'a device', seen, until].filter(Boolean).join(' · ')),
      twice('Send away', 'Tap again', () => this.#do('dev.revoke', { dev: device.dev }, `${device.name} was sent away.`)));
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
  /** While the window is open the list is asked for each second, for whoever comes in is expected. */
  #count() {
    const left = Math.round((this.#until - performance.now()) / 1000);
    if (!this.#until || left < 0 || !this.element.isConnected) clearInterval(this.#timer);
    else put(this.#window, this.#code.value ? `Type this code on the new device, within ${left} s.`
      : `A device can come in for ${left} s, by the code that is shown where this was opened.`);
    this.read();
  }
}

const options = (role, isBrowser) => Object.entries(roles).filter(([name]) => name !== 'admin' || !isBrowser)
  .map(([value, text]) => make('option', { value, selected: value === role }, text));

/** All of it, for admins; everybody else is told how to become one. */
export class HubSettings {
  #hub; #rooms; #folders; #devices; #mine; #isAdmin = null;
  constructor(hub, say) {
    [this.#hub, this.#rooms, this.#folders, this.#devices] = [hub, new RoomSettings(hub, say), new Folders(hub, say), new Devices(hub, say)];
    this.#mine = make('p', { class: 'note' }, 'Rooms, limits and devices are set by an admin. On the hub’s machine, “baton web” opens this page as one.');
    this.element = make('div', { class: 'more', id: 'hubsettings' });
  }
  opened() {
    if (!this.#isAdmin) return;
    this.#folders.read();
    this.#devices.read();
  }
  draw(view) {
    const isAdmin = this.#hub.role === 'admin';
    if (isAdmin !== this.#isAdmin) {
      this.#isAdmin = isAdmin;
      this.element.replaceChildren(...isAdmin ? [this.#rooms.element, this.#folders.element, this.#devices.element] : [make('h2', {}, 'Hub settings'), this.#mine]);
    }
    if (!isAdmin) return;
    this.#rooms.draw(view);
    this.#folders.draw();
    this.#devices.draw();
  }
}
