import BatonCore
import BatonSeams

/// Long answers about songs, in pieces: a piece is read and written on a thread that may block, and the next one when the client has taken it. So a
/// whole library needs the memory of two pieces, and a client that does not read costs no more.
@Loop
struct SongStream {
    let session: Session

    /// Songs of one piece.
    nonisolated static let piece = 1_024
    /// Bytes that may wait for a client before the next piece is read.
    nonisolated static let waitingBytes = 1 << 18

    /// The part of a list that was read, and where the next begins.
    private struct Piece: Sendable {
        var bytes: [UInt8]
        var next: SongPlace?
        /// Songs that were found so far, for a window.
        var found = 0
    }

    /// Sends songs and folders below a folder.
    func tree(
        below folder: String, depth: SongDepth, showsSongs: Bool
    ) async throws(Ack) {
        let songs = try session.songs()
        let tags = session.tags
        var next: SongPlace?
        repeat {
            let after = next
            let piece = try await session.offLoop { () throws(SourceFault) in
                let page = try songs.rows(below: folder, depth: depth, after: after, most: Self.piece)
                var text = SongText(tags)
                for row in page.rows { Self.add(row, to: &text, showsSongs: showsSongs) }
                return Piece(bytes: text.bytes, next: page.next)
            }
            try await session.send(piece.bytes)
            next = piece.next
        } while next != nil
    }

    private nonisolated static func add(_ row: SongOrFolder, to text: inout SongText, showsSongs: Bool) {
        switch row {
        case .song(let song): if showsSongs { text.add(song) } else { text.addPath(of: song) }
        case .folder(let path, let changed): text.add(folder: path, changed: showsSongs ? changed : nil)
        }
    }

    /// Sends the songs that a question finds.
    func found(_ question: SongQuestion) async throws(Ack) {
        let tags = session.tags
        guard question.order == nil else {
            var text = SongText(tags, showsFormat: false)
            let found = try await collect(question)
            for start in stride(from: 0, to: found.count, by: Self.piece) {
                for song in found[start..<min(start + Self.piece, found.count)] { text.add(song) }
                try await session.send(text.take())
            }
            return
        }
        try await each(question) { songs in
            var text = SongText(tags)
            for song in songs { text.add(song) }
            return text.bytes
        } take: { (bytes: [UInt8]) async throws(Ack) in
            try await session.send(bytes)
        }
    }

    /// All songs that a question finds, in its order and within its window.
    func collect(_ question: SongQuestion) async throws(Ack) -> [Song] {
        var all: [Song] = []
        try await each(question) {
            $0
        } take: { (songs: [Song]) async throws(Ack) in
            all += songs
        }
        guard let order = question.order else { return all }
        let found = all
        return try await session.offLoop { () throws(SourceFault) in Array(order.sorted(found)[question.window.within(found.count)]) }
    }

    /// Calls `take` for what `make` makes of the songs of each piece that match. `make` runs on a thread that may block. A question with an order gets
    /// all songs, since its window is that of the sorted ones.
    func each<Value: Sendable>(
        _ question: SongQuestion, _ make: @escaping @Sendable ([Song]) -> Value, take: @Loop (Value) async throws(Ack) -> Void
    ) async throws(Ack) {
        let songs = try session.songs()
        let base = try await base(of: question, songs)
        let search = question.filter.search
        let tester = try SongTester(question.filter)
        let window = question.order == nil ? question.window : .everything
        if case .song(let song)? = base { return try await take(make(tester.matches(song) && window.start == 0 ? [song] : [])) }
        var next: SongPlace?
        var found = 0
        repeat {
            let after = next
            let before = found
            let (value, rest, count) = try await session.offLoop { () throws(SourceFault) in
                let page = try songs.songs(search, after: after, most: Self.piece)
                let matching = page.rows.filter { tester.matches($0) }
                let wanted = matching.indices.filter { before + $0 >= window.start && before + $0 < window.end }
                return (make(wanted.map { matching[$0] }), page.next, matching.count)
            }
            found += count
            try await take(value)
            next = found >= window.end ? nil : rest
        } while next != nil
    }

    /// The folder to which a filter is limited, or the one song; `nil` without one. The original refuses a filter whose folder does not exist.
    private func base(of question: SongQuestion, _ songs: any SongReading) async throws(Ack) -> SongOrFolder? {
        guard let base = question.filter.base, !base.isEmpty else { return nil }
        guard let row = try await session.offLoop({ () throws(SourceFault) in try songs.row(atPath: base) }) else { throw .noSuchDirectory }
        return row
    }
}
