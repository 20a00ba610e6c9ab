// The choice of the language in the settings. The page is loaded again in the one that is chosen.

import { field } from '../parts/forms.js';
import { make, recall, remember } from '../parts/parts.js';
import { languages, t } from '../shell/translate.js';

/** A language as it names itself. */
function nameOf(code) {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code);
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

export function languageChoice() {
  const kept = recall('language'), chosen = languages.includes(kept) ? kept : '';
  const option = (value, text) => make('option', { value, lang: value || null, selected: value === chosen }, text);
  const select = make('select', { id: 'language' }, option('', t('settings.languageOfBrowser')),
    ...languages.map(code => option(code, nameOf(code))));
  select.onchange = () => {
    remember('language', select.value || null);
    location.reload();
  };
  return field(t('settings.language'), select);
}
