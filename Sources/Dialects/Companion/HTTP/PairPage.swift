import BatonCore
import BatonSeams

/// The form in a browser that is not paired: six digits and a name. It is plain HTML without scripts, pictures or other files, so that it
/// works in every browser. The browser's theme arrives as a cookie.
enum PairPage {
    /// Forms may only be sent to the hub, and no other page may frame this one.
    private static let policy =
        "default-src 'none'; img-src data:; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    static func html(_ status: Int, title: String, in theme: PairTheme, _ body: String) -> HTTPResponse {
        let page = """
            <!doctype html>
            <html lang="en" data-theme="\(theme.rawValue)"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
            <link rel="icon" href="data:,"><link rel="stylesheet" href="/pair.css"><title>\(MarkupText.escaped(title))</title></head>
            <body><main>\(body)</main></body></html>

            """
        return HTTPResponse(
            status: status,
            headers: [
                ("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store"), ("content-security-policy", policy),
                ("vary", "cookie"),
                ("x-content-type-options", "nosniff"), ("referrer-policy", "same-origin"),
            ], body: Array(page.utf8))
    }

    /// `typed` is the name from an attempt that failed.
    static func response(
        _ status: Int, _ hub: String, in theme: PairTheme, saying sentence: String?, typed: String = ""
    ) -> HTTPResponse {
        html(
            status, title: hub, in: theme,
            """
            <h1>\(MarkupText.escaped(hub))</h1>
            \(sentence.map { "<p role=\"alert\">\(MarkupText.escaped($0))</p>" } ?? "")
            <form method="post" action="/session">
            <label>The code that the hub shows
            <input name="pin" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{3}[\\- ]?[0-9]{3}" maxlength="7" required autofocus></label>
            <label>A name for this browser <input name="name" maxlength="40" placeholder="Kitchen tablet" value="\(MarkupText.escaped(typed))"></label>
            <button>Pair</button>
            </form>
            <form method="post" action="/session/user">
            <label>Or a user of this hub <input name="user" autocomplete="username" maxlength="64" required></label>
            <label>Password <input name="password" type="password" autocomplete="current-password" maxlength="1024" required></label>
            <button>Sign in</button>
            </form>
            <p><small>No code? On the hub's machine: <code>baton pair --open</code>. What your browser warns about, and how to end
            that: <a href="/trust">the hub's certificate</a>.</small></p>
            """)
    }
}
