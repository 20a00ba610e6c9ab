/// Caches lists for a few minutes, so that scrolling back and forth fetches them once. Limited in rows and time, and
/// emptied after each change made through this connector.
import BatonCore
import BatonSeams

actor AnswerCache {
    /// The rows of one answer, with the version of their list.
    struct Answer: Equatable, Sendable {
        var rows: [ItemRow]
        var version: String?
        /// The list itself as a row, if the answer includes it.
        var head: ItemRow?
        /// The answer has as many rows as requested, so more may follow.
        var isFull = false
    }

    private struct CachedAnswer {
        var answer: Answer
        var atMs: Milliseconds
        var used: UInt64
    }

    private let clock: Clock
    private var kept: [String: CachedAnswer] = [:]
    private var rows = 0
    private var uses: UInt64 = 0
    /// Counts calls of `forget`, so that an answer requested before one is not cached.
    private var generation = 0

    private static let mostRows = 20_000
    private static let freshMs: Milliseconds = 300_000

    init(_ clock: Clock) { self.clock = clock }

    /// The cached answer with this name, or a fetched one.
    func answer(
        _ name: String, _ fetch: @Sendable () async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        uses += 1
        if let known = kept[name], clock.nowMs - known.atMs < Self.freshMs {
            kept[name]?.used = uses
            return known.answer
        }
        let before = generation
        let answer = try await fetch()
        if before == generation { store(answer, name) }
        return answer
    }

    func forget() {
        generation += 1
        kept = [:]
        rows = 0
    }

    func forget(_ name: String) {
        if let old = kept.removeValue(forKey: name) { rows -= old.answer.rows.count + 1 }
    }

    private func store(_ answer: Answer, _ name: String) {
        forget(name)
        kept[name] = CachedAnswer(answer: answer, atMs: clock.nowMs, used: uses)
        rows += answer.rows.count + 1
        while rows > Self.mostRows, kept.count > 1, let oldest = kept.min(by: { $0.value.used < $1.value.used })?.key {
            rows -= (kept.removeValue(forKey: oldest)?.answer.rows.count ?? 0) + 1
        }
    }
}

/// Facts about songs from lists that were fetched, so that a song from a list plays without another request for its
/// length and format.
actor KnownSongs {
    private var facts: [String: SongFacts] = [:]
    private var order: [String] = []
    private static let most = 4_000

    func note(_ songs: [SongFacts]) {
        for song in songs {
            if facts.updateValue(song, forKey: song.id) == nil { order.append(song.id) }
        }
        if order.count > Self.most {
            for id in order.prefix(order.count - Self.most * 3 / 4) { facts[id] = nil }
            order.removeFirst(order.count - Self.most * 3 / 4)
        }
    }

    subscript(id: String) -> SongFacts? { facts[id] }

    /// Drops the song's length, because its file may have changed on the server.
    func forget(_ id: String) { facts[id]?.bytes = nil }
}

/// A song's file on its server.
struct SongFacts: Equatable, Sendable {
    var id: String
    var title: String
    /// The size; `nil` if the server does not tell it, or tells an impossible one.
    var bytes: Int64?
    var suffix: String?
    var durationMs: Milliseconds?

    init?(_ record: SubsonicRecord) {
        guard let id = record.text("id") else { return nil }
        self.id = id
        title = String((record.text("title", "name") ?? "track").prefix(100))
        bytes = record.int("size").flatMap { $0 > 0 ? Int64($0) : nil }
        suffix = record.text("suffix").flatMap(Self.plain) ?? record.text("contentType").flatMap(Self.suffix)
        durationMs = record.double("duration").flatMap { $0 > 0 && $0 < 31_536_000 ? Milliseconds.seconds($0) : nil }
    }

    private static func plain(_ suffix: String) -> String? {
        let isPlain = 1...8 ~= suffix.utf8.count && suffix.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain ? suffix.lowercased() : nil
    }

    private static func suffix(of type: String) -> String? {
        switch type.lowercased().prefix(while: { $0 != ";" }) {
        case "audio/mpeg": "mp3"
        case "audio/flac", "audio/x-flac": "flac"
        case "audio/ogg", "application/ogg": "ogg"
        case "audio/opus": "opus"
        case "audio/mp4", "audio/x-m4a", "audio/m4a": "m4a"
        case "audio/aac": "aac"
        case "audio/wav", "audio/x-wav": "wav"
        default: nil
        }
    }

    /// A file name whose suffix tells decoders the format. No part of it is a path.
    func name(_ suffix: String?) -> String {
        let stem = title.replacing("/", with: "-").filter { !$0.isNewline && $0 != "\0" }
        return suffix.map { "\(stem).\($0)" } ?? stem
    }
}
