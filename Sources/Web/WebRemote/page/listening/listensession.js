// The controls of this device's lock screen and headset while the room plays here: what plays, the room as its artist,
// and buttons as far as the role of this device goes. One that may not steer the room is muted by its pause button.

import { seek, seekBy } from '../../../../../examples/browser/client/baton-verbs.js';
import { lacks, needOf } from '../shell/roles.js';
import { turn } from '../shell/state.js';
import { t } from '../shell/translate.js';

export class ListenSession {
  #hub; #audio; #told = '';
  constructor(hub, audio) {
    [this.#hub, this.#audio] = [hub, audio];
    hub.on('change', () => { if (audio.on) this.draw() });
  }
  get #may() { return !lacks(this.#hub.role, needOf('toggle')) }
  begin() {
    // The switch of the settings leaves the controls to this meanwhile.
    turn('listening', true);
    this.#told = '';
    this.draw();
  }
  end() {
    turn('listening', false);
    const { mediaSession: session } = navigator;
    if (!session) return;
    for (const name of Object.keys(this.#acts())) handle(name, null);
    session.metadata = null;
    session.playbackState = 'none';
    session.setPositionState?.();
  }
  #acts() {
    const hub = this.#hub, audio = this.#audio, may = this.#may, steer = act => may ? act : null;
    const mute = isMuted => () => { audio.isMuted = isMuted; audio.loudness(); audio.onStep(); this.draw() };
    return {
      play: may ? () => { mute(false)(); if (!hub.isPlaying) hub.toggle() } : mute(false),
      pause: may ? () => { if (hub.isPlaying) hub.toggle() } : mute(true),
      stop: () => audio.stop(),
      nexttrack: steer(() => hub.skip('next')), previoustrack: steer(() => hub.skip('prev')),
      seekbackward: steer(({ seekOffset }) => seekBy(hub, seekOffset ? -seekOffset * 1000 : -hub.view().steps[0])),
      seekforward: steer(({ seekOffset }) => seekBy(hub, seekOffset ? seekOffset * 1000 : hub.view().steps[1])),
      seekto: steer(event => seek(hub, event.seekTime * 1000)),
    };
  }
  draw() {
    const session = navigator.mediaSession, hub = this.#hub, view = hub.view();
    if (!session) return;
    const on = hub.isPlaying && !(this.#audio.isMuted && !this.#may), at = hub.position(view);
    const told = JSON.stringify([view.entry, view.title, view.roomName, on, view.line, view.art?.id, hub.role]);
    if (told === this.#told) return;
    this.#told = told;
    for (const [name, act] of Object.entries(this.#acts())) handle(name, act);
    session.metadata = new MediaMetadata({ title: view.title ?? t('play.nothing'), artist: view.roomName ?? '',
      album: view.artist ?? '', artwork: view.art ? [96, 256, 512].map(side =>
        ({ src: `/art/${encodeURIComponent(view.art.id)}?w=${side}&h=${side}`, sizes: `${side}x${side}` })) : [] });
    session.playbackState = on ? 'playing' : 'paused';
    this.#audio.awake(on);
    try {
      const duration = (view.durationMs ?? 0) / 1000;
      session.setPositionState(duration && at !== null
        ? { duration, position: Math.min(at / 1000, duration), playbackRate: (view.speed ?? 1000) / 1000 } : undefined);
    } catch { /* A device that shows no position. */ }
  }
}

function handle(name, act) {
  try { navigator.mediaSession.setActionHandler(name, act) } catch { /* Not on this device. */ }
}
