/// The page that the hub serves: a remote for any screen with a browser, from a watch to a wall.
///
/// Files and what HTTP needs to know of them, nothing else. Their sources are plain HTML, CSS and ES modules in `page/`
/// and the client module in `examples/browser`; `deploy/embed` writes them into `Embedded/`. They come without a build
/// step and ask nothing of any other host. What the page knows, the hub told it over the same connection as everyone.
package enum WebRemote {
    package struct File: Sendable {
        package let type: String
        package var bytes: [UInt8]
        /// Whether its address holds the fingerprint of what is in it, so that it never needs to be asked for again.
        package var isForever = false
        /// What a document may do, as `content-security-policy`; what it names is bound by that.
        package var policy: String?
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

    private static let documents: [String: File] = [
        "/": document("index.html", framedBy: "'self'"),
        // The card has no button, so strangers may frame it.
        "/now": document("now.html", framedBy: "*"),
        "/manifest.json": document("manifest.json", framedBy: "'none'"), "/sw.js": document("sw.js", framedBy: "'none'"),
    ]

    /// Found at an address of its own, and pointing at the others by their fingerprint, which stands in for `@`.
    ///
    /// All scripts and styles are files of the hub, so markup that found its way into a page would be inert. The silent
    /// sound of the lock-screen controls is made by the page itself.
    private static func document(_ name: String, framedBy framers: String) -> File {
        guard var file = files[name] else { preconditionFailure("\(name) is a document and stands among the texts.") }
        let pieces = String(decoding: file.bytes, as: UTF8.self).split(separator: "/page/@/", omittingEmptySubsequences: false)
        file.bytes = Array(pieces.joined(separator: "/page/\(version)/").utf8)
        file.policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
            "media-src blob:", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors \(framers)",
        ].joined(separator: "; ")
        return file
    }

    private static let files: [String: File] = {
        var files = Dictionary(
            uniqueKeysWithValues: texts.map { name, type, text in (name, File(type: type, bytes: text.withUTF8Buffer(lean))) })
        // The styles of the remote in one answer: nothing is painted before all of them are there.
        let styles = ["base.css", "shapes.css", "themes.css"].compactMap { files[$0]?.bytes }
        files["remote.css"] = File(type: style, bytes: Array(styles.joined(separator: [UInt8(ascii: "\n")])))
        return files
    }()

    /// Without what only its author reads: indentation, and lines that are a comment. It is a seventh of the way to a
    /// phone on a bad network. No text of the page runs over lines, so no line's beginning means anything.
    private static func lean(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var isInComment = false
        let lines = text.split(separator: UInt8(ascii: "\n")).map { $0.drop { $0 == UInt8(ascii: " ") } }.filter { line in
            isInComment = isInComment || line.starts(with: "/*".utf8)
            // deploy/embed sees to it that nothing stands behind the end of a comment that began a line.
            defer { isInComment = isInComment && !line.suffix(2).elementsEqual("*/".utf8) }
            return !line.isEmpty && !isInComment && !line.starts(with: "// ".utf8)
        }
        return Array(lines.joined(separator: "\n".utf8))
    }

    private static let image = "image/svg+xml"
    private static let script = "text/javascript; charset=utf-8"
    private static let style = "text/css; charset=utf-8"
    private static let markup = "text/html; charset=utf-8"

    private static let texts: [(name: String, type: String, text: StaticString)] = [
        ("angel.svg", image, angelSVG), ("arcade.svg", image, arcadeSVG), ("base.css", style, baseCSS), ("baton.js", script, batonJS),
        ("cat.js", script, catJS), ("cover.js", script, coverJS),
        ("deck.js", script, deckJS), ("drag.js", script, dragJS), ("face.js", script, faceJS), ("first.js", script, firstJS),
        ("folders.js", script, foldersJS), ("forms.js", script, formsJS), ("house.js", script, houseJS),
        ("icon.svg", image, iconSVG),
        ("index.html", markup, indexHTML), ("items.js", script, itemsJS), ("library.css", style, libraryCSS),
        ("library.js", script, libraryJS), ("lists.js", script, listsJS), ("locks.js", script, locksJS), ("looks.js", script, looksJS),
        ("manifest.json", "application/manifest+json", manifestJSON), ("more.js", script, moreJS), ("now.html", markup, nowHTML),
        ("now.css", style, nowCSS), ("night.svg", image, nightSVG), ("now.js", script, nowJS), ("parts.js", script, partsJS),
        ("queue.js", script, queueJS),
        ("remote.js", script, remoteJS), ("rooms.js", script, roomsJS), ("shapes.css", style, shapesCSS),
        ("shelves.js", script, shelvesJS), ("sw.js", script, swJS),
        ("themes.css", style, themesCSS), ("volume.js", script, volumeJS), ("wrist.js", script, wristJS),
    ]
}
