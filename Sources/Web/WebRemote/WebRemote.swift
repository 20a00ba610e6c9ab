/// The web page that the hub serves: a remote for browsers on all screens, from a watch to a wall display.
///
/// It knows only files and their HTTP properties. Their sources are plain HTML, CSS and ES modules in `page/` and the
/// client module in `examples/browser`; the plugin `EmbedPage` writes them into a Swift source, `embedded`, during a
/// build. The page loads nothing from other hosts and uses the same protocol as all remotes.
///
/// Files stay in the binary until they are requested, so the page uses no memory in a hub without remotes.
package enum WebRemote {
    package struct File: Sendable {
        package let type: String
        /// Whether the address contains the content's fingerprint, so that browsers may cache the file for ever.
        package var isForever = false
        /// The document's `content-security-policy`, which also applies to the files that it loads.
        package var policy: String?
        fileprivate let content: StaticString
        fileprivate let packed: StaticString

        package var bytes: [UInt8] {
            type.hasPrefix("image/png") ? Base64Text.bytes(of: content) : content.withUTF8Buffer { Array($0) }
        }
        /// Whether there is a compressed form.
        package var isText: Bool { packed.utf8CodeUnitCount > 0 }
        /// The content as gzip, for clients that accept it.
        package var gzipped: [UInt8] { Base64Text.bytes(of: packed) }
    }

    /// The file at a path; `nil` if there is none.
    package static func file(at path: String) -> File? {
        if let (name, framers) = documents[path] { return document(name, framedBy: framers) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count == 3, parts[0] == "page", var file = files[String(parts[2])] else { return nil }
        file.isForever = parts[1] == version
        // Pages of another version still get pictures, which stand alone. They get no modules, because two versions
        // must not be mixed.
        return file.isForever || file.type.hasPrefix("image/") ? file : nil
    }

    /// Files with fixed addresses, which refer to all others by addresses with a fingerprint. Pages of other sites
    /// may show the card in a frame, because it has no buttons that a person could be tricked into pressing.
    private static let documents: [String: (String, framers: String)] = {
        var documents = [
            "/": ("index.html", framers: "'self'"), "/now": ("now.html", framers: "*"),
            "/manifest.json": ("manifest.json", framers: "'none'"), "/sw.js": ("sw.js", framers: "'none'"),
        ]
        #if DEBUG
            // The design sheet frames itself once for each theme.
            documents["/design"] = ("design.html", framers: "'self'")
        #endif
        return documents
    }()

    /// The policy allows only the hub's scripts and styles, so that injected markup has no effect. Sound may come
    /// from the hub's items, for a device that plays the room, and from the silence that the page generates for
    /// lock-screen controls.
    private static func document(_ name: String, framedBy framers: String) -> File {
        guard var file = files[name] else { preconditionFailure("\(name) is a document and stands among the texts.") }
        file.policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:",
            "media-src 'self' blob:", "manifest-src 'self'", "worker-src 'self'", "base-uri 'none'", "form-action 'none'",
            "frame-ancestors \(framers)", name == "design.html" ? "frame-src 'self'" : "frame-src 'none'",
        ].joined(separator: "; ")
        return file
    }

    private static let files = Dictionary(
        uniqueKeysWithValues: (embedded + design).map { ($0.name, File(type: type(of: $0.name), content: $0.content, packed: $0.packed)) })

    private static func type(of name: String) -> String {
        let ending = name.split(separator: ".").last.map(String.init) ?? ""
        guard let type = types[ending] else { preconditionFailure("\(name): no content type is known for .\(ending).") }
        return name == "manifest.json" ? "application/manifest+json" : type
    }

    /// Content types by file suffix; each suffix in the page's folder has a line.
    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    ]
}
