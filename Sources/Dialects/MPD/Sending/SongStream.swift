import BatonCore
import BatonSeams

/// Long answers about songs, page by page: pages are read and written on threads that may block, and a page is sent when the client has taken the
/// one before. So a whole library needs the memory of four pages, and a client that does not read costs no more.
@Loop
struct SongStream {
    let session: Session

    /// Songs of one page. Their text is smaller than what the allocator asks the system for, block by block.
    nonisolated static let piece = 384
    /// Bytes of the text of a usual song.
    private nonisolated static let songBytes = 272
    /// Bytes that may wait for a client before the next page is read.
    nonisolated static let waitingBytes = 1 << 18

    /// A value that was made of a page, and the place of the next page.
    private struct Page<Value: Sendable, Place: Sendable>: Sendable {
        var value: Value
        var next: Place?
        /// The place of the page behind the next one, as far as that is known.
        var following: Place?
        /// Songs of the page that were found.
        var found = 0
    }

    /// Calls `take` for each page of a list, in their order. Up to two pages are read meanwhile; but none where the list has a window, of which the
    /// first page may be all.
    private func pages<Value: Sendable, Place: Sendable>(
        within window: SongRange = .everything,
        _ read: @escaping @Sendable (_ from: Place?, _ found: Int) throws(SourceFault) -> Page<Value, Place>,
        take: @Loop (Value) async throws(Ack) -> Void
    ) async throws(Ack) {
        var pages = [try await session.offLoop { () throws(SourceFault) in try read(nil, 0) }]
        var found = pages[0].found
        while let next = pages.last?.next, found < window.end {
            let reading = { @Sendable [found] () throws(SourceFault) in try read(next, found) }
            if window == .everything {
                let following = pages.last?.following
                async let first = session.answer(reading)
                async let second = following == nil ? nil : session.answer { () throws(SourceFault) in try read(following, 0) }
                for page in pages { try await take(page.value) }
                pages = [try await first.get()]
                if let page = try await second?.get() { pages.append(page) }
            } else {
                try await take(pages[0].value)
                pages = [try await session.offLoop(reading)]
            }
            found += pages[0].found
        }
        for page in pages { try await take(page.value) }
    }

    /// Sends songs and folders below a folder.
    func tree(
        below folder: String, depth: SongDepth, showsSongs: Bool
    ) async throws(Ack) {
        let songs = try session.songs()
        let tags = session.tags
        try await pages { (after: SongPlace?, _) throws(SourceFault) in
            // The first page may be all, and an answer keeps its memory until the client has read it.
            var text = Self.text(tags, of: after == nil ? 0 : Self.piece)
            let next = try songs.eachRow(below: folder, depth: depth, after: after, most: Self.piece) { row in
                Self.add(row, to: &text, showsSongs: showsSongs)
            }
            var page = Page<[UInt8], SongPlace>(value: text.bytes, next: next)
            if let next, depth == .tree { page.following = try songs.place(below: folder, after: next, skipping: Self.piece) }
            return page
        } take: { (bytes: [UInt8]) async throws(Ack) in
            try await session.send(bytes)
        }
    }

    /// An empty text with room for so many songs.
    private nonisolated static func text(_ tags: TagSet, of songs: Int) -> SongText { SongText(tags, bytes: songs * songBytes) }

    private nonisolated static func add(_ row: LentRow, to text: inout SongText, showsSongs: Bool) {
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
            var text = Self.text(tags, of: songs.count)
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

    /// Calls `take` for what `make` makes of the songs of each page that match. `make` runs on a thread that may block. A question with an order gets
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
        let match = { @Sendable (rows: [Song], before: Int) in
            let matching = rows.filter { tester.matches($0) }
            let wanted = SongRange(start: max(0, window.start - before), end: window.end - before).within(matching.count)
            return (value: make(Array(matching[wanted])), count: matching.count)
        }
        guard let numbers = try await session.offLoop({ () throws(SourceFault) in try songs.find(search, isWhole: window == .everything) })
        else {
            return try await pages(
                within: window,
                { (after: SongPlace?, before: Int) throws(SourceFault) in
                    let page = try songs.songs(search, after: after, most: Self.piece)
                    let matching = match(page.rows, before)
                    return Page(value: matching.value, next: page.next, found: matching.count)
                }, take: take)
        }
        try await pages(
            within: window,
            { (from: Int?, before: Int) throws(SourceFault) in
                let places = numbers[(from ?? 0)...].prefix(Self.piece).indices
                let matching = match(try songs.songs(numbered: numbers[places]), before)
                let (next, following) = (places.upperBound, places.upperBound + Self.piece)
                return Page(
                    value: matching.value, next: next < numbers.count ? next : nil, following: following < numbers.count ? following : nil,
                    found: matching.count)
            }, take: take)
    }

    /// The folder to which a filter is limited, or the one song; `nil` without one. The original refuses a filter whose folder does not exist.
    private func base(of question: SongQuestion, _ songs: any SongReading) async throws(Ack) -> SongOrFolder? {
        guard let base = question.filter.base, !base.isEmpty else { return nil }
        guard let row = try await session.offLoop({ () throws(SourceFault) in try songs.row(atPath: base) }) else { throw .noSuchDirectory }
        return row
    }
}
