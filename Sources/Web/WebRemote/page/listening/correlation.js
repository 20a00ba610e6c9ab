// How much later than expected a known sound lies in a recording, and whether that is certain.

const waves = new Map();
/** A turn of the circle in `n` steps. */
function wave(n) {
  if (!waves.has(n)) waves.set(n, { cos: Float64Array.from({ length: n / 2 }, (_, k) => Math.cos(2 * Math.PI * k / n)),
    sin: Float64Array.from({ length: n / 2 }, (_, k) => Math.sin(2 * Math.PI * k / n)) });
  return waves.get(n);
}

/** The Fourier transform in place, of a power of two of numbers; `sign` 1 is the inverse, without its factor. */
export function transform(re, im, sign = -1) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  const { cos, sin } = wave(n);
  for (let size = 2; size <= n; size *= 2) {
    const half = size / 2, step = n / size;
    for (let begin = 0; begin < n; begin += size) {
      for (let k = 0; k < half; k++) {
        const a = begin + k, b = a + half, c = cos[k * step], s = sign * sin[k * step];
        const [x, y] = [re[b] * c - im[b] * s, re[b] * s + im[b] * c];
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
      }
    }
  }
}

/**
 * How well a sound fits into a recording at each place, from its beginning on. Every frequency that both have counts
 * alike, so that the colour of a room and of its speaker, and a loud bass, change nothing.
 */
export function fit(recording, sound) {
  let n = 1;
  while (n < recording.length + sound.length) n *= 2;
  // Both are real, so one transform has the two: the recording as its real and the sound as its imaginary part.
  const re = new Float64Array(n), im = new Float64Array(n);
  re.set(recording);
  im.set(sound);
  transform(re, im);
  const x = new Float64Array(n), y = new Float64Array(n), sizes = new Float64Array(n);
  let sum = 0;
  for (let k = 0; k < n; k++) {
    const m = (n - k) & (n - 1);
    const [ar, ai] = [(re[k] + re[m]) / 2, (im[k] - im[m]) / 2];
    const [br, bi] = [(im[k] + im[m]) / 2, (re[m] - re[k]) / 2];
    x[k] = ar * br + ai * bi;
    y[k] = ai * br - ar * bi;
    sum += sizes[k] = Math.hypot(x[k], y[k]);
  }
  // Frequencies with hardly anything of either are noise.
  const floor = 0.05 * sum / n;
  for (let k = 0; k < n; k++) {
    x[k] /= sizes[k] + floor;
    y[k] /= sizes[k] + floor;
  }
  transform(x, y, 1);
  return x.subarray(0, recording.length);
}

/** The greatest value, and the greatest that is farther away from it than `apart`. */
export function peak(values, apart) {
  let best = 0, rival = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > values[best]) best = i;
  for (let i = 0; i < values.length; i++) if (Math.abs(i - best) > apart) rival = Math.max(rival, values[i]);
  return { at: best, value: values[best], rival };
}

/** About the middle one of several places, if at least three of them, and six in ten, are within `near` of it. */
export function agreed(places, near) {
  const middle = [...places].sort((one, other) => one - other)[places.length >> 1];
  const like = places.filter(place => Math.abs(place - middle) <= near);
  return like.length < Math.max(3, 0.6 * places.length) ? null
    : like.reduce((sum, place) => sum + place, 0) / like.length;
}
