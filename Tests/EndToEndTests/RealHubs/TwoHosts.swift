import Foundation

/// Two hosts on one cable, inside this machine, each with a system bus and an avahi-daemon of its own.
///
/// `Support/two-hosts.sh` makes them and ends them; should this process die, they end with it.
struct TwoHosts: Sendable {
    enum Name: String { case a = "A", b = "B" }

    private static let script = TestMachine.support.appending(path: "two-hosts.sh").path

    private let folder: String
    private var addresses: [String: String] = [:]

    static func with<Result>(_ body: (TwoHosts) async throws -> Result) async throws -> Result {
        try await Home.with { home in
            var hosts = TwoHosts(folder: home.folder.path + "/hosts")
            try FileManager.default.createDirectory(atPath: hosts.folder, withIntermediateDirectories: true)
            let made = try await home.run(script, ["up", hosts.folder, "\(getpid())"])
            guard made.code == 0 else { throw TooLate(sentence: "There are no two hosts: \(made.err)") }
            for line in made.lines {
                let words = line.split(separator: " ").map(String.init)
                hosts.addresses[words[0]] = words[1]
            }
            let outcome: Swift.Result<Result, any Error>
            do { outcome = .success(try await body(hosts)) } catch { outcome = .failure(error) }
            try await home.run(script, ["down", hosts.folder])
            return try outcome.get()
        }
    }

    func address(of host: Name) -> String { addresses[host.rawValue] ?? "" }

    /// A home on one of them.
    func home<Result>(on host: Name, _ body: (Home) async throws -> Result) async throws -> Result {
        try await Home.with(through: [Self.script, "run", folder, host.rawValue], body)
    }
}
