// The keys of the whole page. Parts with keys of their own keep theirs from getting here. What each does is loaded with
// the first of them (keyacts.js).

import { lazy } from '../gestures/firsttouch.js';

const pageKeys = /^([ mslr/?1-4]|Arrow(Up|Down|Left|Right))$/i;
/** Keys for sound alone, which keyboards and remote controls have; they work wherever the browser passes them on. */
const soundKeys = /^(AudioVolume(Up|Down|Mute)|Media(PlayPause|Track(Next|Previous)))$/;
/** With controls on the lock screen, the keys of players come by those. */
const isSound = ({ key }) => soundKeys.test(key) && !(key.startsWith('Media') && navigator.mediaSession?.metadata);
const isTyped = event => event.ctrlKey || event.metaKey || event.altKey
  || event.target.closest('input, select, textarea, dialog');
const isPress = event => event.key === ' ' && event.target.closest('button, a');

/** `page` is that of remote.js. The result loads what the keys do. */
export function listenToKeys(page, tabs) {
  const use = lazy(() => import('./keyacts.js'), page.told.say);
  addEventListener('keydown', event => {
    if (!isSound(event) && (isTyped(event) || isPress(event) || !pageKeys.test(event.key))) return;
    event.preventDefault();
    use(acts => acts.press(page, event, tabs));
  });
  return use;
}
