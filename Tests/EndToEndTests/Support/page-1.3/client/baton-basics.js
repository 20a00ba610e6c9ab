// What all modules of the client use.

export const now = () => performance.now();
export const micros = () => Math.round(now() * 1000);
export const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

/** Random text of `bytes` bytes in base64url. */
export const token = bytes => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(bytes))))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** The items that the protocol itself names: shelves of the library, all that a search finds, playlists. */
export const items = {
  shelf: name => `lib:shelf/${name}`,
  mix: name => `lib:mix/${name}`,
  found: words => `lib:search/${encodeURIComponent(words)}`,
  list: id => `pl:list/${id}`,
  listOf: uri => uri.replace('pl:list/', ''),
};
const spoken = ['book', 'chapter', 'episode'];
/** Whether speech plays; `said` is what the hub sent. */
export const isSpoken = (said, kind) => !!(said.book || said.b) || spoken.includes(kind);
/** How far steps back and forward go, in ms: in speech what the room says. */
export const stepsOf = (said, kind) => isSpoken(said, kind)
  ? [said.modes?.backMs ?? 15000, said.modes?.forwardMs ?? 30000] : [15000, 15000];
