import BatonKernel
import BatonProtocol
import BatonSeams

/// Adding, changing and removing accounts. A change is stored first, then used, then shown.
extension SourceAccounts {
    /// Adds an account. False when nothing changed.
    func add(_ new: Commands.SourceAdd) async throws(SourceFault) -> Bool {
        let (parts, kind) = try checked(new.kind, new.options)
        try check(new.login.secrets, kind)
        try await begin()
        defer { end() }
        let old = entries.first { $0.account.name == new.name }?.account
        if let old {
            guard !old.isConfigured else { throw Self.configured(old) }
            guard old.kind == new.kind, old.url == new.url else {
                throw SourceFault(.invalidState, "There is an account called “\(new.name)” already, at \(old.host).")
            }
        } else {
            guard !Self.reserved.contains(new.name), !sources.isTaken(new.name) else {
                throw SourceFault(.invalidState, "The hub uses the name “\(new.name)” itself. Choose another.")
            }
            guard entries.count < SourceText.most else {
                throw SourceFault(.quota, "A hub has \(SourceText.most) accounts at most. Remove one first.")
            }
        }
        let account = SourceAccount(
            name: new.name, title: new.title, kind: new.kind, url: new.url, isEnabled: old?.isEnabled ?? true, options: new.options)
        let (secrets, storage, vault) = (new.login.secrets, parts.storage, parts.secrets)
        let isSame = try await sources.inBlockingPool { () async throws(SourceFault) -> Bool in
            if account == old, try vault.secrets(of: account.name) == secrets { return true }
            try vault.store(secrets.stored, of: account.name)
            do throws(SourceFault) { try storage.store(account) } catch {
                // Without an account there must be no secrets.
                if old == nil { try? vault.remove(account.name) }
                throw error
            }
            return false
        }
        if isSame { return false }
        use(account, secrets)
        show()
        return true
    }

    func change(_ change: Commands.SourceSet) async throws(SourceFault) -> Bool {
        try await begin()
        defer { end() }
        let old = try entry(change.name).account
        guard !old.isConfigured else { throw Self.configured(old) }
        var account = old
        account.title = change.title ?? old.title
        account.url = change.url ?? old.url
        account.options = change.options ?? old.options
        account.isEnabled = change.isEnabled ?? old.isEnabled
        let given = change.login.hasSecrets ? change.login.secrets : nil
        guard given != nil || account.place == old.place else {
            throw SourceFault(
                .badRequest, "Give the password again: it is not sent to \(account.host), since it was given for \(old.host).")
        }
        let (parts, kind) = try checked(account.kind, account.options)
        if let given { try check(given, kind) }
        guard account != old || !change.login.isEmpty else { return false }
        let (storage, vault, wanted, code) = (parts.storage, parts.secrets, account, change.login.code)
        let secrets = try await sources.inBlockingPool { () async throws(SourceFault) -> SourceSecrets in
            if let given { try vault.store(given.stored, of: wanted.name) }
            try storage.store(wanted)
            var secrets = given ?? SourceSecrets()
            if given == nil { secrets = try vault.secrets(of: wanted.name) ?? secrets }
            secrets.code = code
            return secrets
        }
        use(account, secrets)
        show()
        return true
    }

    func remove(_ name: String) async throws(SourceFault) -> Bool {
        guard let parts else { throw Self.unsupported }
        try await begin()
        defer { end() }
        guard let account = entries.first(where: { $0.account.name == name })?.account else { return false }
        guard !account.isConfigured else { throw Self.configured(account) }
        let (storage, vault) = (parts.storage, parts.secrets)
        try await sources.inBlockingPool { () async throws(SourceFault) in
            try vault.remove(name)
            try storage.remove(name)
        }
        sources.remove(name)
        entries.removeAll { $0.account.name == name }
        sources.events.send(.sourceChanged(name))
        sources.events.send(.sourceForgotten(name))
        await mirrorPasses.forget(name)
        _ = try? await delivery.drop(of: name)
        show()
        return true
    }

    private static func configured(_ account: SourceAccount) -> SourceFault {
        SourceFault(.invalidState, "The account “\(account.name)” stands in batond.conf. Change it there, and start the hub again.")
    }

    /// The kind of an account, after a check of its options.
    func checked(_ name: String, _ options: [String: String]) throws(SourceFault) -> (AccountParts, SourceKind) {
        guard let parts else { throw Self.unsupported }
        guard let kind = parts.kind(name) else {
            let known = parts.kinds.map(\.name).joined(separator: ", ")
            throw SourceFault(.badRequest, "This hub does not know servers of the kind “\(name)”. It knows \(known).")
        }
        if let complaint = kind.complaint(about: options) { throw SourceFault(.badRequest, complaint) }
        return (parts, kind)
    }

    func check(_ secrets: SourceSecrets, _ kind: SourceKind) throws(SourceFault) {
        if let missing = kind.missing(secrets) { throw SourceFault(.badRequest, missing) }
    }
}
