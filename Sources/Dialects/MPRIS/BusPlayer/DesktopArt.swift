/// Pictures of what plays as files, because programs of a desktop cannot ask a hub for them.
///
/// One picture is fetched at a time, and the one that is wanted last comes next. Failed ones are not asked for again soon.
package import BatonSeams

@Loop
package final class DesktopArt {
    /// The width of a picture, enough for a notification and a lock screen.
    package nonisolated static let side = 512
    package nonisolated static let mostBytes = 1 << 20
    private static let mostKnown = 32

    private struct Wish {
        let id: String
        let found: @Loop () -> Void
    }

    private let pool: any TaskExecutor
    private let store: @Sendable (_ id: String, _ bytes: [UInt8]) -> String?
    private let fetch: @Loop (_ id: String) async -> [UInt8]?
    /// URLs by ids; `nil` where there is no picture after all. Oldest first in `order`.
    private var urls: [String: String?] = [:]
    private var order: [String] = []
    private var next: Wish?
    private var fetching: Task<Void, Never>?

    package init(
        pool: any TaskExecutor, store: @escaping @Sendable (_ id: String, _ bytes: [UInt8]) -> String?,
        fetch: @escaping @Loop (_ id: String) async -> [UInt8]?
    ) {
        self.pool = pool
        self.store = store
        self.fetch = fetch
    }

    /// The URL of a picture if it is a file already. Else it is fetched, and `found` is called when it has become one.
    package func url(of id: String, found: @escaping @Loop () -> Void) -> String? {
        if let known = urls[id] { return known }
        next = Wish(id: id, found: found)
        if fetching == nil { fetching = Task(executorPreference: Loop.jobs) { [weak self] in await self?.work() } }
        return nil
    }

    package func close() {
        fetching?.cancel()
        next = nil
    }

    private func work() async {
        while let wanted = next, !Task.isCancelled {
            next = nil
            let bytes = await fetch(wanted.id)
            let url = await stored(wanted.id, bytes)
            note(url, of: wanted.id)
            if url != nil { wanted.found() }
        }
        fetching = nil
    }

    private func stored(_ id: String, _ bytes: [UInt8]?) async -> String? {
        guard let bytes else { return nil }
        let storing = Task(executorPreference: pool) { [store] in store(id, bytes) }
        return await storing.value
    }

    private func note(_ url: String?, of id: String) {
        urls[id] = .some(url)
        order.append(id)
        if order.count > Self.mostKnown { urls[order.removeFirst()] = nil }
    }
}
