// The people in the room of this page, with votes for skipping what plays and sending one of them out; and all who are
// connected to the hub.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { twice } from '../parts/forms.js';
import { buzz, icon, make } from '../parts/parts.js';
import { relist } from './relist.js';
import { t } from '../shell/translate.js';
import { date, decimal } from '../shell/writing.js';

export class People {
  #hub; #say; #here; #all;
  static open({ hub, say }) { return new People(hub, say) }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#here = make('ul', { class: 'cards', id: 'listeners', 'aria-label': t('people.here') });
    this.#all = make('ul', { class: 'cards', 'aria-label': t('people.name') });
    this.element = make('div', { class: 'cards' }, this.#here, this.#all);
  }
  draw({ entry } = {}) {
    const { people, rooms, listeners } = this.#hub.said;
    this.#here.hidden = !listeners;
    if (listeners) this.#drawHere(listeners, entry);
    if (!people) return;
    const list = people.list ?? [], names = new Map((rooms?.list ?? []).map(room => [room.id, room.name]));
    const mine = list.filter(person => person.name === this.#hub.name).pop();
    relist(this.#all, [list, people.n, people.more, [...names], this.#hub.name], () => [
      listeners && list.length ? heading(t('people.all')) : null,
      ...list.map(person => card(person, person === mine, [t(`role.${person.role}`),
        names.get(person.room) ?? person.room, since(person.sinceMs),
        person.idleSinceMs ? t('people.idle', { since: since(person.idleSinceMs) }) : ''])),
      !people.list && people.n ? make('li', { class: 'note' }, t('people.connected', { n: people.n })) : null,
      people.more ? make('li', { class: 'note' }, t('andMore', { n: people.more })) : null,
    ].filter(Boolean));
  }
  /** Votes are for the entry that the person looks at. */
  #drawHere({ list, more, vote }, entry) {
    const { who, role } = this.#hub;
    relist(this.#here, [list, more, vote, who, role, entry], () => [
      heading(t('people.here')),
      ...list.map(person => this.#listener(person, who)),
      more ? make('li', { class: 'note' }, t('andMore', { n: more })) : null,
      vote && entry ? make('li', { class: 'person vote' }, icon('next'), make('b', {}, t('vote.name')),
        make('small', {}, t('vote.count', { n: vote.n, need: vote.need })), this.#vote(entry)) : null,
    ].filter(Boolean));
  }
  #listener(person, who) {
    const isMine = person.who === who;
    return card(person, isMine, [person.dev, part(person), since(person.sinceMs)],
      isMine || person.role === 'admin' ? null : this.#kick(person));
  }
  #vote(entry) {
    return make('button', { class: 'small', 'data-id': 'vote', onclick: async () => {
      buzz();
      const res = await this.#hub.press('vote.skip', { entry }, { key: token(4) });
      if (res.ok) this.#say(t('vote.done'), 2000);
    } }, t('vote.skip'));
  }
  #kick(person) {
    const button = twice(t('people.kick'), t('tapAgain'), async () => {
      const res = await this.#hub.press('people.kick', { who: person.who }, { key: token(4) });
      if (res.ok) this.#say(t('people.kicked', { name: person.name }), 3000);
    });
    Object.assign(button.dataset, { needs: 'remote', id: `kick ${person.who}` });
    return button;
  }
}

const inStepUs = 30_000;
/** What a device says of its own sound is its own word. */
function part({ hears, report }) {
  if (report?.driftUs === undefined) return t(hears ? 'people.hears' : 'people.looks');
  const ms = decimal(Math.abs(report.driftUs) / 1000, 1);
  return t(Math.abs(report.driftUs) <= inStepUs ? 'people.inStep' : 'people.notInStep', { ms });
}

const heading = text => make('li', { class: 'note' }, make('h2', {}, text));

function card(person, isMine, facts, button = null) {
  return make('li', { class: isMine ? 'person here' : 'person' }, icon('people'),
    make('b', { dir: 'auto' }, person.name || t('device.unnamed')),
    isMine ? make('span', { class: 'state' }, t('people.thisDevice')) : null,
    make('small', { dir: 'auto' }, facts.filter(Boolean).join(' · ')), button);
}

function since(ms) {
  if (!ms) return '';
  const isLongAgo = Date.now() - ms > 20 * 3600000;
  return t('since', { when: date(ms, isLongAgo ? { day: 'numeric', month: 'short' }
    : { hour: '2-digit', minute: '2-digit' }) });
}
