// Written by deploy/embed from Sources/Web/WebRemote/page/themes.css; edit that file.
extension WebRemote {
    static let themesCSS: StaticString = ##"""
        /* Four themes. Each is colours, a cut for frames, and a hero around the orb. */

        /* ---- Aura: pale lavender, gold, sky and mint; bevelled frames with fine ornaments; wings behind the orb. */
        :root {
          color-scheme: light; --hair: 1.5px; --knob: polygon(50% 0, 100% 50%, 50% 100%, 0 50%);
          --ground: #e9e3f7; --ground2: #f4f0fc; --ink: #2a2150; --soft: #5a4f85; --rim: #c9b06a; --fill: #faf8ff; --raised: #fffdf6;
          --accent: linear-gradient(160deg, #fff3cf, #e9c873 55%, #d2a84a); --accentrim: #9a7420; --onaccent: #33265e;
          --lit: #b98a2c; --hot: #7d5a10; --track: #cfc5ea; --hairline: #d9d0ef; --focus: #3d2fa0;
          --barfill: linear-gradient(90deg, #2b2153, #352a68); --barink: #fff6dd; --barlit: #9bd8f5; --note: #fffaf0; --noterim: #c9a24a; --noteink: #2a2150;
        }
        [data-theme=aura] body {
          background:
            radial-gradient(60vmax 40vmax at 85% 0, var(--wash, #d4ecfb) 0, transparent 70%), radial-gradient(60vmax 50vmax at 0 100%, var(--wash2, #d3f3e5) 0, transparent 65%),
            linear-gradient(180deg, #efe8fb, #e4ddf5);
        }
        /* The same wings, washed over the body: large, pale, and behind everything. */
        @media (min-width: 300px) {
          .painted[data-theme=aura] body::before { content: ""; position: fixed; inset: 36% 0 0; background: url(angel.svg) 50% 74% / 240% auto no-repeat; opacity: .15; pointer-events: none }
        }
        [data-theme=aura] #volume::before { background: linear-gradient(90deg, #e2c577, #b9dff2, #e2c577) }

        /* ---- Pixel: a dark warm ground, orange and green, stepped corners. */
        [data-theme=pixel] {
          color-scheme: dark; --hair: 3px; --knob: polygon(25% 0, 75% 0, 75% 25%, 100% 25%, 100% 75%, 75% 75%, 75% 100%, 25% 100%, 25% 75%, 0 75%, 0 25%, 25% 25%);
          --s: 4px;
          --cut: polygon(calc(2*var(--s)) 0, calc(100% - 2*var(--s)) 0, calc(100% - 2*var(--s)) var(--s), calc(100% - var(--s)) var(--s), calc(100% - var(--s)) calc(2*var(--s)), 100% calc(2*var(--s)), 100% calc(100% - 2*var(--s)), calc(100% - var(--s)) calc(100% - 2*var(--s)), calc(100% - var(--s)) calc(100% - var(--s)), calc(100% - 2*var(--s)) calc(100% - var(--s)), calc(100% - 2*var(--s)) 100%, calc(2*var(--s)) 100%, calc(2*var(--s)) calc(100% - var(--s)), var(--s) calc(100% - var(--s)), var(--s) calc(100% - 2*var(--s)), 0 calc(100% - 2*var(--s)), 0 calc(2*var(--s)), var(--s) calc(2*var(--s)), var(--s) var(--s), calc(2*var(--s)) var(--s));
          --face: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; --digits: var(--face);
          --ground: #1a100a; --ground2: #24170e; --ink: #ffe8c4; --soft: #cfa878; --rim: #7a4f28; --fill: #2a1b11; --raised: #3a2616;
          --accent: #ff8c2e; --accentrim: #ffc480; --onaccent: #1a0d04; --lit: #6fe05a; --hot: #ffb15c; --track: #4a3320; --hairline: #3a2616; --focus: #6fe05a;
          --barfill: #120a05; --barink: #ffe8c4; --barlit: #ff8c2e; --note: #12240c; --noterim: #6fe05a; --noteink: #d8ffc8;
        }
        [data-theme=pixel] svg { shape-rendering: crispEdges }
        [data-theme=pixel] body { background: repeating-linear-gradient(0deg, #0000 0 3px, #0002 3px 4px), radial-gradient(circle at 50% 30%, #38200f, #1a100a 70%) }

        /* ---- Black Cat: near black and lime; a cat above the line. */
        [data-theme=cat] {
          color-scheme: dark; --hair: 2px; --s: 3px; --knob: polygon(0 0, 100% 0, 100% 100%, 0 100%);
          --cut: polygon(var(--s) 0, calc(100% - var(--s)) 0, calc(100% - var(--s)) var(--s), 100% var(--s), 100% calc(100% - var(--s)), calc(100% - var(--s)) calc(100% - var(--s)), calc(100% - var(--s)) 100%, var(--s) 100%, var(--s) calc(100% - var(--s)), 0 calc(100% - var(--s)), 0 var(--s), var(--s) var(--s));
          --face: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; --digits: var(--face);
          --ground: #080a06; --ground2: #0d100a; --ink: #e6f5c0; --soft: #a3b878; --rim: #37451f; --fill: #10140b; --raised: #1a2110;
          --accent: #b7f542; --accentrim: #e6ffae; --onaccent: #0c1204; --lit: #b7f542; --hot: #cdff6a; --track: #2b3718; --hairline: #1c2411; --focus: #e6ffae;
          --barfill: #000; --barink: #e6f5c0; --barlit: #b7f542; --note: #16200a; --noterim: #b7f542; --noteink: #eaffc4;
          --fur: #10150b; --rimlight: #6f9430; --nose: #8fae58; --eye: #b7f542; --paw: #e6f5c0;
        }
        [data-theme=cat] svg { shape-rendering: crispEdges }

        /* ---- Plain: high contrast, nothing moves. */
        [data-theme=plain] {
          color-scheme: dark; --hair: 1px; --cut: none; --knob: polygon(0 0, 100% 0, 100% 100%, 0 100%);
          --ground: #000; --ground2: #000; --ink: #fff; --soft: #d0d0d0; --rim: #fff; --fill: #000; --raised: #000;
          --accent: #fff; --accentrim: #fff; --onaccent: #000; --lit: #fff; --hot: #ffe14d; --track: #555; --hairline: #444; --focus: #ffe14d;
          --barfill: #000; --barink: #fff; --barlit: #fff; --note: #fff; --noterim: #fff; --noteink: #000;
        }
        [data-theme=plain] #fill { opacity: .3 }

        /* ---- The hero: an orb whose light follows the room. */
        #hero { place-items: center; position: relative; container-type: size }
        #orb { position: relative; width: min(28cqw, 44cqh); aspect-ratio: 1; display: grid; place-items: center }
        #halo, #globe { position: absolute; border-radius: 50% }
        #halo { inset: -38%; background: radial-gradient(closest-side, var(--light), transparent); opacity: var(--glow) }
        #globe { inset: 0; background: radial-gradient(circle at 34% 28%, var(--shine), var(--core) 46%, var(--deep)); box-shadow: inset 0 0 0 1.5px var(--edgeline) }
        #note { width: 44%; height: 44%; color: var(--notecolour); position: relative; will-change: transform }
        :root { --light: #b9a9e8; --glow: .45; --shine: #fff; --core: #e6dcfa; --deep: #b9a6e4; --edgeline: #c9b06a; --notecolour: #8a6a1e }
        [data-mood=playing] { --light: #f4cf6f; --glow: .95; --core: #f6e6bd; --deep: #d8c0ee; --notecolour: #6d4f0c }
        [data-mood=buffering] { --light: #86cdf2; --glow: .8; --core: #d8effb; --deep: #a9bfe8; --notecolour: #1f5c86 }
        [data-mood=working] { --light: #8fe0bd; --glow: .7; --core: #ddf5ea; --deep: #a8cfc9; --notecolour: #1f6b4c }
        [data-mood=problem] { --light: #f08a8a; --glow: .9; --core: #fbdcdc; --deep: #d9a3c0; --notecolour: #9a2436 }
        [data-theme=pixel] #globe, [data-theme=pixel] #halo, [data-theme=cat] #globe, [data-theme=cat] #halo { border-radius: 0 }
        [data-theme=pixel] #globe, [data-theme=cat] #globe { clip-path: polygon(30% 0, 70% 0, 70% 8%, 85% 8%, 85% 15%, 92% 15%, 92% 30%, 100% 30%, 100% 70%, 92% 70%, 92% 85%, 85% 85%, 85% 92%, 70% 92%, 70% 100%, 30% 100%, 30% 92%, 15% 92%, 15% 85%, 8% 85%, 8% 70%, 0 70%, 0 30%, 8% 30%, 8% 15%, 15% 15%, 15% 8%, 30% 8%) }
        [data-theme=pixel] { --shine: #8a5a30; --core: #5c381c; --deep: #33200f; --edgeline: #7a4f28; --light: #7a4f28; --notecolour: #cfa878 }
        [data-theme=pixel][data-mood=playing] { --light: #ff8c2e; --shine: #ffb15c; --core: #c8641c; --deep: #6b340f; --notecolour: #ffd9a0 }
        [data-theme=pixel][data-mood=buffering] { --light: #f0d040; --notecolour: #f0d040 }
        [data-theme=pixel][data-mood=working] { --light: #6fe05a; --notecolour: #6fe05a }
        [data-theme=pixel][data-mood=problem] { --light: #ff5a4a; --notecolour: #ff8a7a }
        [data-theme=cat] { --shine: #27331a; --core: #161d0d; --deep: #0b0e07; --edgeline: #37451f; --light: #37451f; --notecolour: #a3b878 }
        [data-theme=cat][data-mood=playing] { --light: #7fb82a; --glow: .6; --notecolour: #b7f542 }
        [data-theme=cat][data-mood=buffering] { --light: #5a8ad0; --notecolour: #9cc4ff }
        [data-theme=cat][data-mood=working] { --light: #b7f542; --glow: .4; --notecolour: #e6ffae }
        [data-theme=cat][data-mood=problem] { --light: #d04a4a; --notecolour: #ff8a8a }
        [data-theme=plain] #halo { display: none }
        [data-theme=plain] { --shine: #000; --core: #000; --deep: #000; --edgeline: #fff; --notecolour: #fff }
        [data-theme=plain][data-mood=problem] { --edgeline: #ff6b6b; --notecolour: #ff6b6b }
        /* What plays has a picture: it stands where the orb was, and the orb at its corner. The box is there before the picture. */
        #hero { --art: min(76cqw, 94cqh) }
        #hero > * { grid-area: 1 / 1 }
        #cover { display: none; position: relative; width: var(--art); aspect-ratio: 1; place-items: center; background: var(--track); color: var(--soft); box-shadow: 0 0 0 var(--hair) var(--rim), 0 6px 24px #0004 }
        .covered #cover { display: grid }
        #cover svg { width: 40%; height: 40%; opacity: .6 }
        #art, #art img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover }
        .covered #orb { width: calc(var(--art) * .17) !important; translate: calc(var(--art) * .45) calc(var(--art) * .4) }
        #scene { position: absolute; inset: 0; background: center / contain no-repeat }
        [data-theme=aura] #scene { background-image: url(angel.svg); opacity: .9 }
        [data-theme=pixel] #scene { background-image: url(arcade.svg) }
        [data-theme=cat] #scene { background-image: url(night.svg) }
        [data-theme=plain] #scene { display: none }
        #cat { display: none }
        @media (min-width: 300px) {
          [data-theme=pixel] #orb, [data-theme=cat] #orb { width: min(28cqw, 44cqh) }
          [data-theme=plain] #orb { width: min(44cqw, 58cqh) }
          /* The cat has a perch of its own above the line, and the texts make room for it. */
          [data-theme=cat] #cat { display: block; position: absolute; right: 2%; bottom: calc(100% + 2px); width: 72px; height: 63px; image-rendering: pixelated; pointer-events: none; z-index: 2 }
          [data-theme=cat] #what { text-align: start; padding-inline-end: 88px; justify-items: start }
          [data-theme=cat] #where { right: 88px }
        }
        @media (min-width: 300px) and (max-height: 499px), (min-width: 300px) and (max-width: 1023px) {
          :root:not([data-panel=playing])[data-theme=cat] #cat { width: 48px; height: 42px }
        }
        @media (min-width: 300px) and (max-height: 499px) { [data-theme=cat] #cat { width: 36px; height: 32px; bottom: 9px } }
        @media (min-width: 1024px) { [data-theme=cat] #cat { width: 120px; height: 105px } [data-theme=cat] #what { padding-inline-end: 150px } }

        """##
}
