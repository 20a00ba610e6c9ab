import BatonCore
import BatonSeams

/// The form that a browser shows before it is paired: six digits and a name. It is plain HTML without scripts, pictures or other files, so
/// that it works in every browser. It always has the page's theme Night, because only a script could read which theme was chosen.
enum PairPage {
    /// Forms go to the hub and nowhere else, and no other page may put this one in a frame.
    private static let policy =
        "default-src 'none'; img-src data:; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func html(_ status: Int, title: String, _ body: String) -> HTTPResponse {
        let page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
            <link rel="icon" href="data:,"><link rel="stylesheet" href="/pair.css"><title>\(MarkupText.escaped(title))</title></head>
            <body><main>\(body)</main></body></html>

            """
        return HTTPResponse(
            status: status,
            headers: [
                ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"), ("content-security-policy", policy),
                ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"),
            ], body: Array(page.utf8))
    }

    /// `typed` is the name that a person had typed before an answer that lets nothing in.
    static func response(_ status: Int, _ hub: String, saying sentence: String?, typed: String = "") -> HTTPResponse {
        html(
            status, title: hub,
            """
            <h1>\(MarkupText.escaped(hub))</h1>
            \(sentence.map { "<p role=\"alert\">\(MarkupText.escaped($0))</p>" } ?? "")
            <form method="post" action="/session">
            <label>The code that the hub shows
            <input name="pin" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{3}[\\- ]?[0-9]{3}" maxlength="7" required autofocus></label>
            <label>A name for this browser <input name="name" maxlength="40" placeholder="Kitchen tablet" value="\(MarkupText.escaped(typed))"></label>
            <button>Pair</button>
            </form>
            <p><small>No code? On the hub's machine: <code>baton pair --open</code>. What your browser warns about, and how to end
            that: <a href="/trust">the hub's certificate</a>.</small></p>
            """)
    }

    static let style = HTTPResponse(
        status: 200,
        headers: [("content-type", "text/css; charset=utf-8"), ("cache-control", "max-age=3600"), ("x-content-type-options", "nosniff")],
        body: Array(looks.utf8))

    private static let looks = """
        :root {
          color-scheme: dark; font: 1.1rem/1.5 system-ui, sans-serif; background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
          --ground: #0e0d12; --ink: #f3f0f6; --fill: #1a1821; --rim: #7b7488; --lit: #eacb8f; --onlit: #14110c;
        }
        @media (prefers-color-scheme: light) {
          :root { color-scheme: light; --ground: #f6f4f8; --ink: #1c1922; --fill: #ffffff; --rim: #7b7488; --lit: #6a4f1b; --onlit: #ffffff }
        }
        @media (prefers-contrast: more) { :root { --rim: var(--ink) } }
        main { max-width: 34rem; margin: 0 auto; padding: 8vh 1.2rem }
        h1 { font-size: 1.5rem }
        label, button { display: block; margin-top: 1.2rem }
        input { display: block; box-sizing: border-box; width: 100%; padding: .7rem; font: inherit; color: inherit; background: var(--fill); border: 1px solid var(--rim); border-radius: .5rem }
        input[name=pin] { font-size: 1.8rem; letter-spacing: .2em }
        button { width: 100%; min-height: 3rem; font: inherit; color: var(--onlit); background: var(--lit); border: 1px solid transparent; border-radius: .5rem }
        a, code { color: var(--lit) }
        [role=alert] { padding: .7rem; border-inline-start: .3rem solid var(--lit); background: var(--fill) }
        :focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }

        """
}
