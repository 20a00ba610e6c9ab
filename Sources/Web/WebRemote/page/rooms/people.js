// The people in the room of this page, with votes for skipping what plays and sending one of them out; and all who are
// connected to the hub.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { twice } from '../parts/forms.js';
import { Keyed } from '../parts/keyed.js';
import { buzz, icon, make } from '../parts/parts.js';
import { WholeList } from '../parts/rest.js';
import { styled } from '../parts/sheet.js';
import { t } from '../shell/translate.js';
import { date, decimal } from '../shell/writing.js';

export class People {
  #hub; #say; #here; #all; #listeners; #people; #entry; #allHere; #allPeople;
  static async open({ hub, say }) {
    await styled();
    return new People(hub, say);
  }
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.#here = make('ul', { class: 'cards', id: 'listeners', 'aria-label': t('people.here') });
    this.#all = make('ul', { class: 'cards', 'aria-label': t('people.name') });
    const list = (element, person) => new Keyed(element, { key: item => item.key,
      make: item => item.note ? make('li', { class: 'note' }, item.note)
        : item.heading ? heading(item.heading) : person(item) });
    this.#listeners = list(this.#here, item => item.vote ? this.#vote(item) : this.#listener(item));
    this.#people = list(this.#all, item => card(item, item.isMine, item.facts));
    this.element = make('div', { class: 'more' }, this.#here, this.#all);
    const whole = which => new WholeList(hub, ['people.list', { which }], () => this.draw({ entry: this.#entry }));
    [this.#allHere, this.#allPeople] = [whole('room'), whole('hub')];
  }
  draw({ entry } = {}) {
    const { people, rooms, listeners } = this.#hub.said;
    this.#entry = entry;
    this.#here.hidden = !listeners;
    if (listeners) this.#drawHere(listeners, entry);
    if (!people) return;
    const all = this.#allPeople.rows(people), names = new Map((rooms?.list ?? []).map(room => [room.id, room.name]));
    const mine = all.filter(person => person.name === this.#hub.name).pop();
    this.#people.draw([
      { key: 'heading', heading: t('people.all') },
      ...all.map(person => ({ key: `${person.name} ${person.sinceMs}`, name: person.name, isMine: person === mine,
        facts: [t(`role.${person.role}`), names.get(person.room) ?? person.room, since(person.sinceMs),
          person.idleSinceMs ? t('people.idle', { since: since(person.idleSinceMs) }) : ''] })),
      this.#allPeople.more ? { key: 'more', note: t('andMore', { n: this.#allPeople.more }) } : null,
      !people.list && people.n ? { key: 'n', note: t('people.connected', { n: people.n }) } : null,
    ].filter(Boolean));
  }
  /** Votes are for the entry that the person looks at. */
  #drawHere(listeners, entry) {
    const { who } = this.#hub, { vote } = listeners, list = this.#allHere.rows(listeners);
    this.#listeners.draw([
      { key: 'heading', heading: t('people.here') },
      ...list.map(person => ({ key: person.who, ...person, isMine: person.who === who })),
      this.#allHere.more ? { key: 'more', note: t('andMore', { n: this.#allHere.more }) } : null,
      vote && entry ? { key: 'vote', vote, entry } : null,
    ].filter(Boolean));
  }
  #listener(person) {
    const facts = [person.dev, part(person), since(person.sinceMs)];
    return card(person, person.isMine, facts, person.isMine || person.role === 'admin' ? null : this.#kick(person));
  }
  #vote({ vote: { n, need }, entry }) {
    const button = make('button', { class: 'small', 'data-id': 'vote', onclick: async () => {
      buzz();
      const res = await this.#hub.press('vote.skip', { entry }, { key: token(4) });
      if (res.ok) this.#say(t('vote.done'), 2000);
    } }, t('vote.skip'));
    return make('li', { class: 'person vote' }, icon('next'), make('b', {}, t('vote.name')),
      make('small', {}, t('vote.count', { n, need })), button);
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
