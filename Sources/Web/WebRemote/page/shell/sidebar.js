// The sidebar of a desktop: places that a phone reaches through the library, and the settings.

import '../looks/icons.js';
import { Keyed } from '../parts/keyed.js';
import { $, icon, make, mark } from '../parts/parts.js';
import { items } from '../../../../../examples/browser/client/baton-basics.js';
import { canKeep } from '../library/keep.js';
import { failureWords } from '../servers/sources.js';
import { addressOf } from './route.js';
import { t } from './translate.js';

export class Sidebar {
  #hub; #links;
  static open({ hub }) { return new Sidebar(hub) }
  constructor(hub) {
    this.#hub = hub;
    this.#links = new Keyed($('places'), { key: ([, href]) => href, make: ([sign, href, text]) =>
      make('a', { href }, icon(sign), make('span', {}, t(text))) });
  }
  #list() {
    const { said } = this.#hub, has = name => this.#hub.has(name), at = uri => addressOf('library', { at: uri });
    return [said.lib && ['album', at(items.shelf('albums')), 'shelf.albums'],
      said.lib && ['people', at(items.shelf('artists')), 'shelf.artists'],
      said.pl && ['lists', addressOf('lists'), 'lists.name'], said.radio && ['radio', addressOf('radio'), 'radio.name'],
      said.lib && has('podcasts') && ['radio', at('podcast:shelf/podcasts'), 'shelf.podcasts'],
      said.book && ['shelf', at(items.shelf('books')), 'shelf.books'],
      has('making') && ['pen', addressOf('imagine'), 'imagine.name'],
      canKeep(this.#hub) && ['keep', addressOf('kept'), 'kept.short'],
      ['presets', addressOf('presets'), 'presets.name'],
      ['person', addressOf('settings'), 'settings.name']].filter(Boolean);
  }
  draw() {
    this.#links.draw(this.#list());
    const settings = $('places').lastElementChild, words = failureWords(this.#hub);
    settings?.classList.toggle('dotted', !!words);
    if (settings) mark(settings, 'aria-label', words ? `${t('settings.name')}. ${words}` : null);
    for (const link of $('places').children)
      mark(link, 'aria-current', location.hash.startsWith(link.getAttribute('href')) ? 'page' : null);
  }
}
