// The heart beside what plays. Whether it is a favourite is asked once for each track.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { $, buzz, mark } from '../parts/base.js';

export class NowFavourite {
  #hub; #uri = null; #isOn = false;
  static open({ hub }) { return new NowFavourite(hub) }
  constructor(hub) {
    this.#hub = hub;
    $('fav').onclick = () => this.#turn();
  }
  draw({ uri = null }) {
    if (uri === this.#uri || !this.#hub.live) return;
    this.#uri = uri;
    this.#show(false);
    // Until it is known, a press would mean one or the other.
    $('fav').disabled = true;
    if (uri) this.#ask(uri);
  }
  async #ask(uri) {
    const found = await this.#hub.ask('lib.item', { uri });
    if (uri !== this.#uri || !found?.item) return;
    this.#show(!!found.item.fav);
    $('fav').disabled = false;
  }
  #show(isOn) {
    this.#isOn = isOn;
    mark($('fav'), 'aria-pressed', isOn);
  }
  async #turn() {
    const uri = this.#uri, on = !this.#isOn;
    if (!uri) return;
    buzz();
    this.#show(on);
    const res = await this.#hub.press('fav.set', { uri, on }, { key: token(4) });
    if (!res.ok && uri === this.#uri) this.#show(!on);
  }
}
