// What a microphone hears, as the samples of the audio context and the second of its first one. It runs in the
// context's own thread and keeps nothing.

const piece = 4096;

class Microphone extends AudioWorkletProcessor {
  #samples = new Float32Array(piece);
  #count = 0;
  process([[channel]]) {
    if (!channel) return true;
    this.#samples.set(channel, this.#count);
    this.#count += channel.length;
    if (this.#count >= piece) {
      const second = (currentFrame + channel.length - this.#count) / sampleRate;
      this.port.postMessage({ second, samples: this.#samples });
      this.#samples = new Float32Array(piece);
      this.#count = 0;
    }
    return true;
  }
}
registerProcessor('microphone', Microphone);
