import BatonCore
import BatonSeams

/// What a file or stream says about itself, in the room's words. Containers disagree on the case
/// and on the spelling of keys; only what is really there is filled in.
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
        if !isLive, let seconds = durationSeconds, seconds > 0, seconds < 1e9 { durationMs = Int((seconds * 1000).rounded()) }
        durationMs = playable.durationMs ?? durationMs
        // While a station plays, a title inside the stream is the piece's, not the station's.
        if isLive, let station { title = station }
        // Streams in Ogg say what they play in the tags of each piece.
        if playable.isLive, station == nil, streamTitle == nil, let piece = values["title"] {
            streamTitle = (artists + [piece]).joined(separator: " - ")
            title = playable.kind == .file ? playable.bareName : ""
            artists = []
            album = ""
        }
    }

    /// The first four digits in a row: dates come as 1999, 1999-05-01, 01/05/1999.
    private static func year(_ text: String) -> Int? {
        text.utf8.split { !(48...57).contains($0) }.first { $0.count == 4 }
            .flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    }
}

/// Metadata with keys that do not mind their case.
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

    /// Several values in one are parted by a semicolon; a slash or a comma is part of many names.
    func all(_ keys: String...) -> [String] {
        (first(of: keys) ?? "").split { $0 == ";" || $0 == "\0" }.map { Self.trimmed(String($0)) }.filter { !$0.isEmpty }
    }

    /// `3`, `03` and `3/12` are all 3.
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
    /// `nil` until the decoder has spoken.
    init?(codec: String?, parameters: MPVNode) {
        guard let codec, let rate = parameters["samplerate"]?.integer, let channels = parameters["channel-count"]?.integer
        else { return nil }
        self.init(
            codec: codec, rate: Int(rate), bits: Self.bits(codec: codec, format: parameters["format"]?.text ?? ""),
            channels: Int(channels))
    }

    private static let lossless: Set<String> = ["alac", "ape", "flac", "mlp", "tak", "truehd", "tta", "wavpack", "wmalossless"]

    /// Bits mean something only where the samples were stored as such. Lossless decoders give 24 bit
    /// sound as 32 bit samples.
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
    /// libmpv's list without its own `auto`, which is no device.
    static func list(_ node: MPVNode) -> [AudioDevice] {
        (node.list ?? []).compactMap { device in
            guard let name = device["name"]?.text, name != "auto" else { return nil }
            return AudioDevice(name: name, label: device["description"]?.text ?? name)
        }
    }
}
