package import BatonCore
package import BatonKernel
import BatonProtocol
package import BatonSeams

/// Stores whole copies of items that people name, so that they play while their server is down: the wishes, their tracks, the
/// marks of rows and the section `keep`. `KeepPlan` decides, and `KeepFetching` downloads.
///
/// A change is stored before it is answered. Changes run one after the other, since store and plan need the same order.
@Loop
package final class KeepService: WishKeeping, CopyKnowing {
    var plan = KeepPlan()
    private(set) var store: (any KeptTracks)?
    private(set) var limit: Int64 = 0
    let sources: Sources
    let clock: HubClock
    let log: Log
    private let publisher: StatePublisher
    private let rooms: RoomList
    private let ahead: ReadingAhead
    private let made: any PieceKeeping
    // These two live as long as this object and the hub.
    private(set) lazy var fetching = KeepFetching(for: self, rooms: rooms, ahead: ahead)
    private(set) lazy var review = KeepReview(self)
    private let changes = BackgroundQueue()
    private var revision = 0
    private var shownUs = Microseconds.min / 2
    private var alarm: (any Alarm)?
    private(set) var isClosed = false
    /// Time between two updates. Copies arrive faster than people look.
    private static let paceUs: Microseconds = 1_000_000

    init(
        sources: Sources, rooms: RoomList, ahead: ReadingAhead, made: any PieceKeeping, publisher: StatePublisher, clock: HubClock, log: Log
    ) {
        self.sources = sources
        self.publisher = publisher
        self.clock = clock
        self.log = log
        self.rooms = rooms
        self.ahead = ahead
        self.made = made
    }

    // MARK: Opening

    /// Opens the store. `limit` is valid until a command changes it.
    package func open(_ store: any KeptTracks, limit: Int64, rate: Int64, isPreferred: Bool) async throws(FeatureFault) {
        let contents: KeptContents
        do throws(SourceFault) {
            contents = try await sources.inBlockingPool { () async throws(SourceFault) in try store.contents() }
        } catch {
            throw FeatureFault("What is kept cannot be read, so nothing is: \(error.sentence)")
        }
        let known = Dictionary(contents.tracks.map { ($0.uri, $0.known) }, uniquingKeysWith: { first, _ in first })
        for wish in contents.wishes {
            plan.put(KeepPlan.Entry(wish.wish, title: wish.title, kind: wish.kind, members: wish.members), known)
        }
        self.store = store
        self.limit = contents.limit ?? limit
        fetching.pace = KeepPace(bytesPerSecond: rate)
        sources.keptTracks = store
        sources.prefersKept = isPreferred
        changed()
        sources.hold.whenOver { [weak self] in
            self?.fetching.consider()
            self?.review.begin()
        }
    }

    func close() async {
        isClosed = true
        alarm?.cancel()
        await review.close()
        await fetching.close()
        await changes.finish()
    }

    func opened() throws(SourceFault) -> any KeptTracks {
        guard let store else { throw SourceFault(.unsupported, "This hub was started without a place to keep tracks.") }
        return store
    }

    // MARK: Changing

    package func set(_ wish: KeepWish, _ isOn: Bool) async throws(SourceFault) -> Bool {
        if case .item(let uri) = wish, let piece = GenerationJob.id(in: uri) {
            return try await made.setKept(piece, isOn)
        }
        let store = try opened()
        guard isOn else {
            return try await inTurn { () async throws(SourceFault) in try await self.remove(wish, store) }
        }
        if plan.entry(of: wish)?.wish == wish {
            review.look(at: wish)
            return false
        }
        guard plan.entries.count < KeepPlan.mostWishes else {
            throw SourceFault(.quota, "A hub keeps \(KeepPlan.mostWishes) items and rules at most.")
        }
        let found = try await review.find(wish)
        try await inTurn { () async throws(SourceFault) in try await self.put(wish, found: found, into: store) }
        fetching.consider()
        return true
    }

    func setLimit(_ bytes: Int64) async throws(SourceFault) -> Bool {
        let store = try opened()
        guard bytes != limit else { return false }
        try await sources.inBlockingPool { () async throws(SourceFault) in try store.setLimit(bytes) }
        limit = bytes
        fetching.hasRoomAgain()
        changed()
        return true
    }

    /// Stores the wish with these tracks, and drops the others.
    func put(_ wish: KeepWish, found: KeepReview.Found, into store: any KeptTracks) async throws(SourceFault) {
        guard plan.tracks.count + found.tracks.count(where: { plan.tracks[$0.uri] == nil }) <= KeepPlan.mostTracks else {
            throw SourceFault(.quota, "A hub keeps \(KeepPlan.mostTracks) tracks at most.")
        }
        let before = plan
        let known = Dictionary(found.tracks.map { ($0.uri, $0.known) }, uniquingKeysWith: { first, _ in first })
        let entry = KeepPlan.Entry(wish, title: found.title, kind: found.kind, members: found.tracks.map(\.uri))
        let dropped = plan.put(entry, known)
        let kept = KeptContents.Wish(wish, title: found.title, kind: found.kind, members: plan.entry(of: wish)?.members ?? [])
        do throws(SourceFault) {
            try await sources.inBlockingPool { () async throws(SourceFault) in try store.put(kept, found.tracks, dropping: dropped) }
        } catch {
            // No other change of wishes runs meanwhile; newer copies are found again at the next start.
            plan = before
            throw error
        }
        changed()
    }

    private func remove(_ wish: KeepWish, _ store: any KeptTracks) async throws(SourceFault) -> Bool {
        guard plan.entry(of: wish) != nil else { return false }
        let dropped = plan.remove(wish)
        changed()
        try await sources.inBlockingPool { () async throws(SourceFault) in try store.remove(wish, dropping: dropped) }
        fetching.hasRoomAgain()
        return true
    }

    /// Runs one change at a time.
    func inTurn<Answer: Sendable>(_ body: @escaping @Loop () async throws(SourceFault) -> Answer) async throws(SourceFault) -> Answer {
        try await changes.inTurn(body)
    }

    /// Handles a copy that was changed on the disk, or removed.
    func lost(_ uri: ItemURI) {
        guard plan.tracks[uri]?.bytes != nil else { return }
        log(.warning, "The kept copy of “\(plan.tracks[uri]?.title ?? uri.text)” was changed or removed; it is fetched anew.")
        plan.lose(uri)
        changed()
        fetching.consider()
    }

    package func lookAgain(at wish: KeepWish) { review.look(at: wish) }

    package func note(_ change: CopyRuleCause) { review.note(change) }

    // MARK: Looking

    package func title(ofCopy uri: ItemURI) -> String? { plan.tracks[uri]?.title }

    package func mark(of uri: ItemURI) -> KeepMark? { plan.mark(of: uri) ?? pieces.mark(of: uri) }

    private var pieces: KeptPieces { made.kept }

    /// Adds the copy's state to a row. An item with a copy is available.
    package func mark(_ row: inout ItemRow) {
        row.kept = mark(of: row.uri)
        guard row.isAway else { return }
        let isThere = row.kept.map { row.tags.kind.isContainer ? $0.percent > 0 : $0.isWhole } ?? false
        if isThere || row.variants.contains(where: { plan.mark(of: $0)?.isWhole == true }) { row.isAway = false }
    }

    package func hasWhole(of source: String) -> Bool {
        plan.tracks.contains { $0.value.bytes != nil && sources.name(of: $0.key) == source }
    }

    package var isEmpty: Bool { plan.entries.isEmpty && pieces.count == 0 }

    func list() async throws(SourceFault) -> KeptList {
        let store = try opened()
        let spare = try? await sources.inBlockingPool { () async throws(SourceFault) in store.spareBytes }
        let rows = plan.entries.map { entry in
            let missing = entry.members.lazy.compactMap { [plan] in plan.tracks[$0] }.filter { $0.bytes == nil }
            return KeptList.Row(
                wish: entry.wish, title: entry.title, kind: entry.kind, tracks: entry.members.count, whole: entry.whole,
                bytes: plan.bytes(of: entry), left: entry.members.count { plan.tracks[$0]?.hasLeft == true },
                sentence: entry.problem ?? missing.compactMap(\.trouble?.sentence).first)
        }
        return KeptList(rows + pieces.rows, bytes: plan.bytes, limit: limit, spare: spare.flatMap { $0 })
    }

    /// Publishes changed marks of rows.
    func changed() {
        revision += 1
        showSoon()
    }

    /// Publishes at once, or a second after the last time.
    func showSoon() {
        guard alarm == nil, !isClosed, store != nil else { return }
        let dueUs = max(0, shownUs + Self.paceUs - clock.nowUs)
        alarm = clock.after(.microseconds(dueUs)) { [weak self] in
            self?.alarm = nil
            self?.show()
        }
    }

    private func show() {
        shownUs = clock.nowUs
        if isEmpty {
            publisher.remove(.keeping)
        } else {
            publisher.publish(
                .keeping(
                    KeepingSection(
                        revision: revision, tracks: plan.tracks.count + pieces.count, whole: plan.wholeCount + pieces.ready,
                        bytes: plan.bytes,
                        limit: limit, fetching: fetching.shown, sentence: fetching.sentence)))
        }
        publisher.tell()
    }
}

extension KeptContents.Track {
    var known: KeepPlan.Track { KeepPlan.Track(title: title, bytes: bytes, hasLeft: hasLeft) }
}
