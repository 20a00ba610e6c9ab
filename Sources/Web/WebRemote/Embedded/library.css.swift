// Written by deploy/embed from Sources/Web/WebRemote/page/library.css; edit that file.
extension WebRemote {
    static let libraryCSS: StaticString = ##"""
        /* The library and the lists: rows with pictures, the way one came, and the sheet of what can be done. */
        .shelves .seek { display: flex; align-items: center; gap: 4px; min-height: 44px }
        .shelves .seek > .tool { width: 44px; height: 44px; flex: none }
        .shelves .seek input { flex: 1; min-width: 0; height: 44px; padding: 0 12px; border: 1px solid var(--rim); border-radius: 0; background: var(--fill); color: var(--ink); font-size: 16px; user-select: text; -webkit-user-select: text; appearance: none }
        .shelves .seek input::placeholder { color: var(--soft); opacity: 1 }
        .shelves .seek .count { flex: 1; min-width: 0 }
        .shelves .seek #newlist { flex: 1 }
        .shelves .seek [data-do=undo] { padding: 4px 12px }
        .shelves .scroller { position: relative }
        .crumbs { display: flex; flex-wrap: wrap; align-items: center; font-size: var(--small); color: var(--soft); min-width: 0 }
        .crumbs button { min-height: 44px; min-width: 44px; padding: 0 6px; text-decoration: underline; text-underline-offset: 3px; max-width: 100% }
        .crumbs b { padding: 6px; min-width: 0; max-width: 100%; color: var(--ink) }
        .crumbs bdi { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 60vw }
        .does { display: flex; flex-wrap: wrap; gap: 4px; padding-bottom: 6px }
        .does .small { padding: 4px 10px; gap: 6px; min-width: 44px }
        .act { display: flex; align-items: center; justify-content: start; gap: 10px }
        .act svg { width: 18px; height: 18px; flex: none }
        .act span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0 }
        .act[data-do=fav] svg, .tool[data-do=fav] svg { fill: none; stroke: currentColor; stroke-width: 2; overflow: visible }
        .act[aria-pressed=true] svg, .tool[data-do=fav][aria-pressed=true] svg { fill: currentColor; color: var(--hot) }
        .order { margin-inline-start: auto }
        .does svg { width: 18px; height: 18px }
        .order select { height: 44px; border: 1px solid var(--rim); background: var(--fill); color: var(--ink); font: inherit; padding: 0 8px }
        .items .row { grid-template-columns: 44px minmax(0, 1fr) auto }
        .items .art { width: 44px; height: 44px }
        .art { position: relative; display: grid; place-items: center; background: var(--track); color: var(--soft); overflow: hidden }
        .art > * { grid-area: 1 / 1 }
        .art svg { width: 50%; height: 50%; opacity: .7 }
        .art img { z-index: 1; position: relative; width: 100%; height: 100%; object-fit: cover; color: transparent }
        .away .art { filter: grayscale(1); opacity: .5 }
        .away .texts b { color: var(--soft); font-weight: 400; font-style: italic }
        .items .tool[data-do=remove] { display: none }
        .items li:has(.grip) { grid-template-columns: minmax(0, 1fr) 44px 44px }
        @container (min-width: 420px) {
          .items .tool[data-do=remove] { display: grid }
          .items li:has(.grip) { grid-template-columns: minmax(0, 1fr) 44px 44px 44px }
        }
        @container (max-width: 300px) { .items .row { grid-template-columns: 44px minmax(0, 1fr) } }
        .says { display: grid; gap: 8px; padding: 8px 12px; color: var(--soft); overflow-wrap: anywhere }
        .says:empty { display: none }
        .scan { position: relative; padding: 6px 4px 8px; font-size: var(--small); color: var(--soft) }
        .scan i { position: absolute; inset: 0 0 auto; height: 3px; background: var(--lit); transform-origin: 0 50%; transform: scaleX(0) }
        .scan::before { content: ""; position: absolute; inset: 0 0 auto; height: 3px; background: var(--track) }
        .acts { display: grid; gap: 6px; text-align: start }
        .acts h2 { font: 650 16px/1.3 var(--face); padding-inline-end: 8px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; unicode-bidi: plaintext }
        .acts .note { padding: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; unicode-bidi: plaintext }
        .acts .small { margin: 0; white-space: normal }
        .acts .pair { grid-template-columns: minmax(0, 1fr) }
        .stars { display: grid; grid-template-columns: repeat(5, 1fr); max-width: 300px }
        .stars button { height: 48px; min-width: 44px }
        .stars svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 1.500; overflow: visible }
        .stars .lit svg { fill: var(--hot); color: var(--hot) }
        /* A phone: what one looks for takes the place of what plays; the hands stay where they are. */
        @media (min-width: 300px) and (max-width: 1023px) and (min-height: 500px) {
          :root:is([data-panel=library], [data-panel=lists]) #panel { grid-row: 2 / span 3; grid-column: 1; z-index: 2 }
          :root:is([data-panel=library], [data-panel=lists]) :is(#what, #progress) { visibility: hidden }
          :root:is([data-panel=library], [data-panel=lists]) #saying { grid-row: 2 / span 3; grid-column: 1; z-index: 6 }
        }
        @media (max-height: 300px) { .shelves .crumbs { display: none } }

        """##
}
