package import BatonCore
package import BatonProtocol
import BatonSeams

/// The rate limits on wrong keys, for each address and for all addresses together.
///
/// A value. An attempt that names a known device waits only for wrong attempts for that device from that address. Names of
/// devices are not told to strangers, so a flood of wrong keys never locks an owner's device out. All other attempts wait for
/// their address and for the limit of all addresses. Only addresses with wrong attempts are stored, up to a limit.
package struct ProofLimiter {
    /// Numbers of wrong keys at once, which are also the numbers that are allowed again each minute.
    package struct Limits: Equatable, Sendable {
        var perAddress = 10
        var inAll = 100

        package init(_ limits: WireLimits = .standard) {
            perAddress = limits.wrongKeysPerAddress
            inAll = limits.wrongKeysInAll
        }
    }

    private struct Source {
        var wrong: TokenBucket
        /// Connections that are still received while `wrong` is empty.
        var received: TokenBucket
        /// A hash of the last wrong key. The same key again, as from a browser with an old cookie, is not counted again.
        var last: Int?
        var usedUs: Microseconds
    }

    static let mostSources = 256

    private let limits: Limits
    private var sources: [String: Source] = [:]
    private var all: TokenBucket

    /// Makes a limiter that allows the full numbers at this time.
    package init(_ limits: Limits, atUs nowUs: Microseconds) {
        self.limits = limits
        all = TokenBucket(perMinute: limits.inAll, burst: limits.inAll, atUs: nowUs)
    }

    /// Time for which an attempt from this address has to wait. `device` is the device that it names, if the hub knows it.
    package mutating func wait(_ address: String, _ device: DeviceID?, atUs nowUs: Microseconds) -> TokenBucket.Refill? {
        if let device { return sources[Self.name(address, device)]?.wrong.wait(atUs: nowUs) }
        return sources[Self.name(address)]?.wrong.wait(atUs: nowUs) ?? all.wait(atUs: nowUs)
    }

    /// Counts a wrong attempt. `shown` tells wrong keys apart.
    package mutating func fail(_ address: String, _ device: DeviceID?, shown: Int?, atUs nowUs: Microseconds) {
        guard shown == nil || sources[Self.name(address)]?.last != shown else { return }
        _ = all.take(atUs: nowUs)
        note(Self.name(address), shown, atUs: nowUs)
        if let device { note(Self.name(address, device), nil, atUs: nowUs) }
    }

    /// True when a connection from this address is worth a TLS handshake: one a second while the address has to wait.
    mutating func receives(_ address: String, atUs nowUs: Microseconds) -> Bool {
        guard sources[Self.name(address)]?.wrong.wait(atUs: nowUs) != nil else { return true }
        return sources[Self.name(address)]?.received.take(atUs: nowUs) == nil
    }

    var sourceCount: Int { sources.count }

    private mutating func note(_ name: String, _ shown: Int?, atUs nowUs: Microseconds) {
        if sources[name] == nil { makeRoom(atUs: nowUs) }
        let fresh = Source(
            wrong: TokenBucket(perMinute: limits.perAddress, burst: limits.perAddress, atUs: nowUs),
            received: TokenBucket(perSecond: 1, burst: 3, atUs: nowUs), usedUs: nowUs)
        var source = sources[name] ?? fresh
        _ = source.wrong.take(atUs: nowUs)
        source.last = shown ?? source.last
        source.usedUs = nowUs
        sources[name] = source
    }

    /// Drops old addresses. An attacker with many addresses drops only their own, and the limit for all addresses stays.
    private mutating func makeRoom(atUs nowUs: Microseconds) {
        guard sources.count >= Self.mostSources else { return }
        sources = sources.filter { !$0.value.wrong.isFull(atUs: nowUs) }
        guard sources.count >= Self.mostSources, let oldest = sources.min(by: { $0.value.usedUs < $1.value.usedUs }) else { return }
        sources[oldest.key] = nil
    }

    private static func name(_ address: String, _ device: DeviceID? = nil) -> String {
        AddressGroup.of(address) + (device.map { " \($0)" } ?? "")
    }
}
