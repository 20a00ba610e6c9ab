import BatonCore
import BatonSeams

/// The limit on wrong passwords: five a minute from one address, which then has to wait.
///
/// A value. A try counts as wrong until it has been right, so that tries at once are no more than tries one after the other. Only addresses with
/// wrong tries are stored, up to a limit.
struct TryCounter {
    static let most = 5
    static let withinUs: Microseconds = 60_000_000
    static let mostAddresses = 4_096

    /// One try that was let through.
    struct Try: Equatable {
        fileprivate let address: String
        fileprivate let number: Int
    }

    private struct Wrong {
        let number: Int
        let atUs: Microseconds
    }

    private var wrong: [String: [Wrong]] = [:]
    private var numbers = 0

    /// Counts a try, or returns the time that it has to wait.
    mutating func begin(from address: String, atUs nowUs: Microseconds) -> Result<Try, Wait> {
        let address = AddressGroup.of(address)
        var list = wrong[address] ?? []
        list.removeAll { nowUs - $0.atUs >= Self.withinUs }
        guard list.count < Self.most else {
            wrong[address] = list
            return .failure(Wait(afterMs: Milliseconds(list[list.count - Self.most].atUs + Self.withinUs - nowUs) + 1))
        }
        makeRoom(atUs: nowUs)
        numbers += 1
        wrong[address] = list + [Wrong(number: numbers, atUs: nowUs)]
        return .success(Try(address: address, number: numbers))
    }

    /// Uncounts a try that was right, or that tested no password.
    mutating func withdraw(_ attempt: Try) {
        wrong[attempt.address]?.removeAll { $0.number == attempt.number }
        if wrong[attempt.address]?.isEmpty == true { wrong[attempt.address] = nil }
    }

    struct Wait: Error, Equatable { let afterMs: Milliseconds }

    var count: Int { wrong.count }

    /// Drops the addresses whose last try is oldest.
    private mutating func makeRoom(atUs nowUs: Microseconds) {
        guard wrong.count >= Self.mostAddresses else { return }
        let newest = wrong.sorted { ($0.value.last?.atUs ?? 0) > ($1.value.last?.atUs ?? 0) }.prefix(Self.mostAddresses / 2)
        wrong = Dictionary(
            uniqueKeysWithValues: newest.filter { nowUs - ($0.value.last?.atUs ?? 0) < Self.withinUs }.map { ($0.key, $0.value) })
    }
}
