package import BatonCore

/// The watch's short sections: the same facts in as few bytes as a wrist needs, made from the full
/// ones. Flags are 0 and 1, times are milliseconds.

/// `n`: what is current.
package struct WatchItem: SectionContent {
    package static let section = Section.watchItem

    package var entry: EntryID
    package var title: String
    package var artist: String
    /// `nil` for what has no end.
    package var seconds: Int?
    package var art: String?
    /// The picture's ground colour, `0xRRGGBB`, for a wrist that shows no pictures.
    package var colour: Int?

    package init(entry: EntryID, title: String, artist: String, seconds: Int?, art: String? = nil, colour: Int? = nil) {
        self.entry = entry
        self.title = title
        self.artist = artist
        self.seconds = seconds
        self.art = art
        self.colour = colour
    }

    /// While a station tells what it plays, that is the title and the station stands below it.
    package init(_ now: NowSection) {
        let tags = now.tags
        let line = (title: tags.streamTitle ?? tags.title, below: tags.artists.joined(separator: ", "))
        self.init(
            entry: now.entry, title: line.title,
            artist: tags.streamTitle != nil && line.below.isEmpty ? tags.title : line.below,
            seconds: tags.durationMs.map { ($0 + 500) / 1000 }, art: tags.art?.id,
            colour: tags.art?.colours.first)
    }

    package func encode(into writer: inout JSONWriter) {
        writer.object { item in
            item.member("i", entry.text)
            item.member("t", DisplayText.watch.cut(title))
            item.member("a", DisplayText.watch.cut(artist))
            item.member("d", ifPresent: seconds)
            item.member("c", ifPresent: art)
            item.member("k", ifPresent: colour.map { String(Artwork.text(of: $0).dropFirst()) })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .watchItem)
        entry = try fields.required("i", fields.entry("i"))
        title = try fields.text("t") ?? ""
        artist = try fields.text("a") ?? ""
        seconds = try fields.count("d")
        art = try fields.text("c")
        colour = try fields.text("k").flatMap { $0.utf8.count == 6 ? Int($0, radix: 16) : nil }
    }
}

/// `l`: the line, as `[posMs, atMs, rate]`.
package struct WatchLine: SectionContent {
    package static let section = Section.watchLine

    package var positionMs: Int
    package var atMs: Int64
    package var rate: Int

    package init(positionMs: Int, atMs: Int64, rate: Int) {
        self.positionMs = positionMs
        self.atMs = atMs
        self.rate = rate
    }

    package init(_ line: TimelineSection) {
        self.init(positionMs: line.positionMs, atMs: line.atUs / 1000, rate: line.rate)
    }

    package func encode(into writer: inout JSONWriter) {
        writer.array {
            $0.int(positionMs)
            $0.int(atMs)
            $0.int(rate)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let numbers = try value.numbers(3, .watchLine)
        self.init(positionMs: Int(numbers[0]), atMs: numbers[1], rate: Int(numbers[2]))
    }
}

/// `v`: `[level, mute]`.
package struct WatchVolume: SectionContent {
    package static let section = Section.watchVolume

    package var level: Int
    package var isMuted: Bool

    package init(level: Int, isMuted: Bool) {
        self.level = level
        self.isMuted = isMuted
    }

    package init(_ volume: VolumeSection) { self.init(level: volume.level, isMuted: volume.isMuted) }

    package func encode(into writer: inout JSONWriter) {
        writer.array {
            $0.int(level)
            $0.int(isMuted ? 1 : 0)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let numbers = try value.numbers(2, .watchVolume)
        self.init(level: Int(numbers[0]), isMuted: numbers[1] != 0)
    }
}

/// `m`: `[repeat, shuffle]`, where repeat is 0 off, 1 one, 2 all.
package struct WatchModes: SectionContent {
    package static let section = Section.watchModes

    package var `repeat`: Repeat
    package var shuffle: Bool

    package init(repeat: Repeat, shuffle: Bool) {
        self.repeat = `repeat`
        self.shuffle = shuffle
    }

    package init(_ modes: ModesSection) { self.init(repeat: modes.modes.repeat, shuffle: modes.modes.shuffle) }

    private static let repeats: [Repeat] = [.off, .one, .all]

    package func encode(into writer: inout JSONWriter) {
        writer.array {
            $0.int(Self.repeats.firstIndex(of: `repeat`) ?? 0)
            $0.int(shuffle ? 1 : 0)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let numbers = try value.numbers(2, .watchModes)
        let index = Int(numbers[0])
        self.init(repeat: Self.repeats.indices.contains(index) ? Self.repeats[index] : .off, shuffle: numbers[1] != 0)
    }
}

/// `r`: the room's name.
package struct WatchRoom: SectionContent {
    package static let section = Section.watchRoom

    package var name: String

    package init(_ name: String) { self.name = name }

    package func encode(into writer: inout JSONWriter) { writer.string(DisplayText.watch.cut(name)) }

    package init(from value: JSON) throws(ProtocolFault) { name = try value.text(.watchRoom) }
}

/// `x`: the newest problem as one line; absent when all is well.
package struct WatchProblem: SectionContent {
    package static let section = Section.watchProblem

    package var message: String

    package init(_ message: String) { self.message = message }

    package func encode(into writer: inout JSONWriter) { writer.string(DisplayText.watch.cut(message)) }

    package init(from value: JSON) throws(ProtocolFault) { message = try value.text(.watchProblem) }
}

extension JSON {
    /// A section that is a short list of numbers. A longer one is from a newer hub, and what is known
    /// of it comes first.
    fileprivate func numbers(_ count: Int, _ section: Section) throws(ProtocolFault) -> [Int64] {
        let numbers = array?.compactMap(\.int) ?? []
        guard numbers.count >= count else {
            throw ProtocolFault(.badRequest, "Section \(section.name) must be a list of \(count) integers.", at: "/s/\(section.name)")
        }
        return numbers
    }

    fileprivate func text(_ section: Section) throws(ProtocolFault) -> String {
        guard let string else { throw ProtocolFault(.badRequest, "Section \(section.name) must be text.", at: "/s/\(section.name)") }
        return string
    }
}
