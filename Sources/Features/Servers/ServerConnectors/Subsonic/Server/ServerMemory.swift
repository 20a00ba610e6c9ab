/// Facts about a server that are stored across restarts: the login that it accepts, its extensions, and the methods
/// that it lacks. They belong to one address, and probed facts expire, because servers are updated.
import BatonCore
import BatonSeams

struct ServerMemory: Sendable {
    private let memory: any SourceMemory
    private let clock: Clock
    private let mark: String

    /// Time after which a server's abilities are probed again.
    private static let freshMs: Milliseconds = 86_400_000

    init(_ memory: any SourceMemory, of address: ServerAddress, clock: Clock, hashedBy md5: MD5) {
        self.memory = memory
        self.clock = clock
        mark = md5.mark(address.base)
    }

    var login: Login? { value("login").flatMap { Login(rawValue: $0) } }

    func store(_ login: Login) {
        if login != self.login { store("login", login.rawValue) }
    }

    /// Extensions by name, with the versions of each; `nil` if the server was not probed lately.
    var extensions: [String: [Int]]? {
        guard let text = fresh("extensions") else { return nil }
        var known: [String: [Int]] = [:]
        for entry in text.split(separator: " ") {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            known[String(parts[0])] = parts.count > 1 ? parts[1].split(separator: ",").compactMap { Int($0) } : []
        }
        return known
    }

    func storeExtensions(_ extensions: [String: [Int]]) {
        let entries = extensions.sorted { $0.key < $1.key }.prefix(100).map { name, versions in
            "\(name):\(versions.prefix(20).map(String.init).joined(separator: ","))"
        }
        store("extensions", stamped(entries.joined(separator: " ")))
    }

    func has(_ name: String) -> Bool { extensions?[name] != nil }

    /// Methods that the server lacked when they were called.
    var lacking: Set<String> { Set((fresh("lacking") ?? "").split(separator: " ").map(String.init)) }

    func noteLacking(_ method: String) {
        let known = lacking
        if !known.contains(method) { store("lacking", stamped(known.union([method]).sorted().joined(separator: " "))) }
    }

    private func stamped(_ text: String) -> String { "\(clock.wallMs) \(text)" }

    private func fresh(_ name: String) -> String? {
        guard let text = value(name) else { return nil }
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard let atMs = Int64(parts[0]), (clock.wallMs - Milliseconds(atMs)).magnitude < Self.freshMs else { return nil }
        return parts.count > 1 ? String(parts[1]) : ""
    }

    private func value(_ name: String) -> String? {
        guard let text = memory.value(name), text.hasPrefix(mark + " ") else { return nil }
        return String(text.dropFirst(mark.utf8.count + 1))
    }

    private func store(_ name: String, _ text: String) { memory.store("\(mark) \(text)", name) }
}
