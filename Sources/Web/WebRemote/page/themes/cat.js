// A pixel-art cat for the theme Black Cat, drawn on a canvas above the progress bar. It breathes and moves its tail,
// with an occasional sparkle; its edge has the colour of the orb. It draws only when its pose has changed.

const body = [
  '..##.....##..........',
  '..###...###..........',
  '..#########..........',
  '.###########.........',
  '.###########.........',
  '.##oo###oo##.........',
  '.##oo###oo##.........',
  '.#####p#####.........',
  '..####w####..........',
  '...#######...........',
  '..#########..........',
  '..###www####.........',
  '.####www#####........',
  '.####www######.......',
  '.#####w#######.......',
  '.###.###.######......',
  '.###.###.######......',
  '.www.www.#####.......',
];
// Poses of the tail, to the right of the body and from its tenth row on: at rest, half way, up.
const tails = [
  ['.....................', '................##...', '.................##..', '..................#..',
    '..................#..', '.................##..', '...............###...'],
  ['.................##..', '..................##.', '..................##.', '..................#..',
    '.................##..', '.................#...', '...............###...'],
  ['................##...', '...............##....', '...............##....', '................##...',
    '.................#...', '.................#...', '...............###...'],
];
const flick = [1, 2, 1, 0, 1, 2, 2, 1];
const wide = 24, high = 21;

export class Cat {
  #canvas; #drawn = ''; #colours = {};
  constructor(canvas) {
    this.#canvas = canvas;
    [canvas.width, canvas.height] = [wide, high];
  }

  draw(beat, mood) {
    const awake = mood === 'playing' || mood === 'buffering', turn = beat % (awake ? 26 : 52), twinkle = beat % 44 - 37;
    const pose = {
      tail: flick[turn] ?? 0, breath: Math.floor(beat / 7) % 2,
        blinks: beat % 33 === 9 || (!awake && mood !== 'problem' && beat % 33 > 20),
      spark: awake && twinkle >= 0 ? 3 - Math.abs(3 - twinkle) : -1, mood,
    };
    const said = JSON.stringify(pose);
    if (said === this.#drawn) return;
    this.#drawn = said;
    this.#paint(pose);
  }

  #paint({ tail, breath, blinks, spark }) {
    const c = this.#canvas.getContext('2d'), colour = name => this.#colours[name]
      ??= getComputedStyle(this.#canvas).getPropertyValue(name);
    const paint = { '#': colour('--fur'), o: blinks ? colour('--fur') : colour('--eye'), w: colour('--paw'),
      p: colour('--nose') };
    const dots = [];
    // Breathing moves the head by one pixel; the paws do not move.
    const take = (rows, top) => rows.forEach((row, y) => [...row].forEach((dot, x) => {
      if (paint[dot]) dots.push([x + 1, top + y + (top + y < 12 ? breath : 0), dot]);
    }));
    take(tails[tail], 11);
    take(body, 2);
    c.clearRect(0, 0, wide, high);
    c.fillStyle = colour('--rimlight');
    for (const [x, y] of dots) { c.fillRect(x - 1, y, 3, 1); c.fillRect(x, y - 1, 1, 3) }
    for (const [x, y, dot] of dots) { c.fillStyle = paint[dot]; c.fillRect(x, y, 1, 1) }
    if (blinks) { c.fillStyle = colour('--eye'); for (const x of [4, 9]) c.fillRect(x, 8 + breath, 2, 1) }
    if (spark < 0) return;
    c.fillStyle = colour('--eye');
    c.fillRect(17, 4 - spark, 1, 2 * spark + 1);
    c.fillRect(17 - spark, 4, 2 * spark + 1, 1);
  }
}
