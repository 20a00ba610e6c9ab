/// The page that the hub serves: a remote for any screen with a browser, from a watch to a wall.
///
/// Files and what HTTP needs to know of them, nothing else. Their sources are plain HTML, CSS and ES modules in `page/`
/// and the client module in `examples/browser`; during a build the plugin `EmbedPage` writes them into one Swift source,
/// `embedded`. The page loads nothing from other hosts and speaks the same protocol as every other remote.
///
/// A file stays in the binary until it is asked for, so that the page costs a hub without remotes no memory.
package enum WebRemote {
    package struct File: Sendable {
        package let type: String
        /// Whether its address holds the fingerprint of what is in it, so that it never needs to be asked for again.
        package var isForever = false
        /// What a document may do, as `content-security-policy`; what it names is bound by that.
        package var policy: String?
        fileprivate let content: StaticString
        fileprivate let packed: StaticString

        package var bytes: [UInt8] {
            type.hasPrefix("image/png") ? Base64Text.bytes(of: content) : content.withUTF8Buffer { Array($0) }
        }
        /// Whether there is a compressed form, which depends on the file alone.
        package var isText: Bool { packed.utf8CodeUnitCount > 0 }
        /// The content as gzip, which a client gets that has named it.
        package var gzipped: [UInt8] { Base64Text.bytes(of: packed) }
    }

    /// What is at a path, or nothing.
    package static func file(at path: String) -> File? {
        if let (name, framers) = documents[path] { return document(name, framedBy: framers) }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard parts.count == 3, parts[0] == "page", var file = files[String(parts[2])] else { return nil }
        file.isForever = parts[1] == version
        // A page of another version gets pictures, which stand alone. Its modules are gone with it: two versions never mix.
        return file.isForever || file.type.hasPrefix("image/") ? file : nil
    }

    /// Files with fixed addresses. They name all others by addresses that contain their fingerprint. Pages of other sites may show the
    /// card in a frame, because it has no buttons that a person could be led to press.
    private static let documents: [String: (String, framers: String)] = {
        var documents = [
            "/": ("index.html", framers: "'self'"), "/now": ("now.html", framers: "*"),
            "/manifest.json": ("manifest.json", framers: "'none'"), "/sw.js": ("sw.js", framers: "'none'"),
        ]
        #if DEBUG
            // The sheet of all parts, which frames itself once for each theme.
            documents["/design"] = ("design.html", framers: "'self'")
        #endif
        return documents
    }()

    /// All scripts and styles are files of the hub, so markup that found its way into a page would be inert. Sound is the
    /// hub's items, for a device that plays the room, and the silence of the lock-screen controls, which the page makes.
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

    /// By the ending of a file's name; each ending in the page's folder has a line.
    private static let types = [
        "css": "text/css; charset=utf-8", "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "json": "application/json", "png": "image/png", "svg": "image/svg+xml",
    ]
}
