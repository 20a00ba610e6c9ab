// A remote in TypeScript: says what plays, and presses the words that are typed. `tsc --strict --noEmit` accepts it.
//
//   tsc --module node16 --target es2022 example.ts && node example.js ws://127.0.0.1:9442/baton
import { Hub, items, token, type View } from './node.js';

const line = ({ title, artist, level, st }: View) => `${title ?? 'Nothing'}${artist ? ` by ${artist}` : ''} (${st}) at ${level ?? '?'} %`;

/** Follows a hub, and gives back what it says. */
export function follow(url: string, say: (sentence: string) => void): Hub {
  const hub = new Hub({ url, name: 'TypeScript', view: 'remote' });
  let last = '';
  hub.on('change', () => {
    const now = line(hub.view());
    if (hub.live && now !== last) say(last = now);
  });
  hub.on('say', say);
  hub.start();
  return hub;
}

/** Plays the first item that is found. */
export async function playFirst(hub: Hub, words: string): Promise<boolean> {
  let uri = items.found(words);
  for await (const { rows: [first] } of hub.search({ q: words, limit: 1 })) {
    if (!first) continue;
    uri = first.places?.[0] ?? first.uri;
    break;
  }
  const answer = await hub.press('play', { uri }, { key: token(6) });
  return answer.ok === 1;
}
