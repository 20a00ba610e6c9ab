// The texts of the page in the language of the person: files in `lang`, one for each language, of which only the one in
// use is loaded. A text that it lacks is English, and so is everything where the file is broken. Modules that import
// this one begin when the texts are there, so `t` may be called anywhere.
//
// A text names its values in braces, and a value that counts chooses between its plural forms: with
// `"tracks": { "one": "{n} track", "other": "{n} tracks" }`, `t('tracks', { n: 2 })` is “2 tracks”.

const root = document.documentElement;

/** The codes of all languages that there are texts in. */
export const languages = '@languages'.split(' ');
export const language = root.lang;
/** What is made when it is first needed: everything of `Intl` takes long, and the first screen needs none of it. */
const later = (made, value) => () => value ??= made();
/** For dates and numbers: the language as the browser has it, with a country. Digits are those of clocks and levels. */
export const locale = later(() => localeOf(navigator.languages.find(tag => tag.split('-')[0] === language))
  ?? localeOf('en'));
function localeOf(tag) {
  // A system may be set to a name that is no language tag.
  try { return new Intl.Locale(tag ?? language, { numberingSystem: 'latn' }) } catch { return null }
}

const isString = text => typeof text === 'string';
const isText = text => isString(text) || isString(text?.other) && Object.values(text).every(isString);
/** What a file holds that can be shown; nothing of one that is broken or missing. */
async function read(answer) {
  try {
    const file = await (await answer).json();
    for (const key in file) if (!isText(file[key])) delete file[key];
    return file ?? {};
  } catch { return {} }
}
let texts = await read(globalThis.askedTexts);
if (Object.keys(texts).length < Number('@texts')) {
  texts = { ...await read(fetch('/page/@/lang-en.json')), ...texts };
}

const plurals = later(() => new Intl.PluralRules(locale())), numbers = later(() => new Intl.NumberFormat(locale()));
/** Small whole numbers are written alike in all languages. */
const isShort = n => n >= 0 && n < 1000 && Number.isInteger(n) && !Object.is(n, -0);
/** A number as it is written in this language. */
export const number = n => isShort(n) ? `${n}` : numbers().format(n);
const leftwards = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
/** A name that may be in the other direction stands apart from the words around it. */
const apart = text => root.dir === 'rtl' || leftwards.test(text) ? `\u2068${text}\u2069` : text;

/** The text of this key with its values. */
export function t(key, values = {}) {
  const text = texts[key] ?? key;
  const form = isString(text) ? text : text[plurals().select(values.n)] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return value === undefined ? whole : typeof value === 'number' ? number(value) : apart(value);
  });
}
export const has = key => Object.hasOwn(texts, key);

/** What a reason of the hub's says in this language; null for one without a text. */
export const reasonWords = ({ reason, args }) => has(`reason.${reason}`) ? t(`reason.${reason}`, args) : null;

/** A sentence of the hub's, which is English, behind words for its code; or its reason in this language alone. */
export function errorWords(code, sentence, error) {
  const words = error?.reason && reasonWords(error);
  if (words) return words;
  const key = `${code}`.startsWith('refused.') ? code : `error.${aliases[code] ?? code}`;
  return has(key) ? t(key, { detail: sentence ?? '' }) : sentence;
}
/** Close codes that are said alike. */
const aliases = { 'closed.410': 'closed.400', 'closed.1003': 'closed.1002', 'closed.1007': 'closed.1002' };

// The texts that the document names: of elements (`data-t`), and of their labels (`data-t-label`).
const shell = {};
for (const element of document.querySelectorAll('[data-t]')) {
  const key = element.dataset.t;
  if (has(key)) element.textContent = shell[key] = t(key);
}
for (const element of document.querySelectorAll('[data-t-label]')) {
  if (has(element.dataset.tLabel)) element.setAttribute('aria-label', t(element.dataset.tLabel));
}
// What is read the next time before this module has come: see lastscreen.js.
try {
  if (language === 'en') localStorage.removeItem('baton.shell');
  else localStorage.setItem('baton.shell', JSON.stringify({ language, texts: shell }));
} catch { /* Without storage these texts are English for a moment. */ }
