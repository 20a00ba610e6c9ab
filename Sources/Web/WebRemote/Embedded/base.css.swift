// Written by deploy/embed from Sources/Web/WebRemote/page/base.css; edit that file.
extension WebRemote {
    static let baseCSS: StaticString = ##"""
        /* What every shape and every theme shares: tokens, frames, and the parts as they are wherever they stand. Sizes and
           colours are variables, so that a face changes numbers and a theme changes colours, and neither the parts. */
        :root {
          --hit: 48px; --bar: 36px; --title: 17px; --text: 13px; --small: 12px; --edge: 6px; --gap: 8px;
          --ring: 64px; --button: 54px; --stroke: 3px; --icon: 26px; --side: 48px; --sideicon: 24px;
          --row: 56px; --bevel: 8px;
          --face: system-ui, sans-serif; --digits: system-ui, sans-serif;
          --cut: polygon(var(--bevel) 0, calc(100% - var(--bevel)) 0, 100% var(--bevel), 100% calc(100% - var(--bevel)), calc(100% - var(--bevel)) 100%, var(--bevel) 100%, 0 calc(100% - var(--bevel)), 0 var(--bevel));
        }
        * { box-sizing: border-box; margin: 0 }
        html, body { height: 100%; overflow: hidden; background: var(--ground); touch-action: manipulation }
        body { font: var(--text)/1.25 var(--face); color: var(--ink); -webkit-user-select: none; user-select: none; -webkit-tap-highlight-color: transparent }
        button, input { font: inherit; color: inherit }
        button { border: 0; padding: 0; background: none; display: grid; place-items: center; cursor: pointer; position: relative; touch-action: manipulation }
        button:disabled { opacity: .35; cursor: default }
        svg { fill: currentColor; display: block }
        #icons { display: none }
        [hidden] { display: none !important }
        ul, ol { list-style: none; padding: 0 }
        :focus { outline: none }
        :focus-visible { outline: 2px solid var(--focus); outline-offset: -3px }
        button:active:not(:disabled) > svg, button:active > #disc { transform: scale(.9) }

        /* A frame: a stroke cut to the theme's shape, and the fill on it. The element itself is not cut, so focus can be seen. */
        :where(#volume, .small, .card, .person, .swatch, .switch, .line, #say, dialog, #panel, #extras button, #transport > button, #disc) { position: relative; isolation: isolate }
        :where(#volume, .small, .card, .person, .swatch, .switch, .line, #say, dialog, #panel, #extras button, #transport > button, #disc)::before,
        :where(#volume, .small, .card, .person, .swatch, .switch, .line, #say, dialog, #panel, #extras button, #transport > button, #disc)::after {
          content: ""; position: absolute; inset: var(--draw, 0px); z-index: -2; clip-path: var(--cut); background: var(--rim); pointer-events: none;
        }
        :where(#volume, .small, .card, .person, .swatch, .switch, .line, #say, dialog, #panel, #extras button, #transport > button, #disc)::after { inset: calc(var(--draw, 0px) + var(--hair)); z-index: -1; background: var(--fill) }

        main { height: 100dvh; position: relative }
        p, h1, h2, b, small, span { overflow-wrap: anywhere }
        #roomname, #where, #title, #artist, #coming, .texts b, .texts small { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; min-width: 0 }
        #title, #artist, #coming, #where { unicode-bidi: plaintext }
        #title { font: 650 var(--title)/1.2 var(--face) }
        #artist { color: var(--soft) }
        #where, #coming, #time { font-size: var(--small); color: var(--soft) }
        #time, #level, .place, .length { font-variant-numeric: tabular-nums }
        #what { position: relative; min-width: 0; text-align: center }
        #open { position: absolute; inset: 0; z-index: 1; width: 100% }

        /* The dial: on a wrist the ring is the position, elsewhere the line is. */
        #dial { position: relative; width: var(--ring); height: var(--ring); flex: none }
        #play { width: 100%; height: 100% }
        #play { place-items: center }
        #disc { width: var(--button); height: var(--button); display: grid; place-items: center; color: var(--onaccent) }
        #disc::before { background: var(--accentrim) }
        #disc::after { background: var(--accent) }
        #disc svg { width: var(--icon); height: var(--icon) }
        #stand, .playing #go { display: none }
        .playing #stand { display: block }
        #ring {
          position: absolute; inset: 0; border-radius: 50%; pointer-events: none; --part: 0;
          background: conic-gradient(var(--lit) calc(var(--part) * 1turn), var(--track) 0);
          mask: radial-gradient(closest-side, transparent calc(100% - var(--stroke) - .5px), #000 calc(100% - var(--stroke)));
        }
        .late #ring, .buffering #ring { animation: waiting 1.2s steps(8) infinite }
        .late #disc::before, .buffering #disc::before { inset: -4px; background: var(--lit) }
        @keyframes waiting { 50% { opacity: .35 } }

        #transport { display: flex; align-items: center; justify-content: center }
        #transport > button { width: var(--side); height: var(--side); flex: none; color: var(--ink) }
        #transport > button svg { width: var(--sideicon); height: var(--sideicon) }
        #back b, #fwd b { position: absolute; bottom: 6px; font: 700 11px/1 var(--digits) }
        #back svg, #fwd svg { margin-bottom: 6px }
        #extras { display: flex; justify-content: center }
        #extras button { width: var(--hit); height: var(--hit); color: var(--ink) }
        #extras svg { width: 22px; height: 22px }

        /* The volume row: 36 high as drawn, 48 to the finger, dark in every theme, its number always there. */
        #volume { display: grid; grid-template-columns: var(--hit) 1fr var(--hit); gap: var(--gap); height: var(--hit); align-items: stretch; color: var(--barink) }
        #volume::before { inset: calc((var(--hit) - var(--bar)) / 2) 0 }
        #volume::after { inset: calc((var(--hit) - var(--bar)) / 2 + var(--hair)) var(--hair); background: var(--barfill) }
        #volume svg { width: 18px; height: 18px }
        #turn { position: relative; display: grid; place-items: center; touch-action: none; cursor: ew-resize; --level: 0; min-width: 0 }
        #fill { position: absolute; inset: calc((var(--hit) - var(--bar)) / 2 + 5px) 0; background: var(--barlit); transform-origin: 0 50%; transform: scaleX(var(--level)); opacity: .38 }
        #level { position: relative; font: 650 17px/1 var(--digits) }
        .muted #level { text-decoration: line-through; opacity: .75 }

        /* 4 high as drawn, 44 to the finger: it reaches over texts that nobody presses. */
        #seek { position: relative; container-type: inline-size; height: 44px; margin: -12px 0 -10px; touch-action: none; cursor: pointer; --part: 0 }
        #seek::before { content: ""; position: absolute; inset: 20px 0; background: var(--track) }
        #line { position: absolute; inset: 20px 0; background: var(--lit); transform-origin: 0 50%; transform: scaleX(var(--part)); will-change: transform }
        #seek::after { content: ""; position: absolute; top: 16px; width: 12px; height: 12px; left: -6px; transform: translateX(calc(var(--part) * 100cqw)); will-change: transform; background: var(--lit); clip-path: var(--knob) }
        #time { display: flex; justify-content: space-between }
        .endless #seek, .empty #seek { visibility: hidden }

        /* One sentence, over the lower edge of what is playing; a tap shows all of it. */
        #saying { pointer-events: none; z-index: 5; display: grid; justify-items: center; align-items: end; min-width: 0 }
        #say { pointer-events: auto; max-width: 100%; min-height: 28px; padding: 4px 12px; font-size: var(--small); --fill: var(--note); --rim: var(--noterim); color: var(--noteink) }
        #sentence { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; text-align: center }
        #say.open #sentence { -webkit-line-clamp: 9 }
        .stale #what, .stale #hero, .stale #progress, .stale #level { opacity: .55; filter: grayscale(.8) }

        /* Tabs and what they show. */
        #tabs { display: flex; justify-content: center }
        #tabs button { flex: 1; max-width: 120px; height: 100%; min-height: var(--hit); align-content: center; gap: 2px; font-size: 11px; color: var(--soft) }
        #tabs svg { width: 20px; height: 20px }
        #tabs [aria-selected=true] { color: var(--ink) }
        #tabs [aria-selected=true]::after { content: ""; position: absolute; inset: auto 22% 0; height: 3px; background: var(--lit) }
        /* What is in the panel scrolls, and the frame stays. */
        #panel { min-height: 0; min-width: 0; overflow: hidden; padding: 10px; display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr) }
        #panel > * { overflow: hidden auto; min-height: 0; align-content: start; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--rim) transparent }
        #panel > .queue { overflow: hidden }
        .small { min-height: 44px; padding: 8px 16px; font-weight: 600; --fill: var(--raised) }
        .cards { display: grid; gap: 8px }
        .card { display: flex; align-items: center; gap: 8px; padding-right: 8px }
        .card .main { flex: 1; min-width: 0; min-height: 56px; padding: 8px 12px; justify-items: start; text-align: start; gap: 1px }
        .card small, .state, .person small, .note, .count { color: var(--soft); font-size: var(--small) }
        .card b { font-size: 15px }
        .here { --rim: var(--lit) }
        .person { display: grid; grid-template-columns: 28px 1fr auto; align-items: center; gap: 2px 8px; padding: 10px 12px }
        .person svg { width: 20px; height: 20px; grid-row: span 2 }
        .person small { grid-column: 2 / -1 }
        .note { padding: 8px 12px }

        .queue { display: grid; grid-template-rows: auto 1fr; min-height: 0; gap: 4px }
        .head { display: flex; align-items: center; justify-content: space-between; min-height: 28px; padding: 0 4px }
        .head .small { min-height: 44px; padding: 4px 12px }
        .scroller { container-type: inline-size; overflow: hidden auto; min-height: 0; overscroll-behavior: contain; scrollbar-width: thin; scrollbar-color: var(--rim) transparent }
        .rows { position: relative }
        .rows li { position: absolute; inset: 0 0 auto; height: var(--row); display: grid; grid-template-columns: minmax(0, 1fr) 44px 44px; border-bottom: 1px solid var(--hairline); background: var(--ground2) }
        .rows .row { display: grid; grid-template-columns: 32px minmax(0, 1fr) auto; gap: 8px; justify-items: start; text-align: start; padding: 0 4px; width: 100%; min-width: 0 }
        .place { justify-self: center; color: var(--soft); font-size: var(--small) }
        .texts { display: grid; width: 100%; min-width: 0 }
        .texts b { font-weight: 600; font-size: 15px; display: block; unicode-bidi: plaintext; text-align: start }
        .texts small { color: var(--soft); font-size: var(--small); display: block; unicode-bidi: plaintext }
        .length { color: var(--soft); font-size: var(--small) }
        [aria-current=true] .texts b, [aria-current=true] .place { color: var(--hot) }
        @container (max-width: 300px) { .length { display: none } .rows .row { grid-template-columns: 22px minmax(0, 1fr) } }
        .tool { color: var(--soft); height: 100% }
        .tool svg { width: 18px; height: 18px }
        .grip { touch-action: none; cursor: grab }
        .lifted { z-index: 3; box-shadow: 0 4px 16px #0006; outline: 2px solid var(--lit); outline-offset: -2px }

        .more { display: grid; gap: 8px; padding: 2px }
        .more h2 { font: 650 var(--small)/1 var(--face); color: var(--soft); margin-top: 8px }
        .swatches { display: grid; grid-template-columns: repeat(4, 1fr); gap: 8px }
        .swatch { color: var(--ink); min-height: 64px; gap: 4px; font-size: var(--small); align-content: center }
        .swatch i { width: 28px; height: 20px; background: linear-gradient(100deg, var(--sw1) 50%, var(--sw2) 0) }
        .swatch[aria-pressed=true] { --rim: var(--lit); --hair: 3px; font-weight: 700 }
        [data-theme=aura].swatch { --sw1: #e0d8f5; --sw2: #d9b65c } [data-theme=pixel].swatch { --sw1: #2a1b11; --sw2: #ff8c2e }
        [data-theme=cat].swatch { --sw1: #12160d; --sw2: #b7f542 } [data-theme=plain].swatch { --sw1: #000; --sw2: #fff }
        .switch, .line { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 48px; padding: 0 12px; width: 100% }
        .line select, .device select { height: 44px; max-width: 60%; border: 0; background: var(--fill); color: var(--ink); font: inherit; text-align: end }
        .line input[type=number] { width: 5em; flex: none }
        .more .pair { grid-template-columns: minmax(0, 1fr) auto }
        .folders .pair { grid-template-columns: minmax(0, 1fr) }
        .more .pair .small { padding: 8px 14px }
        .device { display: grid; grid-template-columns: minmax(0, 1fr) auto; padding: 4px 12px 8px; gap: 0 8px }
        .device input { height: 44px; min-width: 0; padding: 0 4px; margin-left: -4px; border: 0; background: none; font-weight: 650; user-select: text; -webkit-user-select: text }
        .sure { --rim: var(--lit); --hair: 3px }
        #code { font: 700 34px/1.2 var(--digits); letter-spacing: .06em; text-align: center; font-variant-numeric: tabular-nums; user-select: text; -webkit-user-select: text }
        #code:empty { display: none }
        .line input { flex: 1; min-width: 0; height: 44px; border: 0; background: none; text-align: end; user-select: text; -webkit-user-select: text }
        .switch i { width: 40px; height: 20px; background: var(--track); position: relative }
        .switch i::after { content: ""; position: absolute; inset: 2px auto 2px 2px; width: 16px; background: var(--ink) }
        .switch[aria-checked=true] i { background: var(--lit) }
        .switch[aria-checked=true] i::after { inset: 2px 2px 2px auto }
        .facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 12px; font-size: var(--small) }
        .facts dt { color: var(--soft) }
        .facts dd { white-space: pre-line; overflow-wrap: anywhere; user-select: text; -webkit-user-select: text; font-variant-numeric: tabular-nums }
        .unseen { position: fixed; opacity: 0; pointer-events: none }
        dialog { border: 0; background: none; color: inherit; margin: auto; padding: 16px; max-width: min(100vw, 420px); max-height: 100dvh; width: calc(100vw - 16px); overflow: hidden auto; text-align: center }
        dialog:not([open]) { display: none }
        dialog::backdrop { background: var(--ground); opacity: .86 }
        dialog .small { width: 100%; margin-top: 8px; white-space: nowrap }
        dialog .card { text-align: start }
        dialog .card .small { width: auto; margin: 0 }
        /* A watch that nobody touches: black, outlines, nothing moves. */
        :root.ambient { --ground: #000; --ink: #fff; --soft: #b8b8b8; --barfill: #000; --barink: #fff; --fill: #000; --accent: #000; --onaccent: #fff; --accentrim: #fff; --rim: #777; --track: #333; --lit: #fff }
        :root.ambient body { background: #000 !important }
        :root.ambient #volume::before { background: #777 }
        :root.ambient #fill { opacity: 0 }
        @media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important } }

        """##
}
