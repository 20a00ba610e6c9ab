import BatonSeams

/// How a playable is named to libmpv, and to people.
extension Playable {
    enum Kind {
        case file, url

        /// What the opened thing itself may open in turn. A file nothing at all (no protocol has that
        /// name); a URL may be an HLS stream, whose pieces come over the same few protocols.
        var protocols: String {
            switch self {
            case .file: "none"
            case .url: "[http,https,httpproxy,tls,tcp,crypto,data]"
            }
        }
    }

    var kind: Kind {
        switch location {
        case .file: .file
        case .url: .url
        }
    }

    var target: String {
        switch location {
        case .file(let path): path
        case .url(let url): url
        }
    }

    /// Why it must not reach libmpv, whose other protocols reach much further than a hub should.
    var refusal: String? {
        switch location {
        case .file(let path): path.utf8.first == UInt8(ascii: "/") ? nil : "Only a whole path can be played."
        case .url(let url):
            ["http://", "https://"].contains { url.lowercased().hasPrefix($0) } ? nil : "Only http and https URLs can be played."
        }
    }

    /// What differs from the options of the whole player. Each header is appended by itself, which
    /// needs no escaping; one with a line break would be two and is left out.
    func options(startMs: Int) -> [MPVNode.Pair] {
        var options = startMs > 0 ? [MPVNode.Pair(key: "start", value: .text(Self.seconds(ms: startMs)))] : []
        if kind == .url {
            options.append(MPVNode.Pair(key: "demuxer-lavf-o", value: .text("protocol_whitelist=\(kind.protocols)")))
        }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !Self.breaksLine(name) && !Self.breaksLine(value) {
            options.append(MPVNode.Pair(key: "http-header-fields-append", value: .text("\(name): \(value)")))
        }
        return options
    }

    /// libmpv opens the next entry early with the options of the one before. That is right only
    /// where they are the same: a source's headers must not reach another.
    func opensLike(_ other: Playable) -> Bool {
        kind == other.kind && headers.isEmpty && other.headers.isEmpty
    }

    /// The last part of the path, without query: what people know it by.
    var name: String {
        let path = target.prefix { kind == .file || ($0 != "?" && $0 != "#") }
        guard let last = path.split(separator: "/").last else { return target }
        return String(last)
    }

    /// A file's name without its extension.
    var bareName: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    private static func breaksLine(_ text: String) -> Bool {
        text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
    }

    /// As libmpv reads it, whatever the locale.
    static func seconds(ms: Int) -> String {
        let fraction = String(ms % 1000)
        return "\(ms / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}
