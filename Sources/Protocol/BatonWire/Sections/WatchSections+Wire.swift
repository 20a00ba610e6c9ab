import BatonCore
package import BatonProtocol

/// How `WatchItem` and what belongs to it are written as JSON and read from it.
extension WatchItem: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.object { item in
            item.member("i", entry.text)
            item.member("t", item.shown(title, .watch))
            item.member("a", item.shown(artist, .watch))
            item.member("d", ifPresent: seconds)
            item.flag("v", isLive)
            item.member("c", ifPresent: art)
            item.member("k", ifPresent: colour.map { String(Artwork.text(of: $0).dropFirst()) })
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .watchItem)
        self.init(
            entry: try fields.required("i", fields.entry("i")),
            title: try fields.text("t") ?? "",
            artist: try fields.text("a") ?? "",
            seconds: try fields.count("d"),
            isLive: try fields.flag("v"),
            art: try fields.text("c"),
            colour: try fields.text("k").flatMap { $0.utf8.count == 6 ? Int($0, radix: 16) : nil })
    }
}

extension WatchLine: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.array {
            $0.int(positionMs)
            $0.int(atMs)
            $0.int(rate)
            if let halt { $0.int(halt.rawValue) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let numbers = try value.numbers(3, .watchLine)
        self.init(
            positionMs: Int(numbers[0]), atMs: numbers[1], rate: Int(numbers[2]),
            halt: numbers.count > 3 ? Halt(rawValue: Int(numbers[3])) : nil)
    }
}

extension WatchVolume: SectionCoding {
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

extension WatchModes: SectionCoding {
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

extension WatchRoom: SectionCoding {
    package func encode(into writer: inout JSONWriter) { writer.string(writer.shown(name, .watch)) }

    package init(from value: JSON) throws(ProtocolFault) {
        self.init(
            try value.text(.watchRoom))
    }
}

extension WatchProblem: SectionCoding {
    package func encode(into writer: inout JSONWriter) { writer.string(writer.shown(message, .watch)) }

    package init(from value: JSON) throws(ProtocolFault) {
        self.init(
            try value.text(.watchProblem))
    }
}

extension WatchJob: SectionCoding {
    // Progress is sent once a second, so that a watch gets few bytes.
    private static let titleText = DisplayText(bytes: 20)
    private static let authorText = DisplayText(bytes: 9)

    package func encode(into writer: inout JSONWriter) {
        writer.object { job in
            job.member("t", job.shown(title, Self.titleText))
            if let author { job.member("b", job.shown(author, Self.authorText)) }
            if percent > 0 { job.member("p", percent) }
            job.member("e", ifPresent: dueMs)
            job.member("w", ifPresent: halt?.rawValue)
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let fields = try Fields(section: value, .watchJob)
        self.init(
            title: try fields.text("t") ?? "", author: try fields.text("b"), percent: try fields.count("p") ?? 0,
            dueMs: try fields.int64("e"), halt: try fields.count("w").flatMap(Halt.init(rawValue:)))
    }
}

extension WatchBook: SectionCoding {
    // A change of chapter costs a watch at most 120 bytes.
    private static let titleText = DisplayText(bytes: 40)

    package func encode(into writer: inout JSONWriter) {
        writer.array {
            $0.int(number)
            $0.int(count)
            $0.string($0.shown(title, Self.titleText))
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let elements = value.array ?? []
        guard elements.count >= 3, let number = elements[0].int, let count = elements[1].int, let title = elements[2].string else {
            throw ProtocolFault(.badRequest, "Section b must be a list of two integers and a text.", at: "/s/b")
        }
        self.init(number: Int(number), count: Int(count), title: title)
    }
}

extension WatchSleep: SectionCoding {
    package func encode(into writer: inout JSONWriter) {
        writer.array {
            $0.int(leftMs ?? -1)
            $0.int(atMs)
            $0.int(rate)
            if isOver { $0.int(1) }
        }
    }

    package init(from value: JSON) throws(ProtocolFault) {
        let numbers = try value.numbers(3, .watchSleep)
        self.init(
            leftMs: numbers[0] < 0 ? nil : Int(numbers[0]), atMs: numbers[1], rate: Int(numbers[2]),
            isOver: numbers.count > 3 && numbers[3] == 1)
    }
}

extension JSON {
    /// A section that is a short list of numbers. A longer one is from a newer hub, and the numbers that
    /// this version knows come first.
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
