import BatonCore
import BatonKernel
import BatonProtocol
package import BatonSeams

/// The accounts at servers, with the connector of each, and the section `src`.
///
/// Secrets are only passed on, from the command to the keeper and to the connector. A change is stored before its connector
/// is made, so that a hub that stops in between comes back with it. Changes are made one after the other.
@Loop
package final class SourceAccounts: AccountMemory {
    /// One account, with the facts about its source from other parts of the hub.
    struct Entry {
        var account: SourceAccount
        /// The user name, which admins see with the account.
        var user: String?
        /// The reason why its source is not asked; `nil` while there is a connector.
        var lack: String?
        var shown: SourceState?
        var sinceMs: Milliseconds = 0
        var facts = Facts()
    }

    /// The facts about a source for the section `src`: from its outbox, its mirror and its saved queue.
    struct Facts: Equatable, Sendable {
        var outbox = OutboxCount()
        var mirror: SourcesSection.Mirror?
        var saved: SourcesSection.Saved?

        init() {}
    }

    var entries: [Entry] = []
    private(set) var parts: AccountParts?
    let sources: Sources
    let delivery: OutboxDelivery
    let mirrorPasses: MirrorPasses
    let publisher: StatePublisher
    private let clock: HubClock
    private var isChanging = false
    /// Number of running uploads.
    var uploads = 0
    /// Number of running tests of accounts that are not stored.
    var trials = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(
        sources: Sources, delivery: OutboxDelivery, mirrorPasses: MirrorPasses, publisher: StatePublisher, clock: HubClock
    ) {
        self.sources = sources
        self.delivery = delivery
        self.mirrorPasses = mirrorPasses
        self.publisher = publisher
        self.clock = clock
        delivery.counter.accounts = self
        mirrorPasses.accounts = self
    }

    /// Names that would turn the URI of an item into another kind of address.
    static let reserved: Set<String> = ["http", "https", "file", "ftp", "data", "blob", "javascript", "about", "baton"]

    // MARK: Opening

    package func open(_ parts: AccountParts) async {
        self.parts = parts
        let configured = parts.configured.map(\.account.name)
        let (storage, secrets) = (parts.storage, parts.secrets)
        for one in parts.configured { use(one.account, one.secrets, lack: one.lack) }
        var kept: [AccountParts.Configured] = []
        do throws(SourceFault) {
            kept = try await sources.inBlockingPool { () async throws(SourceFault) in try Self.read(storage, secrets) }
        } catch {
            let fault = FeatureFault("The accounts at servers cannot be read: \(error.sentence)")
            sources.events.send(.featureFailed(.servers, fault))
        }
        for one in kept where !configured.contains(one.account.name) { use(one.account, one.secrets, lack: one.lack) }
        show()
        publisher.tell()
    }

    /// Reads the accounts, off the loop. An account whose secrets cannot be read is shown with the reason, and the others are
    /// used.
    private nonisolated static func read(
        _ storage: any AccountStorage, _ secrets: any SecretStorage
    ) throws(SourceFault) -> [AccountParts.Configured] {
        try storage.accounts().prefix(SourceText.most).map { account in
            do throws(SourceFault) {
                return AccountParts.Configured(account, try secrets.secrets(of: account.name) ?? SourceSecrets())
            } catch {
                return AccountParts.Configured(account, SourceSecrets(), lack: error.sentence)
            }
        }
    }

    /// Makes the connector of an account. It replaces an earlier one of the same name.
    func use(_ account: SourceAccount, _ secrets: SourceSecrets, lack: String? = nil) {
        let name = account.name
        var entry = entries.first { $0.account.name == name } ?? Entry(account: account)
        entry.account = account
        entry.user = secrets.user
        entry.lack = account.isEnabled ? lack : nil
        entry.shown = nil
        sources.remove(name, because: nil)
        if account.options["metered"] == "yes" { sources.metered.insert(name) } else { sources.metered.remove(name) }
        if account.isEnabled, lack == nil {
            do throws(SourceFault) {
                let connector = try connector(account, secrets)
                sources.add(connector)
                sources.check(connector)
            } catch {
                entry.lack = error.sentence
            }
        }
        if let sentence = account.isEnabled ? entry.lack : "The source “\(account.title)” is switched off." {
            sources.remove(name, because: SourceFault(.unavailable, sentence))
        }
        if let at = entries.firstIndex(where: { $0.account.name == name }) { entries[at] = entry } else { entries.append(entry) }
        sources.events.send(.sourceChanged(name))
    }

    private func connector(_ account: SourceAccount, _ secrets: SourceSecrets) throws(SourceFault) -> any Connector {
        guard let parts, let kind = parts.kind(account.kind) else {
            throw SourceFault(.unsupported, "This hub does not know servers of the kind “\(account.kind)”.")
        }
        if let missing = kind.missing(secrets) {
            let advice = account.isConfigured ? "Name its file in batond.conf." : "Give it again: baton source set \(account.name)"
            throw SourceFault(.invalidState, "\(missing) \(advice)")
        }
        let renew = account.isConfigured ? nil : renewal(of: secrets, in: account)
        return try kind.make(account, secrets, parts.sourceParts(parts.storage.memory(of: account.name), renew: renew))
    }

    private func renewal(of secrets: SourceSecrets, in account: SourceAccount) -> SourceParts.Renewal {
        { [weak self] new throws(SourceFault) in try await self?.store(new, in: account, inPlaceOf: secrets) }
    }

    /// Stores the secrets that a connector got in exchange for those of its account. Secrets that a person has changed
    /// meanwhile stay.
    private func store(_ new: SourceSecrets, in account: SourceAccount, inPlaceOf old: SourceSecrets) async throws(SourceFault) {
        guard let vault = parts?.secrets else { return }
        try await begin()
        defer { end() }
        guard entries.contains(where: { $0.account == account }) else { return }
        try await sources.inBlockingPool { () async throws(SourceFault) in
            guard try vault.secrets(of: account.name) == old.stored else { return }
            try vault.store(new, of: account.name)
        }
    }

    // MARK: Looking

    func entry(_ name: String) throws(SourceFault) -> Entry {
        guard parts != nil else { throw Self.unsupported }
        guard let entry = entries.first(where: { $0.account.name == name }) else {
            throw SourceFault(.notFound, "There is no account called “\(name)”.")
        }
        return entry
    }

    static let unsupported = SourceFault(.unsupported, "This hub has no accounts at servers.")

    package var names: [String] { entries.map(\.account.name) }

    /// The current state of a source, with the reason.
    func state(of entry: Entry) -> (state: SourceState, sentence: String?) {
        let name = entry.account.name
        if !entry.account.isEnabled { return (.disabled, nil) }
        if let lack = entry.lack { return (.unconfigured, lack) }
        if let problem = sources.problem(of: name) { return (.down, problem) }
        return (sources.latencyMs(of: name) == nil ? .checking : .ok, nil)
    }

    // MARK: One change at a time

    /// Waits for the changes before. Each change reads their result.
    func begin() async throws(SourceFault) {
        guard waiting.count < Self.mostWaiting else { throw SourceFault(.unavailable, "Too many changes of accounts wait.") }
        guard isChanging else {
            isChanging = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func end() { if waiting.isEmpty { isChanging = false } else { waiting.removeFirst().resume() } }

    private static let mostWaiting = 64

    // MARK: Notes of other parts

    package func title(ofAccount name: String) -> String? { entries.first { $0.account.name == name }?.account.title }

    package func memory(ofAccount name: String) -> (any SourceMemory)? { parts?.storage.memory(of: name) }

    // MARK: Showing

    /// Stores facts of another part about a source, and shows them.
    func note(_ name: String, _ change: (inout Facts) -> Void) {
        guard let at = entries.firstIndex(where: { $0.account.name == name }) else { return }
        let before = entries[at].facts
        change(&entries[at].facts)
        guard entries[at].facts != before else { return }
        show()
        publisher.tell()
    }

    /// Shows changed counts of waiting notes.
    func showCounts() { for name in names { note(name) { $0.outbox = delivery.counts[name] ?? OutboxCount() } } }

    /// Shows the changed progress of mirrors.
    func showMirrors() { for name in names { note(name) { $0.mirror = mirrorPasses.shown(name) } } }

    /// Shows changed abilities of a source.
    func refresh() {
        show()
        publisher.tell()
    }

    /// Publishes the section `src`; the caller tells the clients. Without an account there is none.
    func show() {
        guard parts != nil else { return }
        for at in entries.indices {
            let state = state(of: entries[at]).state
            guard state != entries[at].shown else { continue }
            entries[at].shown = state
            entries[at].sinceMs = clock.now.wallMs
        }
        if entries.isEmpty { return publisher.remove(.sources) }
        publisher.publish(.sources(SourcesSection(entries.map(row))))
    }

    private func row(of entry: Entry) -> SourcesSection.Source {
        let (account, (state, sentence)) = (entry.account, state(of: entry))
        let connector = sources.connectors.first { $0.source == account.name }
        return SourcesSection.Source(
            name: account.name, kind: account.kind, title: account.title, state: state, sinceMs: entry.sinceMs, sentence: sentence,
            latencyMs: sources.latencyMs(of: account.name), pending: entry.facts.outbox.pending, refused: entry.facts.outbox.refused,
            repeated: entry.facts.outbox.repeated, abilities: connector?.about.abilities.words ?? [], mirror: entry.facts.mirror,
            saved: state == .ok ? entry.facts.saved : nil)
    }
}
