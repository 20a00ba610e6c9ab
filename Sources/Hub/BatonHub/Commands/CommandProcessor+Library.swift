import BatonCore
import BatonProtocol
import BatonSeams

/// Questions to sources, and what is said of their items. Everything here waits for somebody else, so
/// all of it is work that the loop does not wait for.
extension CommandProcessor {
    func library(_ request: LibraryRequest, _ visit: Visit) -> Handling {
        onceSettled(visit) { [self] () async throws(ProtocolFault) in try await answer(request, visit) }
    }

    /// Work that begins when all that is opened behind the first answer is there.
    func onceSettled(_ visit: Visit, _ body: @escaping @Loop () async throws(ProtocolFault) -> Answer) -> Handling {
        .working { [hub] in
            await hub.untilSettled()
            do throws(ProtocolFault) { return try await body() } catch { return Answer(visit.frame.id, error) }
        }
    }

    private func answer(_ request: LibraryRequest, _ visit: Visit) async throws(ProtocolFault) -> Answer {
        do throws(SourceFault) {
            switch request {
            case .search(let search):
                var list = try await hub.sources.search(search)
                list.rows = await pairing.marked(list.rows)
                return found(list.encode, visit)
            case .browse(let node, let sort, let page):
                var list = try await hub.sources.browse(node, sort: sort, page)
                list.rows = await pairing.marked(list.rows)
                return found(list.encode, visit)
            case .item(let uri, let lyrics, let media):
                let answer = try await item(uri, lyrics: lyrics, media: media, visit)
                return found({ answer.encode(into: &$0, bytes: hub.limits.pageBytes) }, visit)
            case .history(let page):
                let list = try await history(page)
                return found({ list.encode(into: &$0, bytes: hub.limits.pageBytes) }, visit)
            case .favourite(let uri, let isFavourite): return try await mark(uri, visit, .favourite(uri, isFavourite))
            case .stars(let uri, let stars): return try await mark(uri, visit, .stars(uri, stars))
            case .folders:
                let answer = try await folders()
                return found({ answer.encode(into: &$0, bytes: hub.limits.pageBytes) }, visit)
            case .setFolder(let path, let isWanted):
                let keeper = try keeper()
                let trust = visit.caller.trust
                let change: @Loop () async throws(SourceFault) -> Bool = { [hub] () async throws(SourceFault) in
                    try await hub.sources.inBlockingPool { () async throws(SourceFault) in
                        try await keeper.setFolder(path, isWanted: isWanted, trust: trust)
                    }
                }
                let isNew = try await isWanted ? pairing.scanning(change) : change()
                return await done(isNew, visit)
            case .scan(let isFull):
                let keeper = try keeper()
                let hasBegun = try await pairing.scanning { [hub] () async throws(SourceFault) in
                    try await hub.sources.inBlockingPool { () async throws(SourceFault) in await keeper.scan(isFull: isFull) }
                }
                return await done(hasBegun, visit)
            }
        } catch {
            throw ProtocolFault(error, at: nil)
        }
    }

    private var pairing: LibraryService { hub.libraryService }

    private func keeper() throws(SourceFault) -> any LibraryKeeper {
        guard let keeper = pairing.keeper else { throw SourceFault(.unsupported, "This hub has no library of its own.") }
        return keeper
    }

    func found(_ encode: (inout JSONWriter) -> Void, _ visit: Visit) -> Answer {
        hub.answer(visit.frame.id, with: JSONWriter.bytes(encode))
    }

    /// What was changed is seen before the answer is.
    private func done(_ isNew: Bool, _ visit: Visit) async -> Answer {
        await pairing.show()
        let reply = Reply(id: visit.frame.id, isNew ? .applied() : .noop(why: .same), revision: hub.ledger.revision)
        return hub.keeping(Answer(reply), under: key(of: visit), in: visit.live)
    }

    // MARK: One item

    private func item(_ uri: ItemURI, lyrics: Bool, media: Bool, _ visit: Visit) async throws(SourceFault) -> ItemAnswer {
        var details = try await hub.sources.details(of: uri, trust: visit.caller.trust)
        details.row = await pairing.marked([details.row])[0]
        if visit.caller.trust < .musicFolders { details.path = nil }
        var answer = ItemAnswer(details)
        if lyrics { answer.lyrics = try await hub.sources.lyrics(of: uri) }
        if media, visit.caller.role >= .remote, !details.row.tags.kind.isContainer {
            answer.media = hub.media.give(
                details.row.uri, trust: min(visit.caller.trust, .musicFolders), at: hub.now)
        }
        return answer
    }

    private func history(_ page: LibraryRequest.Page) async throws(SourceFault) -> PlayedList {
        let window = PageWindow(from: page.from, limit: page.limit)
        let played = try await pairing.look { userMarks throws(SourceFault) in try userMarks.history(window) }
        let rows = await pairing.marked(played.map(\.row))
        return PlayedList(zip(played, rows).map { PlayedList.Row($1, room: $0.room, atMs: $0.atMs) })
    }

    private func folders() async throws(SourceFault) -> LibraryFolders {
        let keeper = try keeper()
        let (folders, last) = try await pairing.limited(Sources.Limit.list) { () async throws(SourceFault) in
            (try await keeper.folders(), try await keeper.lastReport())
        }
        return LibraryFolders(
            folders.map { .init(path: $0.path, tracks: $0.tracks, problem: $0.problem) },
            report: (pairing.scanReport ?? last).map(LibraryFolders.Report.init))
    }

    // MARK: Pictures

    func picture(_ request: ArtRequest, _ visit: Visit) throws(ProtocolFault) -> Handling {
        guard visit.caller.pictures != .none else {
            throw ProtocolFault(
                .unsupported, "Whoever understands frames of pictures says the cap art in hello; others get /art.", at: "/m")
        }
        let most = visit.caller.pictures == .small ? Session.watchPictureBytes : nil
        return .working { [self] in
            do throws(SourceFault) {
                let picture = try await pairing.picture(
                    request.id, request.width, request.height, request.format == .png ? .png : .jpeg, mostBytes: most)
                return answer(with: picture, visit)
            } catch {
                return Answer(visit.frame.id, ProtocolFault(error, at: nil))
            }
        }
    }

    private func answer(with picture: Picture, _ visit: Visit) -> Answer {
        var answer = hub.answer(visit.frame.id, with: [])
        answer.picture = picture
        return answer
    }

    // MARK: Marks

    private func mark(_ uri: ItemURI, _ visit: Visit, _ note: WriteBack) async throws(SourceFault) -> Answer {
        let item = try await known(uri, visit)
        let atMs = hub.now.wallMs
        let isNew = try await pairing.keep { userMarks throws(SourceFault) in
            switch note {
            case .stars(_, let stars): try userMarks.setStars(item, stars, atMs: atMs)
            case .favourite(_, let isFavourite): try userMarks.setFavourite(item, isFavourite, atMs: atMs)
            default: false
            }
        }
        if isNew { pairing.backgroundQueue.add { [hub] in await hub.sources.writeBack(note, about: item.uri) } }
        return await done(isNew, visit)
    }

    /// The item with its texts: they are kept beside the mark, for when its source is away. While it is away
    /// already, what a queue knows of it will do.
    private func known(_ uri: ItemURI, _ visit: Visit) async throws(SourceFault) -> NewEntry {
        do throws(SourceFault) {
            let row = try await hub.sources.details(of: uri, trust: visit.caller.trust).row
            return NewEntry(uri: row.uri, tags: row.tags)
        } catch {
            let queued = hub.rooms.lazy.compactMap { $0.room.queue.entries.first { $0.uri == uri } }.first
            guard error.code == .unavailable, let queued else { throw error }
            return NewEntry(uri: uri, tags: queued.tags)
        }
    }
}

extension ProtocolFault {
    static let cancelled = ProtocolFault(SourceFault.cancelled, at: nil)
}

extension LibraryFolders.Report {
    fileprivate init(_ report: ScanReport) {
        self.init()
        seen = report.seen
        read = report.read
        moved = report.moved
        gone = report.gone
        failed = report.failed
        tookMs = report.tookMs
        isDone = report.isDone
        problems = report.problems
    }
}
