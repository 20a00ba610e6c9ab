/// The page that the hub serves: a remote for any screen with a browser, from a watch to a wall.
///
/// Files and what HTTP needs to know of them, nothing else. Their sources are plain HTML, CSS and ES modules in `page/`
/// and the client module in `examples/browser`; during a build the plugin `EmbedPage` writes them into one Swift source,
/// `embedded`. The page loads nothing from other hosts and speaks the same protocol as every other remote.
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
        for (_, text) in embedded {
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
            uniqueKeysWithValues: embedded.map { name, text in (name, File(type: type(of: name), bytes: text.withUTF8Buffer { Array($0) }))
            })
        // The styles of the remote in one answer: nothing is painted before all of them are there.
        let styles = ["base.css", "shapes.css", "themes.css"].compactMap { files[$0]?.bytes }
        files["remote.css"] = File(type: type(of: "remote.css"), bytes: Array(styles.joined(separator: [UInt8(ascii: "\n")])))
        return files
    }()

    private static func type(of name: String) -> String {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        guard let type = types[ending] else { preconditionFailure("\(name): no content type is known for .\(ending).") }
        return type
    }

    /// By the ending of a file's name; each ending in the page's folder has a line.
    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/manifest+json", "svg": "image/svg+xml",
    ]
}
