import BatonCore
import BatonSeams

/// The rate limits on signing in: five passwords a minute for one name from one address, and twenty an hour from one address.
///
/// A value. An attempt counts as a failure until it has succeeded, so that parallel attempts try no more passwords than
/// sequential ones. Only addresses with failures are stored, up to a limit.
package struct SignInLimiter {
    struct Limit: Equatable, Sendable {
        var most: Int
        var withinUs: Microseconds
    }

    let ofName: Limit
    let ofAddress: Limit
    static let mostCounted = 4_096

    /// One attempt that was let through.
    struct Attempt: Equatable, Sendable {
        fileprivate let name: String
        fileprivate let address: String
        fileprivate let number: Int
    }

    private struct Failure: Equatable {
        let number: Int
        let atUs: Microseconds
    }

    private var failures: [String: [Failure]] = [:]
    private var numbers = 0

    init(
        ofName: Limit = Limit(most: 5, withinUs: 60_000_000), ofAddress: Limit = Limit(most: 20, withinUs: 3_600_000_000)
    ) {
        self.ofName = ofName
        self.ofAddress = ofAddress
    }

    /// Counts an attempt, or returns the milliseconds that it has to wait.
    mutating func begin(_ name: String, from address: String, atUs nowUs: Microseconds) -> Result<Attempt, Wait> {
        let address = AddressGroup.of(address)
        let pair = "\(address) \(name)"
        if let afterMs = [wait(pair, limit: ofName, nowUs: nowUs), wait(address, limit: ofAddress, nowUs: nowUs)].compactMap({ $0 }).max() {
            return .failure(Wait(afterMs: afterMs))
        }
        makeRoom(atUs: nowUs)
        numbers += 1
        for key in [pair, address] { failures[key, default: []].append(Failure(number: numbers, atUs: nowUs)) }
        return .success(Attempt(name: pair, address: address, number: numbers))
    }

    /// Uncounts an attempt that succeeded, or that tried no password.
    mutating func withdraw(_ attempt: Attempt) {
        for key in [attempt.name, attempt.address] {
            failures[key]?.removeAll { $0.number == attempt.number }
            if failures[key]?.isEmpty == true { failures[key] = nil }
        }
    }

    /// Forgets earlier failures for this name and address, since a right password shows that they were typing mistakes.
    mutating func succeed(_ attempt: Attempt) {
        withdraw(attempt)
        failures[attempt.name] = nil
    }

    struct Wait: Error, Equatable { package let afterMs: Milliseconds }

    var count: Int { failures.count }

    private mutating func wait(_ key: String, limit: Limit, nowUs: Microseconds) -> Milliseconds? {
        guard var list = failures[key] else { return nil }
        list.removeAll { nowUs - $0.atUs >= limit.withinUs }
        failures[key] = list.isEmpty ? nil : list
        guard list.count >= limit.most else { return nil }
        return Milliseconds(list[list.count - limit.most].atUs + limit.withinUs - nowUs) + 1
    }

    /// Drops the entries that were used longest ago.
    private mutating func makeRoom(atUs nowUs: Microseconds) {
        guard failures.count >= Self.mostCounted else { return }
        failures = failures.filter { nowUs - ($0.value.last?.atUs ?? 0) < ofName.withinUs }
        let stored = failures.sorted { ($0.value.last?.atUs ?? 0) > ($1.value.last?.atUs ?? 0) }.prefix(Self.mostCounted / 2)
        failures = Dictionary(uniqueKeysWithValues: stored.map { ($0.key, $0.value) })
    }
}
