import BatonCore
import BatonSeams

/// Addresses and options of a playable for libmpv, and its name for people.
extension Playable {
    enum Kind {
        case file, url, parts

        /// Protocols that the opened file may use in turn. A file may use none (no protocol has that name); a URL may be an HLS stream,
        /// whose segments come over these few protocols.
        var protocols: String {
            switch self {
            case .file, .parts: "none"
            case .url: "[http,https,httpproxy,tls,tcp,crypto,data]"
            }
        }
    }

    var kind: Kind {
        // Parts, too, are segments of files.
        guard trim == nil else { return .parts }
        return switch location {
        case .file, .bytes: .file
        case .url: .url
        case .parts: .parts
        }
    }

    /// Start of the item on libmpv's time scale.
    var offsetMs: Milliseconds { max(0, startMs ?? 0) }

    var isPart: Bool { startMs != nil || endMs != nil }

    /// Length of a part that has an end.
    var lengthUs: Microseconds? { endMs.map { Self.cutUs(ms: $0) - Self.cutUs(ms: offsetMs) } }

    /// Length of the item, in a file of this many seconds.
    func partMs(ofSeconds seconds: Double?) -> Milliseconds? {
        let wholeMs = seconds.flatMap { (0..<1e9).contains($0) ? Milliseconds.seconds($0) : nil }
        return [endMs, wholeMs].compactMap { $0 }.min().map { max(0, $0 - offsetMs) }
    }

    /// The reason why the item must not reach libmpv, whose other protocols reach further than a hub should.
    var refusal: String? {
        switch location {
        case .file, .bytes: nil
        case .parts(let parts): parts.isEmpty ? "This book has no parts." : nil
        case .url(let url):
            ["http://", "https://"].contains { url.lowercased().hasPrefix($0) } ? nil : "Only http and https URLs can be played."
        }
    }

    /// Options for this file that differ from the player's. Each header is appended separately, which needs no escaping; one with a line
    /// break would become two and is skipped.
    func options(startUs: Microseconds) -> [MPVNode.Pair] {
        var options: [MPVNode.Pair] = []
        if startUs > 0, let trim {
            options.append(MPVNode.Pair(key: "start", value: .text(Self.plainSeconds(us: trim.cuts.leftUs(ofItemUs: startUs)))))
        } else if startUs > 0 {
            let isWhole = startUs % 1000 == 0
            let seconds =
                isWhole ? Self.seconds(ms: offsetMs + Milliseconds(startUs)) : Self.seconds(us: Self.cutUs(ms: offsetMs) + startUs)
            options.append(MPVNode.Pair(key: "start", value: .text(seconds)))
        } else if offsetMs > 0 {
            options.append(MPVNode.Pair(key: "start", value: .text(Self.seconds(cutMs: offsetMs))))
        }
        if let endMs { options.append(MPVNode.Pair(key: "end", value: .text(Self.seconds(cutMs: endMs)))) }
        if kind == .url {
            options.append(MPVNode.Pair(key: "demuxer-lavf-o", value: .text("protocol_whitelist=\(kind.protocols)")))
        }
        if kind == .parts { options += Joint.opening.map { MPVNode.Pair(key: $0.name, value: .text($0.value)) } }
        // Sound that is stored on disk need not be held in memory too.
        if keepsPast { options.append(MPVNode.Pair(key: "cache-secs", value: .text(Self.heldSeconds))) }
        // For bytes that the hub reads itself, it has sent the headers already.
        guard kind == .url else { return options }
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where !Self.breaksLine(name) && !Self.breaksLine(value) {
            options.append(MPVNode.Pair(key: "http-header-fields-append", value: .text("\(name): \(value)")))
        }
        return options
    }

    /// True if both open with the same options. libmpv opens the next entry early with the options of the current one, so a source's
    /// headers could reach another source. Bytes that the hub reads have no such options, so files and tracks of all servers follow each
    /// other without a gap.
    func opensLike(_ other: Playable) -> Bool {
        kind == other.kind && (kind != .url || (headers.isEmpty && other.headers.isEmpty))
    }

    /// True if the bytes come over a network, so that libmpv has to buffer some and report when they run out.
    var needsStore: Bool {
        if case .bytes = location { true } else { false }
    }

    /// True for a station whose past is stored on disk.
    var keepsPast: Bool {
        if case .bytes(let bytes) = location { (bytes.content as? any TitledBytes)?.keepsPast == true } else { false }
    }

    private static let heldSeconds = "20"

    /// The last part of the path without the query, for people.
    var name: String {
        let place: Substring
        switch location {
        case .file(let file): place = file.path[...]
        case .bytes(let bytes): place = bytes.name[...]
        case .parts(let parts): place = parts.first?.folder ?? ""
        case .url(let url): place = url.prefix { $0 != "?" && $0 != "#" }
        }
        return String(place.split(separator: "/").last ?? place)
    }

    /// A file's name without its extension.
    var bareName: String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    private static func breaksLine(_ text: String) -> Bool {
        text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }
    }

    /// The start or end of a part of a file. Cue sheets count frames of 1/75 second, each of which is a whole number of samples at every
    /// usual rate; only every third millisecond is.
    static func cutUs(ms: Milliseconds) -> Microseconds {
        let frame = (ms.count * 75 + 999) / 1000
        return frame * 1000 / 75 == ms.count ? frameUs(frame) : Microseconds(ms)
    }

    /// The last such frame that is not after this time.
    static func cutUs(before us: Microseconds) -> Microseconds { frameUs(us.count * 75 / 1_000_000) }

    private static func frameUs(_ frame: Int64) -> Microseconds { Microseconds(count: (frame * 1_000_000 + 37) / 75) }

    /// libmpv counts whole samples up to a cut, so a cut on the edge of a sample would sometimes come one sample early. The margin is less
    /// than a sample at 192 kHz.
    private static let marginUs: Microseconds = 5

    static func seconds(cutMs: Milliseconds) -> String { seconds(us: cutUs(ms: cutMs)) }

    static func seconds(us exactUs: Microseconds) -> String { plainSeconds(us: exactUs + marginUs) }

    static func plainSeconds(us: Microseconds) -> String {
        let fraction = String(us.count % 1_000_000)
        return "\(us / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }

    /// Seconds in libmpv's format, independent of the locale.
    static func seconds(ms: Milliseconds) -> String {
        let fraction = String(ms.count % 1000)
        return "\(ms / 1000)." + String(repeating: "0", count: 3 - fraction.utf8.count) + fraction
    }
}

extension Playable.Part {
    /// The folder of the parts, which people know a book by.
    fileprivate var folder: Substring { file.path[..<(file.path.lastIndex(of: "/") ?? file.path.startIndex)] }
}
