/// How the page looks, from the smallest face upwards: its one style element.
///
/// One screen that never scrolls. Sizes are variables, so that a face changes numbers and never the arrangement;
/// only a round face arranges its rows anew, where the circle is wide enough for each.
extension Page {
    static let looks: StaticString = #"""
        :root {
          color-scheme: dark;
          --ring: 64px; --button: 54px; --stroke: 3px; --icon: 26px; --side: 48px; --bar: 36px; --hit: 48px;
          --title: 17px; --text: 13px; --small: 12px; --edge: 6px;
          --ground: #0b0a0e; --ink: #f6f2ea; --dim: #bdb6a9; --track: #35313c; --lit: #f4b65f; --fill: #1d1a22;
        }
        @media (max-width: 183px) { :root { --ring: 48px; --button: 42px; --icon: 22px; --title: 16px; --text: 12px; --edge: 3px } }
        @media (min-width: 225px) and (min-height: 225px) {
          :root { --ring: 80px; --button: 70px; --stroke: 4px; --icon: 32px; --title: 18px; --text: 14px; --edge: 8px }
        }
        @media (min-width: 320px) and (min-height: 400px) {
          :root {
            --ring: clamp(120px, 32vmin, 300px); --button: calc(var(--ring) * .87); --stroke: max(5px, 1vmin);
            --icon: calc(var(--ring) * .38); --side: calc(var(--ring) * .52); --bar: clamp(44px, 8vmin, 72px); --hit: calc(var(--bar) + 12px);
            --title: clamp(24px, 6.4vmin, 72px); --text: clamp(16px, 3.6vmin, 40px); --small: clamp(14px, 2.6vmin, 28px);
            --edge: 4vmin; --inset: 4vmin;
          }
        }
        * { box-sizing: border-box; margin: 0 }
        html, body { height: 100%; overflow: hidden; background: var(--ground); touch-action: manipulation }
        body { font: var(--text)/1.25 system-ui, sans-serif; color: var(--ink); user-select: none; -webkit-user-select: none }
        main {
          height: 100dvh; display: grid; grid-template: 1fr auto auto / 100%; justify-items: center;
          background: radial-gradient(circle at 50% 62%, #2a2130 0, transparent 60%);
        }
        #what { width: 100%; max-width: 64rem; padding: 2px var(--edge) 0; display: grid; align-content: center; text-align: center; min-height: 0 }
        #what > * { min-width: 0 }
        #room, #artist { overflow: hidden; white-space: nowrap; text-overflow: ellipsis }
        #room, #time { font-size: var(--small); color: var(--dim) }
        h1, #sentence { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere }
        h1 { font-size: var(--title); line-height: 1.25; font-weight: 600 }
        #sub { position: relative; height: calc(var(--text) * 1.25 + var(--small) * 1.25 + 1px) }
        #time, #level { font-variant-numeric: tabular-nums }
        button {
          font: inherit; color: inherit; background: none; border: 0; padding: 0; display: grid; place-items: center;
          cursor: pointer; touch-action: manipulation; -webkit-tap-highlight-color: transparent; outline: 0 solid var(--lit);
        }
        button:focus-visible { outline-width: 2px; outline-offset: -2px; border-radius: 8px }
        svg { fill: currentColor; pointer-events: none; display: block }
        #say { position: absolute; inset: 0; width: 100%; color: var(--lit); font-size: var(--small); overflow: hidden }
        .saying #artist, .saying #time { visibility: hidden }
        #say[hidden] { display: none }
        #say.open { position: fixed; z-index: 1; padding: 12px; font-size: var(--text); background: var(--ground) }
        #say.open span { display: block; max-height: 100%; overflow: auto }
        #transport { display: flex; align-items: center; justify-content: center; gap: clamp(0px, (100vw - 184px) * .12, 40px) }
        #prev, #next { width: max(48px, var(--side)); height: max(48px, var(--side)) }
        #prev svg, #next svg { width: calc(var(--icon) * .85); height: calc(var(--icon) * .85) }
        #dial { position: relative }
        #play { width: var(--ring); height: var(--ring) }
        #play:focus-visible { border-radius: 50% }
        #ring {
          position: absolute; inset: 0; border-radius: 50%; pointer-events: none;
          background: conic-gradient(var(--lit) calc(var(--part, 0) * 1turn), var(--track) 0);
          mask: radial-gradient(closest-side, transparent calc(100% - var(--stroke) - 1px), #000 calc(100% - var(--stroke)));
        }
        #disc { width: var(--button); height: var(--button); border-radius: 50%; background: var(--ink); color: var(--ground); display: grid; place-items: center }
        #disc svg { width: var(--icon); height: var(--icon) }
        #stand, .playing #go { display: none }
        .playing #stand { display: block }
        #prev:active, #next:active, #disc:active, #play:active #disc { transform: scale(.92); opacity: .85 }
        .late #ring, .waiting #ring { animation: breathe 1.2s ease-in-out infinite alternate }
        @keyframes breathe { to { opacity: .35 } }
        .stale :is(#room, h1, #artist, #time, #ring, #level) { filter: grayscale(1); opacity: .6 }
        #volume { position: relative; width: calc(100% - 2 * var(--inset, 0px)); max-width: 44rem; height: var(--hit); display: flex; gap: 8px; margin-bottom: env(safe-area-inset-bottom) }
        #volume::before { content: ""; position: absolute; inset: calc((var(--hit) - var(--bar)) / 2) 0; border-radius: 12px; background: var(--fill) }
        #volume button { position: relative; height: 100% }
        #less, #more { width: max(48px, var(--hit)) }
        #less:active, #more:active { color: var(--lit) }
        #less svg, #more svg { width: max(18px, var(--small)); height: max(18px, var(--small)) }
        #level { position: relative; flex: 1; align-self: center; text-align: center; font-size: max(16px, var(--text)); font-weight: 600 }
        .muted #level { color: var(--dim); text-decoration: line-through }
        @media (min-width: 320px) and (min-height: 400px) {
          main { padding-bottom: var(--edge) }
          #what { gap: 1.2vmin } #transport { margin-bottom: 4vmin }
        }
        @media (max-width: 183px) { h1 { -webkit-line-clamp: 1; word-break: break-all } }
        /* On a round face the rows stand where the circle is wide enough for them. */
        .round h1, .round #sentence { -webkit-line-clamp: 1 }
        .round h1, .round #say:not(.open) { word-break: break-all }
        .round main { padding: 0; background: none; grid-template: auto auto auto auto / auto; align-content: center; --side: 48px }
        .round #what { display: contents; text-align: center }
        .round #sub { order: -2; width: 46vmin; height: 16px; text-align: center }
        .round h1 { order: -1; width: 68vmin; text-align: center }
        .round #time { display: none }
        .round #say.open { padding: 16vmin }
        .round #transport { gap: 0 }
        .round #volume { width: 66vmin; gap: 0 }
        .round #less, .round #more { width: 44px }
        .round #room { order: 3; width: 36vmin; text-align: center }
        @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } }

        """#
}
