import BatonCore
import BatonSeams

/// The form that a browser sees before it was let in: six digits and a name. Plain HTML, so that it
/// works on whatever has a browser; no script, no picture, nothing from anywhere else.
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
        :root { color-scheme: dark; font: 1.1rem/1.5 system-ui, sans-serif; background: #0b0a0e; color: #f2eff5 }
        main { max-width: 34rem; margin: 0 auto; padding: 8vh 1.2rem }
        h1 { font-size: 1.5rem }
        label, button { display: block; margin-top: 1.2rem }
        input { display: block; box-sizing: border-box; width: 100%; padding: .7rem; font: inherit; color: inherit; background: #1c1a22; border: 1px solid #5b5666; border-radius: .5rem }
        input[name=pin] { font-size: 1.8rem; letter-spacing: .2em }
        button { width: 100%; min-height: 3rem; font: inherit; color: #0b0a0e; background: #e8b04a; border: 0; border-radius: .5rem }
        a, code { color: #e8b04a }
        [role=alert] { padding: .7rem; border-left: .3rem solid #e8b04a; background: #1c1a22 }
        :focus-visible { outline: 3px solid #fff }

        """
}
