import BatonClient
import BatonCore
import BatonProtocol
import BatonWire

@testable import baton

/// A remote's state for tests, as the hub would say it.
extension TopModel {
    static func sample(columns: Int = 80, rows: Int = 24, title: String = "Kid A", entries: Int = 12, art: String? = nil) throws -> TopModel
    {
        var model = TopModel()
        model.resize(columns: columns, rows: rows)
        model.take(try mirror(title: title, entries: entries, art: art))
        model.take(try queue(entries))
        model.positionMs = 60_000
        return model
    }

    static func id(_ number: Int) -> EntryID { EntryID(UInt64(number)) }

    static func mirror(
        title: String = "Kid A", current: Int = 1, entries: Int = 12, level: Int = 35, state: String = "playing", art: String? = nil,
        revision: Int = 5, queueRevision: Int = 3
    ) throws -> Mirror {
        let picture = art.map { #","art":{"id":"\#($0)"}"# } ?? ""
        let text = #"""
            {"t":"state","full":1,"rev":\#(revision),"room":"main","s":{"vol":{"level":\#(level),"mute":false},
            "now":{"entry":"\#(id(current).text)","kind":"track","uri":"lib:track/1","title":"\#(title)","artists":["Radiohead"],"album":"Kid A","year":2000,
            "durMs":284000\#(picture)},"tl":{"entry":"\#(id(current).text)","posMs":60000,"atUs":2000000,"rate":1000,"st":"\#(state)"},
            "modes":{"repeat":false,"shuffle":false,"speed":1000},
            "queue":{"rev":\#(queueRevision),"len":\#(entries),"idx":\#(current - 1),"cur":"\#(id(current).text)","nextText":"Optimistic"},
            "hub":{"id":"h","version":"1","name":"House"},
            "rooms":{"list":[{"id":"main","name":"Kitchen","st":"\#(state)","level":\#(level),"mute":false},
            {"id":"bad","name":"Bath","st":"stopped","level":20,"mute":false}]}}}
            """#
        return try applied(text)
    }

    static func applied(_ text: String) throws -> Mirror {
        guard case .state(let update) = try HubMessage.decode(Array(text.utf8)) else { throw Stop(.usage, "no state") }
        var mirror = Mirror()
        _ = try mirror.apply(update)
        return mirror
    }

    static func queue(_ count: Int, revision: Int = 3, current: Int = 1) throws -> QueueMirror {
        try queue(Array(1...max(1, count)), revision: revision, current: current)
    }

    static func queue(_ numbers: [Int], revision: Int = 3, current: Int = 1) throws -> QueueMirror {
        var queue = QueueMirror()
        let rows = numbers.map { number in
            var tags = Tags(title: "Song \(number)", artists: ["Artist \(number)"], durationMs: Milliseconds(180_000 + number * 1000))
            tags.album = "Album"
            return QueueRow(entry: id(number), uri: nil, tags: tags)
        }
        queue.take(QueuePage(rows, revision: revision, length: rows.count, current: id(current), from: 0))
        return queue
    }

    mutating func type(_ text: String) -> [TopEffect] { text.flatMap { press(.character($0)) } }
}

extension TopDrawing {
    var lines: [String] {
        (0..<frame.height).map { row in
            let text = frame.text(ofRow: row)
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    var text: String { lines.joined(separator: "\n") }
}
