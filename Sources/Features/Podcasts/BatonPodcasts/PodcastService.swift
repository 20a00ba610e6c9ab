import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

/// The podcasts of the hub: it reads due feeds, a few at once, and has their newest episodes copied.
///
/// Feeds are downloaded and parsed off the loop, by threads of low priority. The time of the next look is stored with each
/// podcast (`FeedChange`), so a restarted hub reads only the feeds that became due meanwhile.
@Loop
package final class PodcastService {
    private let sources: Sources
    private let wishes: any WishKeeping
    private let clock: HubClock
    private let log: Log
    private var shelf: (any PodcastShelf)?
    private var waiting: [StoredPodcast] = []
    private var running: [Int: Task<Void, Never>] = [:]
    private var alarm: (any Alarm)?
    private var looking: Task<Void, Never>?
    private var isClosed = false

    private static let atOnce = 4
    /// Time within which podcasts that become due soon are read together.
    private static let shortestWait = Duration.seconds(60)
    private static let longestWait = Duration.seconds(3_600)
    /// Delay after the start, which must not wait for servers.
    private static let afterStart = Duration.seconds(20)

    init(sources: Sources, wishes: any WishKeeping, clock: HubClock, log: Log) {
        self.sources = sources
        self.wishes = wishes
        self.clock = clock
        self.log = log
    }

    package func open(_ shelf: any PodcastShelf) {
        self.shelf = shelf
        sources.add(shelf)
        sources.hold.whenOver { [weak self] in self?.look(after: Self.afterStart) }
    }

    func close() async {
        isClosed = true
        alarm?.cancel()
        await looking?.value
        for task in running.values { task.cancel() }
        for task in running.values { await task.value }
    }

    private func present() throws(SourceFault) -> any PodcastShelf {
        guard let shelf else { throw SourceFault(.unsupported, "This hub was started without a place to keep podcasts.") }
        return shelf
    }

    // MARK: Asking off the loop

    func look<Answer: Sendable>(
        _ question: @escaping @Sendable (any PodcastShelf) throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let shelf = try present()
        return try await sources.limited(Sources.Limit.list) { () async throws(SourceFault) in try question(shelf) }
    }

    /// Changes podcasts without a time limit, since the result is the answer to a command.
    func change<Answer: Sendable>(
        _ body: @escaping @Sendable (any PodcastShelf) async throws(SourceFault) -> Answer
    ) async throws(SourceFault) -> Answer {
        let shelf = try present()
        return try await sources.inBlockingPool { () async throws(SourceFault) in try await body(shelf) }
    }

    func podcast(_ uri: ItemURI) async throws(SourceFault) -> StoredPodcast {
        guard sources.name(of: uri) == (try present()).source else {
            throw SourceFault(.unsupported, "“\(uri.text)” is no podcast of this hub.")
        }
        return try await look { shelf throws(SourceFault) in try shelf.podcast(uri) }
    }

    // MARK: Keeping

    /// Adds podcasts, whose feeds are then read in the background. An invalid address refuses the whole list. Returns false when all were known.
    func add(all addresses: [String], isOwn: Bool) async throws(SourceFault) -> Bool {
        let nowMs = clock.wallMs()
        let isNew = try await change { shelf throws(SourceFault) in
            var new: [StoredPodcast] = []
            for text in addresses {
                guard let address = WebAddress(text)?.text, address.utf8.count <= PodcastText.urlBytes else {
                    throw SourceFault(.badRequest, "“\(text)” is no http or https address, so nothing was added.")
                }
                var podcast = StoredPodcast(id: 0, url: address, home: address, isOwn: isOwn)
                podcast.dueMs = nowMs
                if try shelf.storage.podcast(at: address) == nil, !new.contains(podcast) { new.append(podcast) }
            }
            for podcast in new { _ = try shelf.storage.add(podcast) }
            return !new.isEmpty
        }
        if isNew { look(after: .zero) }
        return isNew
    }

    /// Sets the number of newest episodes that are copied.
    func keep(_ uri: ItemURI, _ count: Int) async throws(SourceFault) -> Bool {
        let podcast = try await podcast(uri)
        let isNew = try await change { shelf throws(SourceFault) in try shelf.storage.setKeep(podcast.id, count) }
        if isNew { try await follow(podcast, count) }
        return isNew
    }

    private func follow(_ podcast: StoredPodcast, _ count: Int) async throws(SourceFault) {
        _ = try await wishes.set(.item(try present().newest(of: podcast)), count > 0)
    }

    func remove(_ uri: ItemURI) async throws(SourceFault) -> Bool {
        let podcast = try await podcast(uri)
        if podcast.keep > 0 { try await follow(podcast, 0) }
        return try await change { shelf throws(SourceFault) in try shelf.remove(podcast) }
    }

    // MARK: Looking for episodes

    func refreshAll() async throws(SourceFault) {
        begin(try await look { shelf throws(SourceFault) in try shelf.storage.podcasts() })
    }

    private func look(after delay: Duration) {
        guard !isClosed, !sources.hold.isOn else { return }
        alarm?.cancel()
        alarm = clock.after(delay) { [weak self] in
            guard let self else { return }
            looking = Task(executorPreference: Loop.jobs) { [weak self] in await self?.lookForDue() }
        }
    }

    private func lookForDue() async {
        do throws(SourceFault) {
            let all = try await look { shelf throws(SourceFault) in try shelf.storage.podcasts() }
            let nowMs = clock.wallMs()
            begin(all.filter { ($0.dueMs ?? .max) <= nowMs })
            let next = all.compactMap(\.dueMs).filter { $0 > nowMs }.min()
            let wait = next.map { Duration.milliseconds($0 - nowMs) } ?? Self.longestWait
            look(after: max(Self.shortestWait, min(wait, Self.longestWait)))
        } catch {
            log(.warning, "The podcasts cannot be read now: \(error.sentence)")
            look(after: Self.longestWait)
        }
    }

    private func begin(_ podcasts: [StoredPodcast]) {
        let known = Set(waiting.map(\.id)).union(running.keys)
        waiting += podcasts.filter { !known.contains($0.id) }
        goOn()
    }

    private func goOn() {
        while !isClosed, running.count < Self.atOnce, !waiting.isEmpty {
            let podcast = waiting.removeFirst()
            running[podcast.id] = Task(executorPreference: Loop.jobs) { [weak self] in await self?.refreshNow(podcast) }
        }
    }

    private func refreshNow(_ podcast: StoredPodcast) async {
        do throws(SourceFault) { try await refresh(podcast, isQuiet: true) } catch {
            log(.warning, "“\(podcast.title)” cannot be looked at: \(error.sentence)")
        }
        running[podcast.id] = nil
        goOn()
    }

    func refresh(_ podcast: StoredPodcast, isQuiet: Bool = false) async throws(SourceFault) {
        let shelf = try present()
        let now = try await sources.inBlockingPool(isQuiet: isQuiet) { () async throws(SourceFault) in try await shelf.refresh(podcast) }
        if let sentence = now.sentence, sentence != podcast.sentence { log(.notice, "“\(now.title)”: \(sentence)") }
        // The newest episodes are one wish, and the whole podcast may be another.
        for stored in [shelf.newest(of: now), shelf.uri(of: now)] { wishes.lookAgain(at: .item(stored)) }
    }
}
