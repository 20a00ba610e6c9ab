// Written by deploy/embed from Sources/Web/WebRemote/page/shapes.css; edit that file.
extension WebRemote {
    static let shapesCSS: StaticString = ##"""
        /* Three shapes of one thing: a watch, a phone, a wall. The same parts, laid out anew. */

        /* ---- Watch: one fixed screen. What is playing, three targets, the volume row; everything else behind the title. */
        @media (max-width: 299px) {
          main { display: grid; grid-template: minmax(0, 1fr) auto var(--hit) / 100%; justify-items: center; padding: 2px 0 3px }
          #top, #hero, #progress, #extras, #tabs, #panel, #back, #fwd, #coming { display: none !important }
          #what { grid-area: 1 / 1; width: 100%; padding: 0 var(--edge); display: grid; align-content: center; min-height: 48px }
          #saying { grid-area: 1 / 1; width: 100%; padding: 0 var(--edge) }
          #transport { width: 100%; justify-content: center; gap: clamp(0px, calc((100vw - 2 * var(--side) - var(--ring)) / 4), 24px); padding-bottom: 2px }
          #transport > button { --rim: transparent; --fill: transparent }
          #disc { --cut: circle(50%) }
          #volume { width: calc(100% - 2 * var(--edge)) }
          #turn { cursor: default; position: static }
          #fill { inset: calc((var(--hit) - var(--bar)) / 2 + 4px) 5px; pointer-events: none }
          #volume button { z-index: 1 }
          #level { font-size: 16px }
          .late #disc::before, .buffering #disc::before { inset: 0; background: var(--accentrim) }
          /* The sheet is the whole face, so it has no frame, and a room's button stands below its texts. */
          dialog { width: 100vw; height: 100dvh; padding: 6px var(--edge); background: var(--ground) }
          dialog::before, dialog::after { display: none }
          dialog .card { display: grid; padding: 0 0 6px }
          dialog .card:has(.small) .small { width: calc(100% - 16px); margin: 0 8px }
          .wrist { padding-bottom: 24px }
          .wrist h2 { font-size: 13px; margin: 8px 0 0; white-space: nowrap; overflow: hidden; text-overflow: ellipsis }
        }
        @media (max-width: 183px) {
          :root { --ring: 48px; --button: 42px; --stroke: 3px; --icon: 22px; --title: 16px; --text: 12px; --edge: 3px }
        }
        @media (min-width: 225px) and (max-width: 299px) and (min-height: 225px) {
          :root { --ring: 80px; --button: 70px; --stroke: 4px; --icon: 32px; --title: 18px; --text: 14px; --edge: 8px }
        }
        .pair { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 8px }
        .pair .small { padding: 8px 4px }
        .wrist .cards { margin-top: 8px }

        /* A round face: every box inside the inscribed circle, the artist above the title where the circle is narrower, and the
           room where it closes. */
        .round main { grid-template: minmax(0, 1fr) auto var(--hit) 15.500% / 100%; padding: 0 }
        .round #what { padding: 0; align-content: end; justify-items: center; min-height: 0; height: 100% }
        .round #artist { order: -1; max-width: 44%; font-size: 12px }
        .round #title { max-width: 70% }
        .round #where { position: fixed; bottom: 4.500%; left: 50%; max-width: 42%; transform: translateX(-50%) }
        .round #open { inset: auto 15% 0; width: 70%; height: 88% }
        .round #saying { padding: 0 15% }
        .round #transport { grid-row: 2; gap: 0; padding: 0 }
        .round #volume { grid-row: 3; width: 70% }
        .round dialog { padding: 14% 15% }

        /* ---- Phone: a deck that never moves. Where the orb is, a panel opens; the hands stay where they are. */
        @media (min-width: 300px) {
          :root {
            --title: clamp(20px, 3.400vh, 30px); --text: 15px; --edge: clamp(8px, 4vw, 24px);
            --ring: 72px; --button: 72px; --icon: 34px; --side: 52px; --sideicon: 26px;
          }
          #open, #where, #ring { display: none }
          main {
            display: grid; max-width: 640px; margin: auto; padding: 4px var(--edge) max(4px, env(safe-area-inset-bottom));
            grid-template: "top" 44px "stage" minmax(0, 1fr) "what" auto "progress" auto "transport" auto "extras" auto "volume" auto "tabs" auto / minmax(0, 1fr);
            row-gap: clamp(0px, 1.200vh, 12px);
          }
          #top { grid-area: top; display: flex; align-items: center; justify-content: space-between; gap: 8px; min-width: 0 }
          #room { display: flex; align-items: center; gap: 8px; height: 44px; min-width: 44px; font-weight: 650; padding: 0 8px 0 0 }
          #room svg { width: 18px; height: 18px; flex: none }
          #link { font-size: var(--small); color: var(--soft) }
          #hero { grid-area: stage; min-height: 0; display: grid }
          #panel { grid-area: stage }
          #saying { grid-area: stage; padding-bottom: 4px }
          #what { grid-area: what }
          #progress { grid-area: progress; position: relative }
          #transport { grid-area: transport; justify-content: space-between; max-width: 420px; width: 100%; justify-self: center }
          #extras { grid-area: extras; justify-content: space-between; max-width: 420px; width: 100%; justify-self: center; padding: 0 2px }
          #volume { grid-area: volume }
          #tabs { grid-area: tabs }
          [data-panel=playing] #panel { display: none }
          :root:not([data-panel=playing]) #hero { display: none }
          :root:not([data-panel=playing]) #coming { display: none }
          #title { display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; white-space: normal }
          :root:not([data-panel=playing]) #title { -webkit-line-clamp: 1; font-size: 17px }
        }
        /* A small phone: no header, the least of texts, and a panel takes the place of the hands. */
        @media (min-width: 300px) and (max-height: 499px) {
          :root { --ring: 52px; --button: 52px; --icon: 26px; --side: 48px; --sideicon: 22px; --title: 16px; --text: 13px; --row: 48px; --edge: 4px; --draw: 3px; --bevel: 6px }
          main { row-gap: 0; padding-top: 0; padding-bottom: 0; grid-template: "stage" minmax(0, 1fr) "transport" 52px "extras" 48px "volume" 48px "tabs" 48px / minmax(0, 1fr) }
          #top, #hero, #coming { display: none !important }
          #what { grid-area: stage; align-self: center; padding-bottom: 8px }
          #what { display: grid; grid-template-columns: minmax(0, 1fr); justify-items: center }
          #title { -webkit-line-clamp: 1 !important; font-size: 16px; max-width: 100% }
          #artist { max-width: 100%; font-size: 12px }
          #where { display: block; position: absolute; right: 4px; top: 0; max-width: 30% }
          #progress { grid-area: stage; align-self: end; height: 10px }
          #seek { position: absolute; inset: auto 0 0; height: 44px; margin: 0 } #seek::before, #line { inset: auto 0 3px; height: 4px } #seek::after { display: none }
          #time { display: none }
          #saying { z-index: 6 }
          #tabs span { font-size: 10px }
          :root:not([data-panel=playing]) #panel { grid-row: 1 / span 3; grid-column: 1; z-index: 2 }
          :root:not([data-panel=playing]) :is(#what, #progress, #transport, #extras) { visibility: hidden }
        }
        /* A phone that lies on its side: what plays at the left, the hands at the right. */
        @media (min-width: 560px) and (max-width: 1023px) and (max-height: 499px) {
          main {
            max-width: none; column-gap: 16px; padding: 4px 12px;
            grid-template: "stage transport" minmax(0, 1fr) "stage extras" 52px "stage volume" 52px "tabs tabs" 48px / minmax(0, 1fr) clamp(300px, 46vw, 380px);
          }
          :root:not([data-panel=playing]) #panel { grid-row: 1 / span 3 }
          :root:not([data-panel=playing]) :is(#transport, #extras) { visibility: visible }
          #hero { display: grid !important; margin-bottom: 104px }
          :root:not([data-panel=playing]) #hero { visibility: hidden }
          #what { align-self: end; padding-bottom: 16px }
          #where { position: static; max-width: 100% }
          #title { -webkit-line-clamp: 2 !important; font-size: 20px }
          #seek { margin: 0 4px }
        }

        /* ---- Wall: deck and panels side by side. */
        @media (min-width: 1024px) {
          :root { --title: clamp(28px, 3.200vw, 52px); --text: 17px; --small: 14px; --ring: 104px; --button: 104px; --icon: 46px; --side: 68px; --sideicon: 32px; --hit: 56px; --bar: 44px; --row: 60px; --edge: 32px; --bevel: 12px }
          main {
            max-width: none; column-gap: 32px; padding: 20px var(--edge);
            grid-template: "top tabs" 48px "stage panel" minmax(0, 1fr) "what panel" auto "progress panel" auto "transport panel" auto "extras panel" auto "volume panel" auto / minmax(0, 1fr) clamp(380px, 36vw, 640px);
            row-gap: clamp(4px, 1.600vh, 16px);
          }
          :root:not([data-panel=playing]) #hero { display: grid }
          :root:not([data-panel=playing]) #coming { display: block }
          :root:not([data-panel=playing]) #title { -webkit-line-clamp: 2; font-size: var(--title) }
          #panel { grid-area: panel } #tabs { grid-area: tabs } #tab-playing { display: none }
          #artist { font-size: 22px } #coming { font-size: 16px }
          #transport, #extras { max-width: 560px }
          #back b, #fwd b { font-size: 14px; bottom: 8px }
          #extras svg { width: 26px; height: 26px } #level { font-size: 22px }
          #tabs button { font-size: 12px; max-width: none }
          .texts b { font-size: 17px }
        }
        @media (min-width: 1600px) and (min-height: 900px) {
          :root { --text: 20px; --small: 16px; --ring: 136px; --button: 136px; --icon: 60px; --side: 88px; --sideicon: 40px; --hit: 64px; --bar: 52px; --row: 72px }
          #transport, #extras { max-width: 720px }
          #extras svg { width: 30px; height: 30px } #level { font-size: 26px } #artist { font-size: 28px } #coming { font-size: 20px }
          .texts b { font-size: 20px } #tabs button { font-size: 14px; grid-auto-flow: column; justify-content: center; gap: 6px }
        }
        @media (min-width: 1024px) and (max-height: 600px) { #hero { display: none !important } :root { --ring: 72px; --button: 72px; --icon: 34px; --side: 52px } }

        """##
}
