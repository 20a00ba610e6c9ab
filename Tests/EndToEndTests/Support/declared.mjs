// Whether baton.d.ts names what baton.js exports, class by class and member by member, and nothing else. Its argument is their folder.
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('/usr/share/nodejs/typescript');
const folder = `${process.argv[2]}/`;
const real = await import(`${folder}node.js`);

const program = ts.createProgram([`${folder}baton.d.ts`], {});
const checker = program.getTypeChecker();
const declared = new Map();
for (const symbol of checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(`${folder}baton.d.ts`)))) {
  if (symbol.flags & ts.SymbolFlags.Class) {
    declared.set(symbol.name, checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map(member => member.name));
  } else if (symbol.flags & (ts.SymbolFlags.Function | ts.SymbolFlags.Variable)) declared.set(symbol.name, null);
}

const membersOf = made => {
  const names = new Set(Object.keys(made));
  for (let kind = Object.getPrototypeOf(made); kind !== Object.prototype; kind = Object.getPrototypeOf(kind)) {
    for (const name of Object.getOwnPropertyNames(kind)) names.add(name);
  }
  names.delete('constructor');
  return [...names].sort();
};
const made = { Hub: () => new real.Hub({ url: 'ws://127.0.0.1:1' }), Clock: () => new real.Clock(), QueueCopy: () => new real.QueueCopy(), Latest: () => new real.Latest(null) };

const wrong = [];
const compare = (what, there, named) => {
  for (const name of there) if (!named.includes(name)) wrong.push(`${what}${name} is not in baton.d.ts`);
  for (const name of named) if (!there.includes(name)) wrong.push(`${what}${name} is not in baton.js`);
};
compare('', Object.keys(real).sort(), [...declared.keys()]);
for (const [name, members] of declared) if (members) compare(`${name}.`, membersOf(made[name]()), members);
console.log(wrong.length ? wrong.join('\n') : 'the types name what there is');
process.exit(wrong.length ? 1 : 0);
