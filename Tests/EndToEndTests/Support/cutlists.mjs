// Whether the page reads on in a list that the hub has cut: to its end, not for ever, and with a word on what is missing. Its argument
// is the folder of the page.
const { readOn, WholeList } = await import(`${process.argv[2]}/parts/rest.js`);

const wrong = [];
const expect = (name, found, wanted) => {
  if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push(`${name}: ${JSON.stringify(found)}, and not ${JSON.stringify(wanted)}`);
};
const row = id => ({ id }), rows = (from, to) => Array.from({ length: to - from }, (_, n) => row(from + n));
/** `answer` is called with the place of each question. */
const hub = answer => ({ asked: 0, async ask(m, { from }) { this.asked++; return answer(from) } });

expect('two pages', await readOn(hub(from => from < 4 ? { list: rows(2, 4), more: 1 } : { list: rows(4, 5) }), 'm', { list: rows(0, 2), more: 3 }),
  { rows: rows(0, 5), more: 0 });
const liar = hub(() => ({ list: rows(0, 2), more: 9 }));
expect('a hub that repeats itself', await readOn(liar, 'm', { list: rows(0, 2), more: 9 }), { rows: rows(0, 2), more: 9 });
expect('how often it was asked', liar.asked, 1);
expect('a list without end', (await readOn(hub(from => ({ list: rows(from, from + 100), more: 9 })), 'm', { list: rows(0, 2), more: 9 })).rows.length, 10002);
expect('no answer', await readOn(hub(() => null), 'm', { list: rows(0, 2), more: 3 }), { rows: rows(0, 2), more: 3 });

let answer = null, drawn = 0;
const list = new WholeList(hub(() => answer), ['m'], () => drawn++);
const shown = async section => {
  const before = [list.rows(section).length, list.more];
  await new Promise(done => setTimeout(done));
  return [...before, list.rows(section).map(({ id }) => id), list.more];
};
expect('a read that fails', await shown({ list: rows(0, 2), more: 2 }), [2, 2, [0, 1], 2]);
answer = { list: rows(2, 4) };
expect('a read that succeeds', await shown({ list: rows(0, 2), more: 2 }), [2, 2, [0, 1, 2, 3], 0]);
answer = { list: [row(1), row(2)] };
expect('a row that has moved', await shown({ list: [row(0), row(3)], more: 2 }), [3, 0, [0, 3, 1, 2], 0]);
expect('a list that is whole again', await shown({ list: rows(0, 3) }), [3, 0, [0, 1, 2], 0]);
expect('how often it was drawn', drawn, 3);
console.log(wrong.length ? wrong.join('\n') : 'lists are read to their end');
process.exit(wrong.length ? 1 : 0);
