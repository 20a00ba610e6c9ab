// Lists of which the hub has left out the end, because they were too long: what is left out is asked for.

const mostRows = 10000;
/** What a row is of, so that one that has moved while the list was read does not stand twice. */
const keyOf = ({ who, id, uri, rule, dev, name, msg, sinceMs }) =>
  who ?? id ?? uri ?? rule ?? JSON.stringify([dev, name, msg, sinceMs]);

/**
 * The rows of an answer or a section that the hub has cut, with those behind it, as far as the hub answers; `more` is
 * how many are missing still. `member` has the rows in each answer. A hub that tells nothing new is asked no further.
 */
export async function readOn(hub, m, found, p = {}, member = 'list') {
  const rows = [...found[member] ?? []], known = new Set(rows.map(keyOf));
  let { more = 0 } = found;
  for (let from = rows.length; more && rows.length < mostRows;) {
    const page = await hub.ask(m, { ...p, from }), given = page?.[member] ?? [];
    const fresh = given.filter(row => !known.has(keyOf(row)) && known.add(keyOf(row)));
    if (page) more = page.more ?? 0;
    if (!fresh.length) break;
    rows.push(...fresh);
    from += given.length;
  }
  return { rows, more };
}

/** A section of the state that may be cut, with the rows that it lacks. */
export class WholeList {
  /** How many rows are missing still: they are not read yet, or could not be. */
  more = 0;
  #hub; #m; #query; #drawn; #section = null; #rest = [];
  /** `query` is what `readOn` gets behind the section; `drawn` is called when the rest has come. */
  constructor(hub, [m, ...query], drawn) { [this.#hub, this.#m, this.#query, this.#drawn] = [hub, m, query, drawn] }
  /** The rows that are known by now, of the section as the hub has sent it last. */
  rows(section, member = 'list') {
    const list = section?.[member] ?? [], known = new Set(list.map(keyOf));
    if (section !== this.#section) {
      this.#section = section;
      if (section?.more) this.#read(section, list.length); else this.#rest = [];
      this.more = Math.max(0, (section?.more ?? 0) - this.#rest.length);
    }
    return [...list, ...this.#rest.filter(row => !known.has(keyOf(row)))];
  }
  async #read(section, from) {
    const { rows, more } = await readOn(this.#hub, this.#m, section, ...this.#query);
    if (section !== this.#section) return;
    [this.#rest, this.more] = [rows.slice(from), more];
    this.#drawn();
  }
}
