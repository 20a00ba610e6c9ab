import BatonCore
import BatonKernel
package import BatonProtocol
package import BatonSeams

/// The passwords of dialects.
///
/// All of them are in memory, as hashes. A password is sent without a name, so one is tried against each hash; programs that connect for each command
/// would wait for that every time, so passwords that were right are remembered by a quick hash whose key is made at each start and never stored.
@Loop
package final class PasswordRegistry: DialectPasswords {
    static let mostPasswords = 16
    static let nameBytes = 1...64
    static let passwordBytes = 8...256
    private static let mostRemembered = 64

    private let clock: HubClock
    private let switches: DialectSwitches
    private var parts: DialectParts?
    private var stored: [StoredDialectPassword] = []
    /// Names that are being written, so that none is made twice.
    private var beingWritten: Set<String> = []
    private var remembered: [[UInt8]: DialectPassword] = [:]
    private var key: [UInt8] = []
    private var tries = TryCounter()

    init(clock: HubClock, switches: DialectSwitches) {
        self.clock = clock
        self.switches = switches
    }

    func open(_ parts: DialectParts, _ stored: [StoredDialectPassword]) {
        self.parts = parts
        self.stored = stored
        key = parts.cryptography.random(32)
    }

    // MARK: Checking

    package func passwords(of dialect: String) -> [DialectPassword] {
        stored.filter { $0.dialect == dialect }.map(\.password).sorted { $0.name.lowercased() < $1.name.lowercased() }
    }

    package func check(_ password: String, of dialect: String, from address: String) async throws(ProtocolFault) -> DialectPassword {
        let attempt = try begin(from: address)
        guard let parts else { throw Self.wrong }
        let mark = mark(of: password, dialect, parts)
        if let known = remembered[mark] {
            tries.withdraw(attempt)
            return known
        }
        let candidates = stored.filter { $0.dialect == dialect }
        // A hub without passwords takes as long as one that has some.
        for candidate in candidates.map(Optional.some) + (candidates.isEmpty ? [nil] : []) {
            guard let isRight = await parts.hashing.matches(password, candidate?.hash) else {
                tries.withdraw(attempt)
                throw Self.busy
            }
            guard isRight, let candidate else { continue }
            // It may have been removed while its hash was computed.
            guard stored.contains(candidate) else { continue }
            tries.withdraw(attempt)
            if remembered.count >= Self.mostRemembered { remembered = [:] }
            remembered[mark] = candidate.password
            return candidate.password
        }
        throw Self.wrong
    }

    private func begin(from address: String) throws(ProtocolFault) -> TryCounter.Try {
        switch tries.begin(from: address, atUs: clock.nowUs) {
        case .success(let attempt): return attempt
        case .failure(let wait):
            var fault = ProtocolFault(.rateLimited, "Too many wrong passwords came from there. Wait a moment.")
            fault.retryAfterMs = wait.afterMs
            throw fault
        }
    }

    private func mark(of password: String, _ dialect: String, _ parts: DialectParts) -> [UInt8] {
        parts.cryptography.hmacSHA256(Array("\(dialect)\n\(password)".utf8), key: key)
    }

    private static let wrong = ProtocolFault(.wrongPassword, "The password is wrong.")
    private static let busy = ProtocolFault(.busy, "Too many passwords wait to be checked. Try again in some seconds.")

    // MARK: Changing

    func add(_ name: String, of dialect: String, password: String, role: Role) async throws(ProtocolFault) {
        try Self.check(name: name)
        try Self.check(password: password)
        guard let parts else { throw Self.closed }
        let own = "\(dialect)\n\(name.lowercased())"
        guard place(of: name, dialect) == nil, !beingWritten.contains(own) else {
            throw ProtocolFault(.invalidState, "There is a password of the name “\(name)” already. Choose another name.", at: "/p/name")
        }
        guard stored.count(where: { $0.dialect == dialect }) + beingWritten.count < Self.mostPasswords else {
            throw ProtocolFault(.quota, "There are \(Self.mostPasswords) passwords already, which is the most. Remove one first.")
        }
        beingWritten.insert(own)
        defer { beingWritten.remove(own) }
        guard let hash = await parts.hashing.hash(password) else { throw Self.busy }
        let new = StoredDialectPassword(
            dialect: dialect, password: DialectPassword(name: name, role: role, createdMs: clock.wallMs()), hash: hash)
        try await ProtocolFault.translating { () async throws(SourceFault) in
            try await parts.storing { store throws(SourceFault) in try store.add(new) }
        }
        stored.append(new)
        switches.passwordsChanged(of: dialect)
    }

    func remove(_ name: String, of dialect: String) async throws(ProtocolFault) {
        guard let parts, let place = place(of: name, dialect) else {
            throw ProtocolFault(.notFound, "There is no password of the name “\(name)”.", at: "/p/name")
        }
        let old = stored[place]
        try await ProtocolFault.translating { () async throws(SourceFault) in
            try await parts.storing { store throws(SourceFault) in try store.remove(passwordNamed: name, of: dialect) }
        }
        stored.removeAll { $0 == old }
        remembered = [:]
        switches.passwordsChanged(of: dialect)
    }

    private func place(of name: String, _ dialect: String) -> Int? {
        stored.firstIndex { $0.dialect == dialect && $0.password.name.lowercased() == name.lowercased() }
    }

    private static func check(name: String) throws(ProtocolFault) {
        let hasSpaces = [name.unicodeScalars.first, name.unicodeScalars.last].contains { $0?.properties.isWhitespace == true }
        guard nameBytes.contains(name.utf8.count), isPrintable(name), !hasSpaces else {
            throw ProtocolFault(
                .badRequest, "The name of a password is 1 to 64 bytes of printable text without spaces around it.", at: "/p/name")
        }
    }

    private static func check(password: String) throws(ProtocolFault) {
        guard passwordBytes.contains(password.utf8.count), isPrintable(password) else {
            throw ProtocolFault(.badRequest, "A password has 8 to 256 bytes of printable text.", at: "/p/password")
        }
    }

    private static func isPrintable(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: false
            default: true
            }
        }
    }

    static let closed = ProtocolFault(.unavailable, "The hub could not open its file of passwords; its log says why.")
}
