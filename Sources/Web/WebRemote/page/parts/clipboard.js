// Text for the clipboard of the device.

import { $, make } from './parts.js';

/** Whether it is there now. Pages without encryption have no clipboard API; the old command still works. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = make('textarea', { class: 'unseen', readonly: true });
    area.value = text;
    // Behind an open sheet nothing can be selected.
    $($('sheet').open ? 'sheet' : 'panel').append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}
