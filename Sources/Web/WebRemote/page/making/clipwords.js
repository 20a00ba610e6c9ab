// How a cell of a session is said.

import { t } from '../shell/translate.js';

export const layers = ['rhythm', 'bass', 'harmony', 'lead', 'textures', 'vocals'];
const over = ['failed', 'cancelled'];

/** The state of a cell for its looks, and in words. */
export function stateOf(clip, percent) {
  if (!clip) return { st: 'empty', words: '' };
  const bars = t('clips.bars', { n: clip.bars });
  if (over.includes(clip.st)) return { st: 'failed', words: [bars, t('job.failed')].join(', ') };
  if (clip.st !== 'ready') {
    const state = t('job.running');
    return { st: 'making', words: [bars, percent ? t('job.percent', { state, n: percent }) : state].join(', ') };
  }
  return clip.off ? { st: 'off', words: [bars, t('clips.off')].join(', ') }
    : { st: clip.heard ? 'heard' : 'ready', words: [bars, t('job.ready')].join(', ') };
}
