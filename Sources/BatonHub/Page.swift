/// The page that the hub serves at `GET /`: a remote for any screen with a browser, from a watch to a wall.
///
/// One document without a build step and without a request to any other host. It speaks the `watch`
/// profile like every other remote, and knows nothing that the hub has not told it over that connection.
package enum Page {
    /// The document as it goes over the wire. Its parts are `StaticString`s, since the compiler takes many seconds
    /// over an array literal of this size.
    package static let bytes: [UInt8] = [opening, looks, markup, state, screen, connection, closing]
        .flatMap { part in part.withUTF8Buffer { Array($0) } }

    /// What the page may do, as `content-security-policy`. The hashes are those of its one style and its one
    /// script, so markup that found its way in would be inert; whoever edits either gives the new hash here,
    /// and a browser that meets an old one names the hash it wants.
    package static let contentSecurityPolicy = [
        "default-src 'none'",
        "script-src 'sha256-qQ7RtpZuYWcnbay6xR1p3CuWFwhVGifABPJ+Ixwrg8c='",
        "style-src 'sha256-JdQjmZVLwxIcIN/m39BQg0EkvgX0GnPPwZFv4RuzNXc='",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ].joined(separator: "; ")

    private static let opening: StaticString = #"""
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
        <meta name="theme-color" content="#0b0a0e">
        <link rel="icon" href="data:,">
        <title>Baton</title>
        <style>

        """#

    private static let markup: StaticString = #"""
        </style>
        </head>
        <body>
        <main>
          <section id="what" aria-label="Now playing">
            <p id="room"></p>
            <h1 id="title" dir="auto">Baton</h1>
            <div id="sub"><p id="artist" dir="auto"></p><p id="time"></p><div role="status"><button id="say" hidden><span id="sentence"></span></button></div></div>
          </section>
          <section id="transport" aria-label="Transport">
            <button id="prev" aria-label="Previous"><svg viewBox="0 0 24 24"><path d="M4 4h3.5v16H4zM21 4v16L8.5 12z"/></svg></button>
            <div id="dial">
              <button id="play" aria-label="Play"><span id="disc">
                <svg id="go" viewBox="0 0 24 24"><path d="M7 3.5v17L21 12z"/></svg>
                <svg id="stand" viewBox="0 0 24 24"><path d="M5.5 4h4.5v16H5.5zM14 4h4.5v16H14z"/></svg>
              </span></button>
              <div id="ring" role="progressbar" aria-label="Position" aria-valuemin="0"></div>
            </div>
            <button id="next" aria-label="Next"><svg viewBox="0 0 24 24"><path d="M16.5 4H20v16h-3.5zM3 4v16l12.5-8z"/></svg></button>
          </section>
          <section id="volume" role="group" aria-label="Volume">
            <button id="less" aria-label="Volume down"><svg viewBox="0 0 18 18"><path d="M2 7.5h14v3H2z"/></svg></button>
            <output id="level" aria-live="off"></output>
            <button id="more" aria-label="Volume up"><svg viewBox="0 0 18 18"><path d="M7.5 2h3v5.5H16v3h-5.5V16h-3v-5.5H2v-3h5.5z"/></svg></button>
          </section>
        </main>
        <script type="module">

        """#

    private static let closing: StaticString = #"""
        </script>
        </body>
        </html>

        """#
}
