// What the section `src` says of the accounts at servers: whose item a row is.

export const sourcesOf = hub => hub.said.src?.list ?? [];
/** The name of the source of an item: the word before the colon of its uri. */
export const nameOf = uri => /^([a-z][a-z0-9-]*):/.exec(uri ?? '')?.[1];
export const sourceOf = (hub, uri) => {
  const name = nameOf(uri);
  return name && sourcesOf(hub).find(source => source.name === name);
};
export const titleOf = source => source.title || source.name;
