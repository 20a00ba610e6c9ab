// Plots for the diagnostics: how far off each listener was in the last five minutes, with the band in which it counts
// as in step, and a mark wherever it began anew or played at another speed to come back.

import { make, put } from '../parts/parts.js';
import { history } from './reports.js';
import { loadStyle } from '../parts/styles.js';
import { t } from '../shell/translate.js';
import { decimal } from '../shell/writing.js';

const space = 'http://www.w3.org/2000/svg', wideMs = 300_000, width = 300, height = 60, inStepMs = 30, least = 45;

loadStyle('listen.css');

export class ListenPlots {
  element = make('div', { class: 'plots', id: 'listenplots' });
  draw() {
    const all = history().filter(({ points }) => points.length > 1);
    this.element.hidden = !all.length;
    const shown = [...this.element.children];
    if (shown.length !== all.length) this.element.replaceChildren(...all.map(() =>
      make('figure', {}, make('figcaption', { dir: 'auto' }),
        shape('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img' }))));
    all.forEach((one, index) => {
      const [caption, svg] = this.element.children[index].children, text = words(one);
      put(caption, text);
      svg.setAttribute('aria-label', text);
      svg.replaceChildren(...drawing(one.points));
    });
  }
}

function words({ who, name, points }) {
  const sizes = points.map(({ ms }) => Math.abs(ms)).sort((one, other) => one - other);
  return t('plots.name', { name: who === null ? t('people.thisDevice') : name,
    ms: decimal(sizes[Math.ceil(0.95 * sizes.length) - 1], 1), n: points.at(-1).starts - points[0].starts });
}
function drawing(points) {
  const now = Date.now(), most = Math.max(least, ...points.map(({ ms }) => Math.abs(ms)));
  const x = at => (width * (1 - (now - at) / wideMs)).toFixed(1), y = ms => (height / 2 * (1 - ms / most)).toFixed(1);
  const marks = (test, kind, length) => points.slice(1).filter((point, index) => test(point, points[index]))
    .map(({ at }) => shape('line', { class: kind, x1: x(at), x2: x(at), y1: height - length, y2: height }));
  return [
    shape('rect', { class: 'band', x: 0, width, y: y(inStepMs), height: y(-inStepMs) - y(inStepMs) }),
    shape('line', { class: 'zero', x1: 0, x2: width, y1: height / 2, y2: height / 2 }),
    ...marks(({ speed }, before) => speed !== 1000 && speed !== before.speed, 'bend', 6),
    ...marks(({ starts }, before) => starts > before.starts, 'start', height),
    shape('polyline', { points: points.map(({ at, ms }) => `${x(at)},${y(ms)}`).join(' ') }),
  ];
}
function shape(tag, attributes) {
  const element = document.createElementNS(space, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}
