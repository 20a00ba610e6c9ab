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
  found: words => `lib:search/${encodeURIComponent(words)}`,
  list: id => `pl:list/${id}`,
  listOf: uri => uri.replace('pl:list/', ''),
};
