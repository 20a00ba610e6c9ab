// Written by deploy/embed from Sources/WebRemote/page/queue.js; edit that file.
extension WebRemote {
    static let queueJS: StaticString = ##"""
        // The queue: what comes next, where a tap jumps, a grip moves and a cross removes. Of ten thousand rows only those in
        // sight exist. What is shown is a copy of the hub's order, changed at once by hand and fetched anew when the hub's
        // revision has gone on.

        import { token } from './baton.js';
        import { dragging } from './drag.js';
        import { buzz, clamp, icon, make, mark, put, spell } from './parts.js';

        const page = 80;
        const undoNames = { clear: 'Undo clearing', replace: 'Undo replacing', remove: 'Undo removing', move: 'Undo moving', shuffle: 'Undo shuffling' };

        export class Queue {
          #hub; #say; #rows = []; #length = 0; #rev = null; #room = null; #editing = 0; #edits = 0; #fetching = false; #again = false;
          #shown = new Map(); #current = null; #drag = null; #centred = false;

          constructor(hub, say) {
            this.#hub = hub;
            this.#say = say;
            this.list = make('ol', { class: 'rows', 'aria-label': 'Queue' });
            this.scroller = make('div', { class: 'scroller' }, this.list);
            this.#count = make('p', { class: 'count' });
            this.#undo = make('button', { class: 'small', hidden: true, onclick: () => this.undo() }, 'Undo');
            this.element = make('div', { class: 'queue' }, make('div', { class: 'head' }, this.#count, this.#undo), this.scroller);
            this.scroller.onscroll = () => this.#lay();
            this.list.onclick = event => this.#clicked(event);
            this.list.onkeydown = event => this.#key(event);
            new ResizeObserver(() => this.#lay()).observe(this.scroller);
            dragging(this, {
              lift: id => { this.#drag = { id, from: this.#place(id), to: this.#place(id) }; this.#lay() },
              over: to => { if (this.#drag && to !== this.#drag.to) { this.#drag.to = clamp(to, 0, this.#length - 1); buzz(5); this.#lay() } },
              drop: () => this.#dropped(),
              cancel: () => { this.#drag = null; this.#lay() },
            });
          }
          #count; #undo;
          get rowHeight() { return parseFloat(getComputedStyle(this.list).getPropertyValue('--row')) || 56 }
          #place(id) { return this.#rows.findIndex(row => row?.entry === id) }

          // ---- The copy.
          draw(view) {
            const queue = view.queue;
            if (!queue) return;
            if (this.#room !== this.#hub.room) {
              [this.#room, this.#rows, this.#rev, this.#centred] = [this.#hub.room, [], null, false];
              for (const element of this.#shown.values()) element.remove();
              this.#shown.clear();
            }
            if (!this.#editing) this.#length = queue.len;
            this.#current = view.entry;
            put(this.#count, queue.len === 0 ? 'The queue is empty.' : `${queue.len.toLocaleString('en')} ${queue.len === 1 ? 'entry' : 'entries'}`);
            this.#undo.hidden = !queue.undo;
            if (queue.undo) put(this.#undo, undoNames[queue.undo] ?? 'Undo');
            this.#learn(this.#rows[this.#place(view.entry)], view);
            if (queue.rev !== this.#rev && this.element.isConnected) this.#fetch(queue.rev);
            this.#lay();
          }
          /** What is in a file may be known only once it plays; the queue's revision does not tell. */
          #learn(row, { title, durationMs }) {
            if (!row || !title || row.title === title || this.#hub.waiting.length) return;
            Object.assign(row, { title, durMs: durationMs });
            this.#shown.get(row.entry)?.remove();
            this.#shown.delete(row.entry);
          }
          opened() {
            this.#centred = false;
            const queue = this.#hub.view().queue;
            if (queue && queue.rev !== this.#rev) this.#fetch(queue.rev);
            this.#lay();
          }
          async #fetch() {
            if (this.#fetching || this.#editing) { this.#again = true; return }
            this.#fetching = true;
            this.#again = false;
            const room = this.#hub.room, edits = this.#edits;
            if (this.#rev === null && !this.#centred) this.#centre();
            let [from] = this.#sight(), got = null;
            const until = this.#sight()[1], rows = [];
            from = Math.max(0, from - 10);
            do {
              got = await this.#hub.ask('queue.get', { from: from + rows.length, n: Math.min(100, Math.max(1, until - from - rows.length + page / 2)) });
              if (got) rows.push(...got.rows);
            } while (got?.rows.length && from + rows.length < Math.min(until, got.len));
            this.#fetching = false;
            // Somebody edited while the answer was on its way: it would show what was before.
            if (edits !== this.#edits || room !== this.#hub.room) return this.#editing ? undefined : this.#fetch();
            if (got) {
              if (got.rev !== this.#rev) this.#rows = [];
              this.#rev = got.rev;
              this.#length = got.len;
              rows.forEach((row, index) => this.#rows[from + index] = row);
              this.#rows.length = Math.min(this.#rows.length, got.len);
              if (this.#drag) this.#follow();
            }
            this.#lay();
            if (this.#again && got) this.#fetch();
          }
          /** The list changed under a drag: it goes on with the same entry, or ends. */
          #follow() {
            this.#drag.from = this.#place(this.#drag.id);
            if (this.#drag.from < 0) { this.#drag = null; this.#say('That entry is no longer in the queue.') }
          }
          #sight() {
            const high = this.rowHeight, first = Math.floor(this.scroller.scrollTop / high);
            return [Math.max(0, first - 4), Math.min(this.#length, first + Math.ceil((this.scroller.clientHeight || 400) / high) + 5)];
          }
          #centre() {
            const index = this.#hub.view().queue?.idx;
            if (index === undefined || !this.scroller.clientHeight) return;
            this.#centred = true;
            this.list.style.height = `${this.#length * this.rowHeight}px`;
            this.scroller.scrollTop = Math.max(0, (index - 1) * this.rowHeight);
          }

          // ---- Rows.
          #lay() {
            if (!this.element.isConnected) return;
            const high = this.rowHeight, [from, until] = this.#sight(), seen = new Set();
            this.list.style.height = `${this.#length * high}px`;
            let missing = false;
            for (let index = from; index < until; index++) {
              const at = this.#source(index), row = this.#rows[at];
              if (!row) { missing = true; continue }
              seen.add(row.entry);
              this.#put(row, index, high);
            }
            for (const [id, element] of this.#shown) if (!seen.has(id)) { element.remove(); this.#shown.delete(id) }
            if (missing && this.#rev !== null && !this.#fetching && this.#hub.live) this.#fetch();
          }
          /** Which row stands at this place while one of them is being carried. */
          #source(index) {
            if (!this.#drag) return index;
            const { from, to } = this.#drag;
            if (index === to) return from;
            return from < to ? (index >= from && index < to ? index + 1 : index) : index > to && index <= from ? index - 1 : index;
          }
          #put(row, index, high) {
            let element = this.#shown.get(row.entry);
            if (!element) {
              element = this.#make(row);
              this.#shown.set(row.entry, element);
            }
            // In the document rows stand in their order, for those who listen to them.
            if (!element.isConnected) {
              const behind = [...this.list.children].find(other => Number(other.ariaPosInSet) > index + 1);
              this.list.insertBefore(element, behind ?? null);
            }
            element.style.transform = `translateY(${index * high}px)`;
            mark(element, 'aria-posinset', index + 1);
            mark(element, 'aria-setsize', this.#length);
            element.classList.toggle('lifted', this.#drag?.id === row.entry);
            mark(element.firstChild, 'aria-current', row.entry === this.#current ? 'true' : null);
            put(element.querySelector('.place'), row.entry === this.#current ? '▸' : `${index + 1}`);
          }
          #make(row) {
            const title = row.title ?? row.uri ?? 'Untitled', artist = row.artists?.join(', ') ?? '';
            const by = row.by ? `${artist ? ' · ' : ''}added by ${row.by}` : '';
            return make('li', { 'data-entry': row.entry },
              make('button', { class: 'row', 'aria-label': `Play ${title}${artist ? `, ${artist}` : ''}${by}` },
                make('span', { class: 'place', 'aria-hidden': 'true' }),
                make('span', { class: 'texts' }, make('b', { dir: 'auto' }, title), make('small', { dir: 'auto' }, artist + by)),
                make('span', { class: 'length' }, row.durMs ? spell(row.durMs) : '')),
              make('button', { class: 'tool', 'data-do': 'remove', 'aria-label': `Remove ${title}` }, icon('x')),
              make('button', { class: 'tool grip', 'data-do': 'move', 'aria-label': `Move ${title}: arrow up or down` }, icon('grip')));
          }

          // ---- Edits: shown at once, and taken back by fetching anew when refused.
          async #edit(m, p, change) {
            buzz();
            this.#editing++;
            this.#edits++;
            change();
            this.#lay();
            const res = await this.#hub.press(m, p, { key: token(4), kind: 'queue' });
            this.#editing--;
            if (!res.ok) this.#rev = null;
            const queue = this.#hub.view().queue;
            if (!this.#editing && queue && (this.#again || queue.rev !== this.#rev)) this.#fetch();
            return res;
          }
          #clicked(event) {
            const button = event.target.closest('button'), id = button?.closest('li')?.dataset.entry;
            if (!id) return;
            if (button.dataset.do === 'remove') this.remove(id);
            else if (!button.dataset.do) this.jump(id);
          }
          jump(id) {
            buzz();
            const row = this.#rows[this.#place(id)];
            const line = { posMs: 0, atMs: this.#hub.clock.hubMs ?? 0, rate: 0 };
            this.#hub.press('jump', { entry: id },
              { kind: 'skip', guess: { entry: id, title: row?.title, artist: row?.artists?.join(', '), durationMs: row?.durMs ?? null, line } });
          }
          remove(id) {
            const at = this.#place(id);
            if (at >= 0) this.#edit('queue.remove', { ids: [id] }, () => { this.#rows.splice(at, 1); this.#length-- });
          }
          move(from, to) {
            const row = this.#rows[from], others = this.#rows.slice();
            if (!row || from === to) return this.#lay();
            others.splice(from, 1);
            const anchor = to === 0 ? null : others[to - 1]?.entry;
            if (anchor === undefined) return this.#lay();
            this.#edit('queue.move', { ids: [row.entry], after: anchor, else: 'end' }, () => {
              this.#rows.splice(from, 1);
              this.#rows.splice(to, 0, row);
            });
          }
          #dropped() {
            const drag = this.#drag;
            this.#drag = null;
            if (drag) this.move(drag.from, drag.to);
          }
          undo() {
            buzz();
            this.#hub.press('queue.undo', {}, { key: token(4), kind: 'queue' });
          }
          #key(event) {
            const d = { ArrowUp: -1, ArrowDown: 1 }[event.key], button = event.target.closest('[data-do=move]');
            if (!d || !button) return;
            event.preventDefault();
            event.stopPropagation();
            const from = this.#place(button.closest('li').dataset.entry);
            this.move(from, clamp(from + d, 0, this.#length - 1));
            button.focus();
          }
        }

        """##
}
