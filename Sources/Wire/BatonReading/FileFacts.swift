/// The metadata of one music file: unchanged tags, in the file's own encoding. The hub interprets them.
package struct FileFacts: Equatable, Sendable {
    package struct Tag: Equatable, Sendable {
        package var name: [UInt8]
        package var value: [UInt8]

        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    package struct Part: Equatable, Sendable {
        package var title: [UInt8]
        package var startMs: Int64
        package var endMs: Int64

        package init(title: [UInt8], startMs: Int64, endMs: Int64) {
            self.title = title
            self.startMs = startMs
            self.endMs = endMs
        }
    }

    /// Loudness as the encoder measured it: in millionths of a decibel, peaks in millionths of full scale.
    package struct Loudness: Equatable, Sendable {
        package var track: Int64?
        package var album: Int64?
        package var trackPeak: Int64?
        package var albumPeak: Int64?

        package init() {}
    }

    package struct Cover: Equatable, Sendable {
        /// The first half of the hash of its bytes.
        package var name: UInt64
        package var header: PictureHeader

        package init(name: UInt64, header: PictureHeader) {
            self.name = name
            self.header = header
        }
    }

    package struct Content: Equatable, Sendable {
        package var high: UInt64
        package var low: UInt64

        package init(high: UInt64 = 0, low: UInt64 = 0) {
            self.high = high
            self.low = low
        }
    }

    /// The hash of the file's size and of three pieces of it.
    package var content = Content()
    /// As exact as the file states it: files that follow each other without a gap are cut at these lengths.
    package var durationUs: Int64?
    package var codec: [UInt8] = []
    /// 0 if it is not known.
    package var rate: UInt32 = 0
    package var bits: UInt8 = 0
    package var channels: UInt8 = 0
    package var loudness = Loudness()
    package var tags: [Tag] = []
    package var parts: [Part] = []
    package var cover: Cover?

    package init() {}

    package static let mostTags = 512
    package static let longestName = 256
    /// Limit for values; the reader leaves out longer ones, since no title is that long.
    package static let longestValue = 4_096
    /// Limit for lyrics and cue sheets.
    package static let longestText = 262_144
    package static let mostParts = 4_096
    /// Ten years.
    private static let longestMs: Int64 = 315_360_000_000

    /// Whether the tag is within its limit, which is higher for lyrics and cue sheets.
    package static func admits(_ tag: Tag) -> Bool {
        if tag.name.count > longestName || tag.value.count > longestText { return false }
        if tag.value.count <= longestValue { return true }
        let name = String(decoding: tag.name, as: UTF8.self).lowercased()
        return name.contains("lyrics") || name == "cuesheet"
    }

    /// The value, if it is within the bounds that the other side checks.
    package static func sensible(ms: Int64) -> Int64? { (0...longestMs).contains(ms) ? ms : nil }
    package static func sensible(us: Int64) -> Int64? { (0...longestMs * 1_000).contains(us) ? us : nil }

    func write(to writer: inout ByteWriter) {
        writer.put(content.high)
        writer.put(content.low)
        writer.put(durationUs ?? -1)
        writer.put(codec)
        writer.put(rate)
        writer.put(bits)
        writer.put(channels)
        for figure in [loudness.track, loudness.album, loudness.trackPeak, loudness.albumPeak] { writer.put(figure ?? .min) }
        writer.put(UInt16(clamping: tags.count))
        for tag in tags {
            writer.put(tag.name)
            writer.put(tag.value)
        }
        writer.put(UInt16(clamping: parts.count))
        for part in parts {
            writer.put(part.title)
            writer.put(part.startMs)
            writer.put(part.endMs)
        }
        writer.put(UInt8(cover == nil ? 0 : 1))
        guard let cover else { return }
        writer.put(cover.name)
        cover.header.write(to: &writer)
    }

    init(from reader: inout ByteReader) throws(MalformedMessage) {
        content = Content(high: try reader.number(), low: try reader.number())
        let duration = try reader.number(Int64.self, in: -1...Self.longestMs * 1_000)
        durationUs = duration < 0 ? nil : duration
        codec = try reader.data(most: 64)
        rate = try reader.number(UInt32.self, in: 0...100_000_000)
        bits = try reader.number(UInt8.self, in: 0...64)
        channels = try reader.number()
        loudness = try Self.loudness(from: &reader)
        for _ in 0..<(try reader.number(UInt16.self, in: 0...UInt16(Self.mostTags))) {
            let tag = Tag(name: try reader.data(most: Self.longestName), value: try reader.data(most: Self.longestText))
            guard Self.admits(tag) else { throw MalformedMessage() }
            tags.append(tag)
        }
        for _ in 0..<(try reader.number(UInt16.self, in: 0...UInt16(Self.mostParts))) {
            let title = try reader.data(most: Self.longestValue)
            let start = try reader.number(Int64.self, in: 0...Self.longestMs)
            parts.append(Part(title: title, startMs: start, endMs: try reader.number(Int64.self, in: start...Self.longestMs)))
        }
        guard try reader.number(UInt8.self, in: 0...1) == 1 else { return }
        cover = Cover(name: try reader.number(), header: try PictureHeader(from: &reader))
    }

    private static func loudness(from reader: inout ByteReader) throws(MalformedMessage) -> Loudness {
        var loudness = Loudness()
        loudness.track = try figure(from: &reader)
        loudness.album = try figure(from: &reader)
        loudness.trackPeak = try figure(from: &reader)
        loudness.albumPeak = try figure(from: &reader)
        return loudness
    }

    private static func figure(from reader: inout ByteReader) throws(MalformedMessage) -> Int64? {
        let value = try reader.number(Int64.self)
        if value == .min { return nil }
        guard (-1_000_000_000...1_000_000_000).contains(value) else { throw MalformedMessage() }
        return value
    }
}
