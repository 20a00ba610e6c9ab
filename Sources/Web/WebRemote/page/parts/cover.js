// A picture in a box of fixed size, so that nothing moves when it arrives. Without a picture the box shows a note.

/**
 * Address of a picture in the pixels of this screen; with one measure it keeps its own shape. The content of a name
 * never changes, so browsers cache it for good.
 */
export function artAddress(id, width, height = width) {
  const pixels = length => Math.min(2048, Math.max(1, Math.round(length * (devicePixelRatio || 1))));
  return `/art/${encodeURIComponent(id)}?${[width && `w=${pixels(width)}`, height && `h=${pixels(height)}`]
    .filter(Boolean).join('&')}`;
}

/** Pictures that did not come, and how each is asked for again. */
const lost = new Map();
function miss(element, again) {
  for (const other of lost.keys()) if (!other.isConnected) lost.delete(other);
  lost.set(element, again);
}
/** A picture that does not come leaves the letters below it, and is asked for again when the hub is there again. */
export function orLetters(image) {
  image.onerror = () => {
    const { src } = image;
    image.hidden = true;
    miss(image, () => { image.hidden = false; image.src = src });
  };
  return image;
}
/** The hub is there again. */
export function askAgain() {
  const all = [...lost];
  lost.clear();
  for (const [element, again] of all) if (element.isConnected) again();
}

function load(address) {
  const picture = new Image();
  picture.alt = '';
  picture.draggable = false;
  picture.src = address;
  return picture;
}

export class Cover {
  #box; #shown = ''; #art; #size = null;
  constructor(box) {
    this.#box = box;
    new ResizeObserver(() => { this.#size = null; this.show(this.#art) }).observe(box);
  }
  /**
   * The old picture stays until the new one is decoded. A wide or tall one is shown whole, over its own blurred
   * colours.
   */
  show(art) {
    this.#art = art;
    // The browser lays everything out to tell the size, so it is asked once, and not without a picture.
    if (art?.id) this.#size ??= [this.#box.clientWidth, this.#box.clientHeight];
    const [width, height] = this.#size ?? [], isWide = art?.w > art?.h * 1.03, isTall = art?.h > art?.w * 1.03;
    const address = art?.id && width ? artAddress(art.id, isTall ? null : width, isWide ? null : height) : '';
    if (address === this.#shown) return;
    this.#shown = address;
    const put = (...pictures) => { if (this.#shown === address) this.#box.replaceChildren(...pictures) };
    if (!address) return put();
    const picture = load(address);
    picture.decode().then(() => put(...isWide || isTall ? [Object.assign(load(address), { className: 'haze' }), picture]
      : [picture]), () => {
      put();
      if (this.#shown === address) miss(this.#box, () => { this.#shown = ''; this.show(this.#art) });
    });
  }
}

/**
 * Colours from a cover: its hues, with a lightness that keeps every text readable. `--wash` is pale; of `--tint` a
 * theme chooses the lightness.
 */
export function wash([ground, accent] = []) {
  const style = document.documentElement.style;
  for (const [end, colour] of [['', ground], ['2', accent ?? ground]]) {
    const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour ?? '');
    const hue = found && hueOf(...found.slice(1).map(digits => parseInt(digits, 16) / 255));
    for (const [name, value] of [['--wash', `hsl(${hue} 90%)`], ['--tint', hue]]) {
      if (hue) style.setProperty(name + end, value); else style.removeProperty(name + end);
    }
  }
}
/** Hue and saturation, as `hsl()` has them. */
function hueOf(r, g, b) {
  const most = Math.max(r, g, b), span = most - Math.min(r, g, b);
  const turn = !span ? 0 : most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return `${Math.round(turn * 60 + 360) % 360} ${Math.round(Math.min(.6, most && span / most) * 100)}%`;
}
