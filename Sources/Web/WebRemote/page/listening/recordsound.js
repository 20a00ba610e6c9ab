// Records the microphone for some seconds, into memory alone: it is compared on this device and then forgotten.

/** As it hears, without what makes speech clearer and moves everything else. */
const asItIs = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** Whether this browser gives a microphone to this page at all: only by https, and to the machine itself. */
export const canRecord = () =>
  isSecureContext && !!navigator.mediaDevices?.getUserMedia && 'AudioWorklet' in globalThis;

/** `begun` is called with the second of the first sample. Throws what the browser throws where it does not allow it. */
export async function record(context, seconds, begun) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: asItIs });
  try {
    await context.audioWorklet.addModule(new URL('./microphone.js', import.meta.url));
    const source = context.createMediaStreamSource(stream), ear = new AudioWorkletNode(context, 'microphone',
      { numberOfOutputs: 0, channelCount: 1, channelCountMode: 'explicit' });
    const found = new Float32Array(Math.ceil(seconds * context.sampleRate));
    let first = null, end = 0;
    await new Promise((done, failed) => {
      const timer = setTimeout(() => failed(new DOMException('No samples came.', 'NotReadableError')),
        seconds * 1000 + 5000);
      ear.port.onmessage = ({ data: { second, samples } }) => {
        if (first === null) begun(first = second);
        const at = Math.round((second - first) * context.sampleRate);
        found.set(samples.subarray(0, Math.max(0, found.length - at)), Math.min(at, found.length));
        end = at + samples.length;
        if (end >= found.length) { clearTimeout(timer); done() }
      };
      source.connect(ear);
    });
    source.disconnect();
    ear.port.onmessage = null;
    return { first, samples: found };
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
