import BatonCore
import BatonSeams

/// Tags from the metadata of a file or stream. Containers disagree on the case and the spelling of keys; missing values stay empty.
extension Tags {
    init(metadata: MPVNode, durationSeconds: Double?, of playable: Playable) {
        self.init()
        let values = Metadata(metadata)
        let station = values["icy-name"]
        let isLive = playable.isLive || station != nil || values["icy-title"] != nil
        kind = isLive ? .station : .track
        title = values["title"] ?? station ?? (playable.kind == .file ? playable.bareName : "")
        artists = values.all("artist", "artists")
        album = values["album"] ?? station ?? ""
        albumArtist = values["album_artist", "albumartist", "album artist"] ?? ""
        track = values.number("track", "tracknumber")
        disc = values.number("disc", "discnumber", "disk")
        year = values["date", "originaldate", "year", "tyer", "tdor"].flatMap(Self.year)
        streamTitle = values["icy-title"]
        if !isLive, let seconds = durationSeconds, seconds > 0, seconds < 1e9 { durationMs = Milliseconds((seconds * 1000).rounded()) }
        durationMs = playable.durationMs ?? durationMs
        // While a station plays, a title inside the stream belongs to the piece and not to the station.
        if isLive, let station { title = station }
        // Ogg streams put the title of each piece in its tags.
        if playable.isLive, station == nil, streamTitle == nil, let piece = values["title"] {
            streamTitle = (artists + [piece]).joined(separator: " - ")
            title = playable.kind == .file ? playable.bareName : ""
            artists = []
            album = ""
        }
    }

    /// The first four digits in a row, since dates come as 1999, 1999-05-01 or 01/05/1999.
    private static func year(_ text: String) -> Int? {
        text.utf8.split { !(48...57).contains($0) }.first { $0.count == 4 }
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}

/// Metadata with keys that ignore case.
private struct Metadata {
    private var values: [String: String] = [:]

    init(_ node: MPVNode) {
        for pair in node.pairs ?? [] {
            guard let text = pair.value.text.map(Self.trimmed), !text.isEmpty else { continue }
            let key = pair.key.lowercased()
            if values[key] == nil { values[key] = text }
        }
    }

    subscript(keys: String...) -> String? { first(of: keys) }

    /// Splits several values at semicolons; slashes and commas are part of many names.
    func all(_ keys: String...) -> [String] {
        (first(of: keys) ?? "").split { $0 == ";" || $0 == "\0" }.map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
    }

    /// Reads `3`, `03` and `3/12` as 3.
    func number(_ keys: String...) -> Int? {
        guard let digits = first(of: keys)?.prefix(while: { $0.isASCII && $0.isNumber }), let number = Int(digits), number > 0
        else { return nil }
        return number
    }

    private func first(of keys: [String]) -> String? {
        for key in keys { if let value = values[key] { return value } }
        return nil
    }

    private static func trimmed(_ text: String) -> String {
        func isSpace(_ character: Character) -> Bool { character.isWhitespace }
        let start = text.drop(while: isSpace)
        return String(start.prefix(start.count - start.reversed().prefix(while: isSpace).count))
    }
}

extension SoundFormat {
    /// `nil` until the decoder reports its format.
    init?(codec: String?, parameters: MPVNode) {
        guard let codec, let rate = parameters["samplerate"]?.integer, let channels = parameters["channel-count"]?.integer
        else { return nil }
        self.init(
            codec: codec, rate: Int(rate), bits: Self.bits(codec: codec, format: parameters["format"]?.text ?? ""),
            channels: Int(channels))
    }

    private static let lossless: Set<String> = ["alac", "ape", "flac", "mlp", "tak", "truehd", "tta", "wavpack", "wmalossless"]

    /// Bits per sample, which are known only for sound that is stored as samples. Lossless decoders output 24-bit sound as 32-bit samples.
    private static func bits(codec: String, format: String) -> Int? {
        if codec.hasPrefix("pcm_") {
            let digits = codec.dropFirst(4).drop { !$0.isNumber }.prefix { $0.isNumber }
            return Int(digits)
        }
        guard lossless.contains(codec) else { return nil }
        let bits = ["u8": 8, "s16": 16, "s32": 24]
        return bits[format.hasSuffix("p") ? String(format.dropLast()) : format]
    }
}

extension AudioDevice {
    /// libmpv's list without `auto`, which is not a device.
    static func list(_ node: MPVNode) -> [AudioDevice] {
        (node.list ?? []).compactMap { device in
            guard let name = device["name"]?.text, name != "auto" else { return nil }
            return AudioDevice(name: name, label: device["description"]?.text ?? name)
        }
    }
}
