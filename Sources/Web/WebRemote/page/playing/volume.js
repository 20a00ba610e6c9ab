// The volume row: the level of the room, and what a hand on it means. Changes by other remotes are shown between
// gestures.

import { $, mark, put, recall, remember } from '../parts/base.js';
import { atFirstTouch } from '../gestures/firsttouch.js';
import { turn } from '../shell/state.js';
import { t } from '../shell/translate.js';

export class Volume {
  #hub; #say; #hand = null;
  /** Loads what a hand needs (volumehand.js). */
  fetchHand;
  constructor(hub, say) {
    [this.#hub, this.#say] = [hub, say];
    this.fetchHand = atFirstTouch($('volume'), async () => {
      const { VolumeHand } = await import('./volumehand.js');
      return this.#hand = new VolumeHand(hub, say, () => this.draw());
    }, say);
  }
  async step(d) { (await this.fetchHand())?.step(d) }
  get #want() { return this.#hand?.want ?? null }

  /** A restart of the hub that lowered the level says so, once on each device. */
  #sayLowered({ roomName, level }) {
    const { boot, room, said: { vol } } = this.#hub, which = `${boot} ${room}`;
    if (!vol?.lowered || !this.#hub.live || recall('lowered') === which) return;
    remember('lowered', which);
    this.#say(t('volume.lowered', { room: roomName ?? '', before: `${vol.lowered}`, level: `${level}` }), 12000);
  }
  draw(view = this.#hub.view()) {
    this.#sayLowered(view);
    const level = this.#want ?? view.level, muted = this.#want === null && view.muted;
    put($('level'), level === undefined ? '–' : `${level}%`);
    $('turn').style.setProperty('--level', (level ?? 0) / 100);
    const percent = level === undefined ? t('unknown') : t('volume.percent', { n: level }),
      state = muted ? `${percent}, ${t('volume.muted')}` : percent;
    const where = view.roomName ? t('volume.ofRoom', { room: view.roomName }) : t('volume.name');
    mark($('volume'), 'aria-label', `${where}, ${state}`);
    mark($('turn'), 'aria-label', where);
    const [low, high] = this.#hub.span ?? [level ?? 0, level ?? 0];
    const ceiling = Math.min(high, view.range?.[1] ?? 100);
    $('turn').style.setProperty('--ceiling', ceiling / 100);
    $('turn').style.setProperty('--hasceiling', this.#hub.span && ceiling < 100 ? 1 : 0);
    mark($('turn'), 'aria-valuemin', low);
    mark($('turn'), 'aria-valuemax', high);
    mark($('turn'), 'aria-disabled', this.#hub.span ? null : 'true');
    mark($('turn'), 'aria-valuenow', level);
    mark($('turn'), 'aria-valuetext', state);
    mark($('less'), 'aria-label', `${t('volume.quieter')}. ${where}, ${state}`);
    mark($('more'), 'aria-label', `${t('volume.louder')}. ${where}, ${state}`);
    turn('muted', muted);
  }
}
