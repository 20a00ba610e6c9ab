// Gives files to a server that takes them, one after the other, and says of each how far it has come and what became of
// it.

import { token } from '../../../../../examples/browser/client/baton-basics.js';
import { buzz, make, mark, put } from '../parts/parts.js';
import { openForm } from '../parts/sheet.js';
import { titleOf } from '../servers/sources.js';
import { t } from '../shell/translate.js';
import { percent } from '../shell/writing.js';

/** One file. Answers with the status and the hub's sentence; status 0 where the connection was lost. */
function send(request, name, file, ticket, told) {
  return new Promise(resolve => {
    request.open('PUT', `/upload/${encodeURIComponent(name)}?file=${encodeURIComponent(file.name)}`);
    // This tab is admin on its WebSocket alone; the ticket says so here.
    request.setRequestHeader('Authorization', `Ticket ${ticket}`);
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded }) => told(loaded);
    request.onload = () => resolve({ status: request.status,
      words: request.responseText.split('\n')[0] || t('upload.noReason') });
    request.onerror = () => resolve({ status: 0, words: t('upload.lost') });
    request.onabort = () => resolve({ status: 0, words: t('upload.stopped') });
    request.send(file);
  });
}

export function openUpload({ hub }, source) {
  const title = titleOf(source), rows = make('ul', { class: 'cards' }), waiting = [];
  let request = null, ticket = null, isClosed = false, isRunning = false;

  /** One file at a time, also where more are chosen before the ticket has come. */
  async function run() {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length && !isClosed) {
      const { file, said, bar } = waiting.shift();
      ticket ??= (await hub.ask('hub.ticket', {}, { key: token(6) }))?.ticket;
      if (!ticket || isClosed) { put(said, t('upload.notAllowed')); continue }
      bar.hidden = false;
      request = new XMLHttpRequest();
      const { status, words } = await send(request, source.name, file, ticket, loaded => {
        bar.value = loaded / Math.max(1, file.size);
        put(said, loaded < file.size ? percent(Math.floor(100 * bar.value)) : t('upload.looks', { source: title }));
      });
      bar.hidden = true;
      put(said, words);
      mark(said, 'class', status === 200 ? null : 'trouble');
    }
    isRunning = false;
  }
  const choose = make('input', {
    type: 'file', multiple: true, accept: 'audio/*', 'data-at': 'files', onchange: () => {
      buzz();
      for (const file of choose.files) {
        const said = make('small', { role: 'status' }, t('upload.waits')),
          bar = make('progress', { max: 1, value: 0, hidden: true, 'aria-label': file.name });
        rows.append(make('li', { class: 'card source' }, make('b', { dir: 'auto' }, file.name), bar, said));
        waiting.push({ file, said, bar });
      }
      choose.value = '';
      run();
    },
  });
  openForm(t('upload.title', { source: title }),
    make('div', { class: 'acts' },
      make('p', { class: 'note' }, t('upload.about')),
      make('label', { class: 'line' }, t('upload.files'), choose), rows),
    () => { isClosed = true; waiting.length = 0; request?.abort() });
}
