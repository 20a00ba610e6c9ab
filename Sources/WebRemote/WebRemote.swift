/// The page that the hub serves: a remote for any screen with a browser, from a watch to a wall.
///
/// Files and what HTTP needs to know of them, nothing else. Their sources are plain HTML, CSS and ES modules in `page/`
/// and the client module in `examples/browser`; `deploy/embed` writes them into `Embedded/`. They come without a build
/// step and ask nothing of any other host. What the page knows, the hub told it over the same connection as everyone.
package enum WebRemote {
    package struct File: Sendable {
        package let type: String
        package let bytes: [UInt8]
        /// Whether its address holds the fingerprint of what is in it, so that it never needs to be asked for again.
        package var isForever = false
        /// Whether other pages may show it in a frame. Only what has no button may be framed by strangers.
        package var mayBeFramed = false
    }

    /// What is at a path, or nothing.
    package static func file(at path: String) -> File? {
        if let document = documents[path] { return document }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count == 3, parts[0] == "page", var file = parts.last.flatMap({ files[String($0)] }) else { return nil }
        // Another fingerprint is an older or newer document's: it gets what there is, and asks again next time.
        file.isForever = parts[1] == version
        return file
    }

    /// The fingerprint of all files together, as their addresses name it and as an entity tag.
    package static let version: String = {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for (_, _, text) in texts {
            text.withUTF8Buffer { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 } }
        }
        return String(hash, radix: 36)
    }()

    /// What the page may do. All of its scripts and styles are files of its own, so markup that found its way in would
    /// be inert. The silent sound of the lock-screen controls is made by the page itself.
    package static func contentSecurityPolicy(for file: File) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
            "media-src blob:", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
            file.mayBeFramed ? "frame-ancestors *" : "frame-ancestors 'self'",
        ].joined(separator: "; ")
    }

    private static let documents: [String: File] = [
        "/": document("index.html"), "/now": document("now.html", mayBeFramed: true),
        "/manifest.json": document("manifest.json"), "/sw.js": document("sw.js"),
    ]

    /// Found at an address of its own, and pointing at the others by their fingerprint, which stands in for `@`.
    private static func document(_ name: String, mayBeFramed: Bool = false) -> File {
        let text = files[name].map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
        let pieces = text.split(separator: "/page/@/", omittingEmptySubsequences: false)
        return File(
            type: files[name]?.type ?? "", bytes: Array(pieces.joined(separator: "/page/\(version)/").utf8), mayBeFramed: mayBeFramed)
    }

    private static let files: [String: File] = Dictionary(
        uniqueKeysWithValues: texts.map { name, type, text in (name, File(type: type, bytes: text.withUTF8Buffer { Array($0) })) })

    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"
    private static let markup = "text/html; charset=utf-8"

    private static let texts: [(name: String, type: String, text: StaticString)] = [
        ("angel.svg", "image/svg+xml", angelSVG), ("base.css", style, baseCSS), ("baton.js", script, batonJS), ("cat.js", script, catJS),
        ("deck.js", script, deckJS), ("drag.js", script, dragJS), ("first.js", script, firstJS), ("icon.svg", "image/svg+xml", iconSVG),
        ("index.html", markup, indexHTML), ("locks.js", script, locksJS), ("looks.js", script, looksJS),
        ("manifest.json", "application/manifest+json", manifestJSON), ("more.js", script, moreJS), ("now.html", markup, nowHTML),
        ("now.css", style, nowCSS), ("now.js", script, nowJS), ("parts.js", script, partsJS), ("queue.js", script, queueJS),
        ("remote.js", script, remoteJS), ("rooms.js", script, roomsJS), ("shapes.css", style, shapesCSS), ("sw.js", script, swJS),
        ("themes.css", style, themesCSS), ("volume.js", script, volumeJS), ("wrist.js", script, wristJS),
    ]
}
