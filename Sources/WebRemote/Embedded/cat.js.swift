// Written by deploy/embed from Sources/WebRemote/page/cat.js; edit that file.
extension WebRemote {
    static let catJS: StaticString = ##"""
        // A black cat of our own, drawn dot by dot on a canvas. It sits above the line, flicks its tail, breathes, and now and
        // then there is a sparkle. It draws only when one of its poses has changed.

        const body = [
          '..#...#.........',
          '..##.##.........',
          '.#######........',
          '.#o###o#........',
          '.#o###o#........',
          '.###w###........',
          '..#####.........',
          '..#######.......',
          '..##w######.....',
          '..#www######....',
          '..#www######....',
          '..##w#######....',
          '..##.##.####....',
          '.www.ww#####....',
        ];
        // Three poses of the tail, right of the body: rest, half, up.
        const tails = [
          ['................', '............##..', '.............##.', '.............##.', '............##..'],
          ['.............##.', '..............#.', '.............##.', '............##..', '............#...'],
          ['............##..', '...........##...', '...........##...', '............##..', '............#...'],
        ];
        const flick = [0, 1, 2, 1, 0, 1, 2, 1];
        const size = [18, 17];

        export class Cat {
          #canvas; #context; #drawn = '';
          constructor(canvas) {
            this.#canvas = canvas;
            this.#context = canvas.getContext('2d');
            [canvas.width, canvas.height] = size;
          }
          draw(beat, mood) {
            const awake = mood === 'playing' || mood === 'buffering';
            const turn = beat % (awake ? 24 : 48);
            const tail = turn < flick.length ? flick[turn] : 0;
            const breath = Math.floor(beat / 6) % 2;
            const blink = beat % 31 === 7;
            const spark = awake && beat % 40 > 32 ? (beat % 40) - 33 : -1;
            const pose = `${tail} ${breath} ${blink} ${spark} ${mood}`;
            if (pose === this.#drawn) return;
            this.#drawn = pose;
            const c = this.#context, style = getComputedStyle(this.#canvas);
            const paint = { '#': style.getPropertyValue('--fur'), o: style.getPropertyValue('--eye'), w: style.getPropertyValue('--paw') };
            c.clearRect(0, 0, ...size);
            const rows = (list, top, lift) => list.forEach((row, y) => [...row].forEach((dot, x) => {
              const colour = paint[blink && dot === 'o' ? '#' : dot];
              if (!colour) return;
              c.fillStyle = colour;
              c.fillRect(x, top + y + (y + top < 13 ? lift : 0), 1, 1);
            }));
            rows(tails[tail], 9, 0);
            rows(body, 2, breath ? 1 : 0);
            // What breathing in has opened above the paws stays closed.
            if (breath) { c.fillStyle = paint['#']; c.fillRect(2, 14, 3, 1); c.fillRect(5, 14, 1, 1) }
            if (spark < 0) return;
            c.fillStyle = paint.o;
            const r = spark < 3 ? spark % 3 : 6 - spark;
            c.fillRect(15, 3 - r, 1, 2 * r + 1);
            c.fillRect(15 - r, 3, 2 * r + 1, 1);
          }
        }

        """##
}
