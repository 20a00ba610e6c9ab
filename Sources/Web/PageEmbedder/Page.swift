/// All files of the page, with their fingerprint and the form in which they are embedded.
///
/// A value. Addresses in the texts contain the fingerprint (`/page/@/` in the sources). It changes with any file, so
/// a browser never combines files of two versions.
struct Page {
    /// A file in its embedded form.
    struct Entry: Equatable {
        let name: String
        /// The uncompressed content. Pictures are base64, because only text can be embedded.
        let content: String
        /// The content as gzip in base64; empty if compression saves nothing.
        let packed: String
    }

    /// Style sheets of the first screen, joined into one file because nothing is painted before all of them are
    /// loaded. Other style sheets are loaded when they apply.
    static let joined = ["remote.css": ["tokens.css", "base.css", "phone.css", "themes.css"]]

    /// The name under which a file is served. All files are served from one folder, so that a module imports another
    /// as `./parts.js` wherever the two are in the sources. Language files include their folder: `lang/de.json`
    /// becomes `lang-de.json`.
    static func name(of path: String) -> String {
        let parts = path.split(separator: "/"), last = parts.last.map(String.init) ?? path
        return parts.dropLast().last == "lang" ? "lang-\(last)" : last
    }

    /// The error for two files that would be served under one name.
    static func clash(among paths: [String]) -> String? {
        var taken: [String: String] = [:]
        for path in paths {
            guard let other = taken.updateValue(path, forKey: name(of: path)) else { continue }
            return "\(path):1: error: it would be served as \(name(of: path)), as \(other) is; give one of them another name."
        }
        return nil
    }

    /// Whether a file belongs to the design sheet, which only debug builds contain.
    static func isOfDesign(_ path: String) -> Bool { path.split(separator: "/").dropLast().last == "design" }

    let texts: [(name: String, text: String)]
    let pictures: [(name: String, bytes: [UInt8])]
    /// Names of the design sheet's files. The page's texts do not list them, so that a service worker does not
    /// request them from a release.
    let design: Set<String>

    /// Takes the texts as served, including joined ones, ordered by name. The card uses one of the joined files
    /// separately.
    init(texts: [(name: String, text: String)], pictures: [(name: String, bytes: [UInt8])], design: Set<String> = []) {
        self.design = design
        let whole = Self.joined.map { name, parts in
            (name, parts.compactMap { part in texts.first { $0.name == part }?.text }.joined(separator: "\n"))
        }
        self.texts = (texts + whole.filter { !$0.1.isEmpty }).sorted { $0.0 < $1.0 }
        self.pictures = pictures.sorted { $0.name < $1.name }
    }

    /// FNV-1a over names and contents.
    var version: String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        let files = texts.map { ($0.name, Array($0.text.utf8)) } + pictures.map { ($0.name, $0.bytes) }
        for (name, bytes) in files {
            for byte in Array(name.utf8) + [0] + bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }
        return String(hash, radix: 36)
    }

    /// The codes of the languages, such as `de`.
    private var languages: [String] {
        texts.map(\.name).filter { $0.hasPrefix("lang-") && $0.hasSuffix(".json") }.map { String($0.dropFirst(5).dropLast(5)) }
    }
    /// Number of texts on the page: keys of the English file, one on each line. Missing texts of other languages are
    /// filled in from English.
    private var textCount: Int {
        let english = texts.first { $0.name == "lang-en.json" }?.text ?? ""
        return english.split(separator: "\n").count { $0.hasPrefix("\"") }
    }

    /// A module with all modules that it imports, directly or not. A browser that gets this list requests them at
    /// once, instead of discovering imports one module at a time.
    private func modules(of root: String) -> [String] {
        let texts = Dictionary(texts) { first, _ in first }
        var found = [root], next = 0
        while next < found.count {
            let imports = (texts[found[next]] ?? "").matches(of: /(?:^|\n)(?:import|export)\b[^;(]*?'\.\/([\w.-]+)'/)
            found += imports.map { String($0.1) }.filter { !found.contains($0) }
            next += 1
        }
        return found
    }

    var entries: [Entry] {
        let version = version
        let names = (texts.map(\.name) + pictures.map(\.name)).filter { !design.contains($0) }.joined(separator: " ")
        let languages = languages.joined(separator: " "), count = String(textCount)
        // Modules of the first screen, and of Home, which follows it.
        let first = modules(of: "remote.js"), home = modules(of: "library.js").filter { !first.contains($0) }
        let readable = texts.map { name, text in
            let served = text.replacing("/page/@/", with: "/page/\(version)/").replacing("@version", with: version)
                .replacing("@files", with: names).replacing("@languages", with: languages).replacing("@texts", with: count)
                .replacing("@modules", with: first.joined(separator: " ")).replacing("@home", with: home.joined(separator: " "))
            let bytes = Array(served.utf8), packed = gzipped(bytes)
            return Entry(name: name, content: served, packed: packed.count < bytes.count ? base64(packed) : "")
        }
        return readable + pictures.map { Entry(name: $0.name, content: base64($0.bytes), packed: "") }
    }
}
