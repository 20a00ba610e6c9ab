import BatonSeams

/// Themes of the pages before the remote, with the remote's names, and one style sheet for all of them.
///
/// The remote stores a device's theme in a cookie, because these pages have no script that could read it elsewhere. A browser without the
/// cookie, or with another value, gets Night.
enum PairTheme: String, CaseIterable {
    case night, aura, pixel, cat, plain

    static let cookie = "baton-theme"

    init(of request: HTTPRequest) {
        let pairs = (request.headers["cookie"] ?? "").split(separator: ";").map { $0.drop(while: { $0 == " " }) }
        let chosen = pairs.first { $0.hasPrefix(Self.cookie + "=") }
        self = chosen.flatMap { Self(rawValue: String($0.dropFirst(Self.cookie.count + 1))) } ?? .night
    }

    static let style = HTTPResponse(
        status: 200,
        headers: [
            ("content-type", "text/css; charset=utf-8"), ("cache-control", "max-age=3600"),
            ("x-content-type-options", "nosniff"),
        ],
        body: Array((colours + shared).utf8))

    private static let colours = """
        :root {
          color-scheme: dark; --face: system-ui, sans-serif; --hair: 1px; --round: .5rem; --cut: none; --sky: var(--ground);
          --ground: #0e0d12; --ink: #f3f0f6; --fill: #1a1821; --rim: #7b7488; --lit: #eacb8f; --accent: #eacb8f;
            --onaccent: #14110c;
        }
        @media (prefers-color-scheme: light) {
          [data-theme=night] {
            color-scheme: light;
            --ground: #f6f4f8; --ink: #1c1922; --fill: #ffffff; --lit: #6a4f1b; --accent: #6a4f1b; --onaccent: #ffffff;
          }
        }
        [data-theme=aura] {
          color-scheme: light; --hair: 1.5px; --round: 0;
          --cut: polygon(8px 0, calc(100% - 8px) 0, 100% 8px, 100% calc(100% - 8px), calc(100% - 8px) 100%, 8px 100%,
            0 calc(100% - 8px), 0 8px);
          --sky: radial-gradient(60vmax 40vmax at 85% 0, #d4ecfb, transparent 70%), radial-gradient(60vmax 50vmax at 0 100%,
            #d3f3e5, transparent 65%), #e9e3f7;
          --ground: #e9e3f7; --ink: #2a2150; --fill: #faf8ff; --rim: #9a7420; --lit: #5c430d;
          --accent: linear-gradient(160deg, #fff3cf, #e9c873 55%, #d2a84a); --onaccent: #33265e;
        }
        [data-theme=pixel], [data-theme=cat] { --face: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; --round: 0 }
        [data-theme=pixel] {
          --hair: 3px; --cut: polygon(4px 0, calc(100% - 4px) 0, calc(100% - 4px) 4px, 100% 4px, 100% calc(100% - 4px),
            calc(100% - 4px) calc(100% - 4px), calc(100% - 4px) 100%, 4px 100%, 4px calc(100% - 4px), 0 calc(100% - 4px), 0 4px,
              4px 4px);
          --sky: repeating-linear-gradient(0deg, #0000 0 3px, #0002 3px 4px), radial-gradient(circle at 50% 30%, #38200f,
            #1a100a 70%);
          --ground: #1a100a; --ink: #ffe8c4; --fill: #2a1b11; --rim: #a06a38; --lit: #ffb15c; --accent: #ff8c2e;
            --onaccent: #1a0d04;
        }
        [data-theme=cat] {
          --hair: 2px; --cut: polygon(3px 0, calc(100% - 3px) 0, calc(100% - 3px) 3px, 100% 3px, 100% calc(100% - 3px),
            calc(100% - 3px) calc(100% - 3px), calc(100% - 3px) 100%, 3px 100%, 3px calc(100% - 3px), 0 calc(100% - 3px), 0 3px,
              3px 3px);
          --ground: #080a06; --ink: #e6f5c0; --fill: #10140b; --rim: #6f9430; --lit: #cdff6a; --accent: #b7f542;
            --onaccent: #0c1204;
        }
        [data-theme=plain] { --round: 0; --ground: #000; --ink: #fff; --fill: #000; --rim: #fff; --lit: #ffe14d; --accent: #fff;
          --onaccent: #000 }
        @media (prefers-contrast: more) { :root[data-theme] { --rim: var(--ink); --lit: var(--ink); --sky: var(--ground) } }
        @media (forced-colors: active) { :root[data-theme] { --sky: Canvas; --cut: none } button { forced-color-adjust: auto } }

        """

    private static let shared = """
        * { box-sizing: border-box }
        html { min-height: 100%; background: var(--ground); color: var(--ink); font: 1.1rem/1.5 var(--face);
          overflow-wrap: anywhere }
        body { margin: 0; min-height: 100vh; background: var(--sky) fixed }
        main { max-width: 34rem; margin: 0 auto; padding: 8vh 1.2rem }
        h1 { font-size: 1.5rem }
        label, button { display: block; margin-top: 1.2rem }
        input { display: block; margin-top: .3rem; width: 100%; padding: .7rem; font: inherit; color: inherit; background: var(--fill);
          border: var(--hair) solid var(--rim); border-radius: var(--round) }
        input[name=pin] { font-size: 1.8rem; letter-spacing: .2em }
        button { width: 100%; min-height: 3rem; font: inherit; color: var(--onaccent); background: var(--accent);
          border: 1px solid transparent; border-radius: var(--round); clip-path: var(--cut) }
        a, code { color: var(--lit) }
        [role=alert] { padding: .7rem; border-inline-start: .3rem solid var(--lit); background: var(--fill) }
        :focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
        button:focus-visible { outline-offset: -5px; outline-color: var(--onaccent) }

        """
}
