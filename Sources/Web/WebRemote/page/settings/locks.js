// Two permissions that a browser grants after a tap: controls on the lock screen, and a screen that stays on.

import { seek, seekBy } from '../../../../../examples/browser/client/baton-verbs.js';
import { recall, remember } from '../parts/parts.js';
import { is } from '../shell/state.js';
import { t } from '../shell/translate.js';

/** Ten seconds of silence, looped: a page gets lock-screen controls only while it plays a sound. */
export function silence() {
  const rate = 8000, count = rate * 10, bytes = new DataView(new ArrayBuffer(44 + count));
  const text = (at, word) => [...word].forEach((letter, index) => bytes.setUint8(at + index, letter.charCodeAt(0)));
  text(0, 'RIFF'); bytes.setUint32(4, 36 + count, true); text(8, 'WAVEfmt ');
  bytes.setUint32(16, 16, true); bytes.setUint16(20, 1, true); bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true); bytes.setUint32(28, rate, true); bytes.setUint16(32, 1, true);
    bytes.setUint16(34, 8, true);
  text(36, 'data'); bytes.setUint32(40, count, true);
  new Uint8Array(bytes.buffer, 44).fill(128);
  return URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }));
}

/** Shows the room's music on this device's lock screen. Switched on and off by a tap. */
export class LockScreen {
  static get possible() { return 'mediaSession' in navigator }
  #hub; #sound = null; #told = '';
  constructor(hub) { this.#hub = hub }
  get on() { return !!this.#sound }
  async start() {
    this.#sound = new Audio(silence());
    this.#sound.loop = true;
    this.#told = '';
    // Browsers allow playing only during a tap, so it begins here, whatever the room does.
    try { await this.#sound.play() } catch { this.stop(); return false }
    this.draw(this.#hub.view());
    return true;
  }
  #handle() {
    const hub = this.#hub, session = navigator.mediaSession;
    const acts = {
      play: () => { if (!hub.isPlaying) hub.toggle(); this.#sound?.play().catch(() => { }) },
      pause: () => { if (hub.isPlaying) hub.toggle() },
      nexttrack: () => hub.skip('next'), previoustrack: () => hub.skip('prev'),
      seekbackward: ({ seekOffset }) => seekBy(hub, seekOffset ? -seekOffset * 1000 : -hub.view().steps[0]),
      seekforward: ({ seekOffset }) => seekBy(hub, seekOffset ? seekOffset * 1000 : hub.view().steps[1]),
      seekto: event => seek(hub, event.seekTime * 1000),
    };
    for (const [name, act] of Object.entries(acts)) {
      try { session.setActionHandler(name, act) } catch { /* Not on this device. */ }
    }
  }
  stop() {
    if (!this.#sound) return;
    this.#sound.pause();
    URL.revokeObjectURL(this.#sound.src);
    this.#sound = null;
    navigator.mediaSession.metadata = null;
    navigator.mediaSession.playbackState = 'none';
  }
  draw(view) {
    if (!this.#sound) return;
    // While this device plays the room or by itself, the controls are those of its sound.
    if (is('listening') || is('alone')) { this.#told = ''; return }
    if (!this.#told) this.#handle();
    const session = navigator.mediaSession, on = this.#hub.isPlaying, at = this.#hub.position(view);
    const told = JSON.stringify([view.entry, view.title, view.artist, view.roomName, on, view.line, view.art?.id]);
    if (told === this.#told) return;
    this.#told = told;
    session.metadata = new MediaMetadata({
      title: view.title ?? t('play.nothing'), artist: view.artist || view.roomName || '',
        album: view.album ?? view.roomName ?? '',
      artwork: view.art ? [96, 256, 512].map(side =>
        ({ src: `/art/${encodeURIComponent(view.art.id)}?w=${side}&h=${side}`, sizes: `${side}x${side}` })) : [],
    });
    session.playbackState = on ? 'playing' : 'paused';
    if (on) this.#sound.play().catch(() => { }); else this.#sound.pause();
    try {
      const duration = (view.durationMs ?? 0) / 1000;
      session.setPositionState(duration && at !== null
        ? { duration, position: Math.min(at / 1000, duration), playbackRate: (view.speed ?? 1000) / 1000 } : undefined);
    } catch { /* A device that shows no position. */ }
  }
}

/** Keeps the screen on while the page is visible: for mounted screens, and only while charging where that is known. */
export class WakeLock {
  static get possible() { return 'wakeLock' in navigator }
  #lock = null; #wanted;
  constructor(isWanted = recall('awake') === true) {
    this.#wanted = isWanted;
    document.addEventListener('visibilitychange', () => this.#take());
    navigator.getBattery?.().then(battery => {
      this.#battery = battery;
      battery.onchargingchange = () => this.#take();
      this.#take();
    }, () => { });
    this.#take();
  }
  #battery = null;
  get on() { return this.#wanted }
  get held() { return !!this.#lock }
  want(on) {
    this.#wanted = on;
    remember('awake', on);
    return this.#take();
  }
  /**
   * Wanted for as long as something is shown, such as the wall; nothing is remembered, and a screen that was told to go
   * dark goes dark.
   */
  hold(on) {
    this.#wanted = on && recall('awake') !== false;
    return this.#take();
  }
  /** One request after the other: two at once would acquire the lock twice and release it once. */
  #take() { return this.#taking = this.#taking.then(() => this.#follow()) }
  #taking = Promise.resolve();
  async #follow() {
    const may = this.#wanted && !document.hidden && this.#battery?.charging !== false;
    try {
      if (may && !this.#lock) {
        this.#lock = await navigator.wakeLock?.request('screen') ?? null;
        this.#lock?.addEventListener('release', () => this.#lock = null);
      } else if (!may) {
        await this.#lock?.release();
        this.#lock = null;
      }
    } catch { this.#lock = null }
  }
}
