// What people wish of the next piece of a room's music without end. A watch has the first two.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { buzz, make } from '../parts/parts.js';
import { needOf } from '../shell/roles.js';
import { t } from '../shell/translate.js';

export const wishes = ['calmer', 'livelier', 'brighter', 'darker'];

/** Each press counts once. The sentence names the piece that is shaped, where it is known already. */
export async function steer(hub, say, way) {
  buzz();
  const res = await hub.press('gen.steer', { way }, { key: token(6) });
  if (!res.ok) return;
  const { title, ahead } = res.d ?? {}, wish = t(`steer.${way}`);
  const words = title ? t('steer.shapes', { wish, title })
    : ahead ? t('steer.shapesLater', { wish, n: ahead }) : t('steer.shapesNext', { wish });
  say(words, 4000);
}
export const steerButtons = (hub, say, ways = wishes) => ways.map(way => make('button',
  { class: 'small', 'data-steer': way, 'data-needs': needOf('gen.steer'), onclick: () => steer(hub, say, way) },
  t(`steer.${way}`)));
