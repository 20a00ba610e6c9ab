// A text as a square that cameras read (ISO/IEC 18004): bytes, of which 15 in 100 may be unreadable (level M), in
// versions 1 to 20.

/** By version: the codewords of correction in each block, and how many blocks there are. */
const corrections = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26],
  blockCounts = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16];
const masks = [(x, y) => (x + y) % 2, (x, y) => y % 2, x => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => x * y % 2 + x * y % 3,
  (x, y) => (x * y % 2 + x * y % 3) % 2, (x, y) => ((x + y) % 2 + x * y % 3) % 2];

/** How many modules carry data and correction. */
function room(version) {
  const aligned = version < 2 ? 0 : Math.floor(version / 7) + 2;
  return (16 * version + 128) * version + 64 - (aligned ? (25 * aligned - 10) * aligned - 55 : 0)
    - (version > 6 ? 36 : 0);
}
const wordsOf = version => room(version) >> 3;
const dataOf = version => wordsOf(version) - corrections[version - 1] * blockCounts[version - 1];

/** A product in the field of 256 elements that the correction is made in. */
function times(one, other) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = product << 1 ^ (product >> 7) * 0x11d ^ (other >> bit & 1) * one;
  return product;
}
function correctionOf(data, degree) {
  const divisor = [...Array(degree - 1).fill(0), 1], rest = Array(degree).fill(0);
  for (let step = 0, root = 1; step < degree; step++, root = times(root, 2))
    for (let at = 0; at < degree; at++) divisor[at] = times(divisor[at], root) ^ (divisor[at + 1] ?? 0);
  for (const byte of data) {
    const factor = byte ^ rest.shift();
    rest.push(0);
    divisor.forEach((value, at) => { rest[at] ^= times(value, factor) });
  }
  return rest;
}
/** Data and correction of all blocks, woven into each other. */
function woven(bytes, version) {
  const many = version > 9, bits = [[4, 4], [bytes.length, many ? 16 : 8], ...[...bytes].map(byte => [byte, 8])]
    .map(([value, length]) => value.toString(2).padStart(length, '0')).join('');
  const size = dataOf(version), ended = bits + '0'.repeat(Math.min(4, size * 8 - bits.length));
  const data = ended.padEnd(Math.ceil(ended.length / 8) * 8, '0').match(/.{8}/g).map(byte => parseInt(byte, 2));
  for (let pad = 0xec; data.length < size; pad ^= 0xfd) data.push(pad);
  const count = blockCounts[version - 1], short = Math.floor(size / count), blocks = [];
  for (let block = 0, from = 0; block < count; block++) {
    const length = short + (block >= count - size % count ? 1 : 0);
    blocks.push(data.slice(from, from += length));
  }
  const weave = rows => Array.from({ length: Math.max(...rows.map(row => row.length)) },
    (_, at) => rows.map(row => row[at])).flat().filter(byte => byte !== undefined);
  return [...weave(blocks), ...weave(blocks.map(block => correctionOf(block, corrections[version - 1])))];
}

class Square {
  constructor(version) {
    this.side = version * 4 + 17;
    this.dark = Array.from({ length: this.side }, () => Array(this.side).fill(false));
    this.isFixed = this.dark.map(row => [...row]);
    this.#drawFixed(version);
  }
  #fix(x, y, dark) {
    if (x < 0 || y < 0 || x >= this.side || y >= this.side) return;
    [this.dark[y][x], this.isFixed[y][x]] = [!!dark, true];
  }
  #drawFixed(version) {
    const { side } = this;
    for (let at = 0; at < side; at++) { this.#fix(6, at, at % 2 === 0); this.#fix(at, 6, at % 2 === 0) }
    for (const [x, y] of [[3, 3], [side - 4, 3], [3, side - 4]])
      this.#ring(x, y, 4, distance => distance !== 2 && distance !== 4);
    const count = version < 2 ? 0 : Math.floor(version / 7) + 2,
      step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
    const places = Array.from({ length: count }, (_, at) => at ? side - 7 - step * (count - 1 - at) : 6);
    for (const [i, x] of places.entries()) for (const [j, y] of places.entries())
      if (!(i === 0 && (j === 0 || j === count - 1) || i === count - 1 && j === 0))
        this.#ring(x, y, 2, distance => distance !== 1);
    this.drawFormat(0);
    if (version < 7) return;
    let rest = version;
    for (let bit = 0; bit < 12; bit++) rest = rest << 1 ^ (rest >> 11) * 0x1f25;
    for (let bit = 0; bit < 18; bit++) {
      const dark = (version << 12 | rest) >> bit & 1, far = side - 11 + bit % 3, near = Math.floor(bit / 3);
      this.#fix(far, near, dark);
      this.#fix(near, far, dark);
    }
  }
  #ring(x, y, reach, isDark) {
    for (let down = -reach; down <= reach; down++) for (let right = -reach; right <= reach; right++)
      this.#fix(x + right, y + down, isDark(Math.max(Math.abs(right), Math.abs(down))));
  }
  /** Which mask was taken, twice; level M has the bits 00. */
  drawFormat(mask) {
    let rest = mask;
    for (let bit = 0; bit < 10; bit++) rest = rest << 1 ^ (rest >> 9) * 0x537;
    const word = (mask << 10 | rest) ^ 0x5412, { side } = this;
    for (let at = 0; at < 15; at++) {
      const dark = word >> at & 1, near = at < 6 ? at : at < 8 ? at + 1 : 14 - at;
      if (at < 8) { this.#fix(8, near, dark); this.#fix(side - 1 - at, 8, dark) }
      else { this.#fix(at === 8 ? 7 : near, 8, dark); this.#fix(8, side - 15 + at, dark) }
    }
    this.#fix(8, side - 8, true);
  }
  /** From the lower right corner, two columns at a time, up and down. */
  fill(words) {
    let bit = 0;
    for (let right = this.side - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.side; step++) for (const x of [right, right - 1]) {
        const y = (right + 1 & 2) === 0 ? this.side - 1 - step : step;
        if (!this.isFixed[y][x] && bit < words.length * 8) this.dark[y][x] = !!(words[bit >> 3] >> 7 - bit++ % 8 & 1);
      }
    }
  }
  turn(mask) {
    for (let y = 0; y < this.side; y++) for (let x = 0; x < this.side; x++)
      if (!this.isFixed[y][x] && masks[mask](x, y) === 0) this.dark[y][x] = !this.dark[y][x];
  }
  /** How much a camera would be misled: by runs, blocks, what looks like a corner, and by too much of one. */
  get faults() {
    const { dark, side } = this, lines = [...dark, ...dark[0].map((_, x) => dark.map(row => row[x]))];
    let sum = 0, count = 0;
    for (const line of lines) {
      const text = line.map(Number).join('');
      for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
      sum += 40 * [...text.matchAll(/(?=00001011101|10111010000)/g)].length;
    }
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) {
      count += dark[y][x];
      if (x && y && dark[y][x] === dark[y][x - 1] && dark[y][x] === dark[y - 1][x] && dark[y][x] === dark[y - 1][x - 1])
        sum += 3;
    }
    return sum + 10 * Math.floor(Math.abs(count * 20 / side / side - 10));
  }
}

/** The rows of the square, each module `true` where it is dark; null where the text is too long. */
export function squareOf(text) {
  const bytes = new TextEncoder().encode(text);
  const version = corrections.findIndex((_, at) => 4 + (at > 8 ? 16 : 8) + bytes.length * 8 <= dataOf(at + 1) * 8) + 1;
  if (!version) return null;
  const words = woven(bytes, version);
  const drawn = masks.map((_, mask) => {
    const square = new Square(version);
    square.fill(words);
    square.turn(mask);
    square.drawFormat(mask);
    return square;
  });
  return drawn.reduce((best, square) => square.faults < best.faults ? square : best).dark;
}
