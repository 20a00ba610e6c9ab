// The picture of a text that cameras read.

import { squareOf } from './qrcode.js';
import { t } from '../shell/translate.js';

/** The square with the quiet edge that cameras need, dark on light in every theme. */
export function squareFor(text) {
  const rows = squareOf(text), space = 'http://www.w3.org/2000/svg', svg = document.createElementNS(space, 'svg');
  if (!rows) return null;
  const side = rows.length + 8, path = (d, fill) => {
    const element = document.createElementNS(space, 'path');
    element.setAttribute('d', d);
    element.setAttribute('fill', fill);
    return element;
  };
  svg.setAttribute('viewBox', `0 0 ${side} ${side}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', t('pairing.square'));
  svg.setAttribute('shape-rendering', 'crispEdges');
  svg.append(path(`M0 0h${side}v${side}H0z`, '#fff'), path(rows.map((row, y) => row.map((isDark, x) =>
    isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : '').join('')).join(''), '#000'));
  return svg;
}
