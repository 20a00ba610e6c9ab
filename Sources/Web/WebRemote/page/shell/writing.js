// How numbers, dates and several names are written in the language of the page, where `t` alone does not do it.

import { locale, t } from './translate.js';

const decimals = new Map();
/** A number with so many digits behind the point. */
export function decimal(n, digits) {
  const exactly = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (!decimals.has(digits)) decimals.set(digits, new Intl.NumberFormat(locale(), exactly));
  return decimals.get(digits).format(n);
}
/** A part of a hundred, as the language writes it. */
export const percent = n => (percents ??= new Intl.NumberFormat(locale(), { style: 'percent' })).format(n / 100);
let percents = null;
/** So many minutes as people say them. */
export const minutesLong = n => n < 60 ? t('time.min', { n })
  : t('time.hourMin', { hours: Math.floor(n / 60), minutes: n % 60 });
/** The date or time of a moment, as `Intl.DateTimeFormat` takes its options. */
export const date = (ms, options) => new Date(ms).toLocaleString(locale(), options);
/** Several names as a sentence lists them; `disjunction` is for “or”. */
export const listed = (names, type = 'conjunction') => new Intl.ListFormat(locale(), { type }).format(names);
