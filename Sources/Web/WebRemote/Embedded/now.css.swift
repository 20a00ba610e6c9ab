// Written by deploy/embed from Sources/Web/WebRemote/page/now.css; edit that file.
extension WebRemote {
    static let nowCSS: StaticString = ##"""
        /* The card at /now: what plays, for a corner of another page. It has no button, so that nobody can be tricked into one. */
        * { box-sizing: border-box; margin: 0 }
        html, body { height: 100%; background: transparent }
        body { font: clamp(12px, 7vh, 20px)/1.25 var(--face, system-ui, sans-serif); color: var(--ink) }
        a {
          display: grid; grid-template: auto auto auto 4px / clamp(40px, min(64vh, 30vw), 200px) minmax(0, 1fr); align-content: center; gap: 2px 12px; height: 100%; padding: 12px 16px;
          color: inherit; text-decoration: none; background: var(--ground2); border: 1px solid var(--rim);
        }
        a:focus-visible { outline: 3px solid var(--focus); outline-offset: -4px }
        /* The box is there before the picture, and the light of the room stands on its corner. */
        #cover { position: relative; grid-row: 1 / span 3; aspect-ratio: 1; width: 100%; align-self: center; display: grid; place-items: center; background: var(--track); color: var(--soft) }
        #cover svg { width: 50%; fill: currentColor; opacity: .7 }
        #art, #art img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover }
        #light { position: absolute; right: -5px; bottom: -5px; width: 14px; height: 14px; border-radius: 50%; background: var(--light); box-shadow: 0 0 0 1px var(--edgeline) }
        #where, #artist { color: var(--soft); font-size: .8em }
        #where, #title, #artist { grid-column: 2; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; unicode-bidi: plaintext }
        #title { font-size: 1.25em }
        #line { grid-column: 1 / -1; height: 4px; background: linear-gradient(var(--lit), var(--lit)) no-repeat 0 0 / calc(var(--part, 0) * 100%) 100% var(--track) }
        .stale a { opacity: .6 }

        """##
}
