package import BatonProtocol
import BatonSeams

/// How many wrong keys are listened to: a few from one address, and so many from all together.
///
/// A value. An attempt that names a device which the hub knows is held up only by wrong attempts for that very
/// device from that very address, because names of devices are not told to strangers: neither a flood from
/// elsewhere nor one from the same address keeps an owner's device out. All others wait for their address, and
/// for all others together. Only addresses that have shown something wrong are remembered, and only so many.
package struct ProofBrake {
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
        /// What was wrong last. The same again, as by a browser whose cookie is old, is no second guess.
        var last: Int?
        var usedUs: Int64
    }

    static let mostSources = 256

    private let limits: Limits
    private var sources: [String: Source] = [:]
    private var all: TokenBucket

    package init(_ limits: Limits, atUs nowUs: Int64) {
        self.limits = limits
        all = TokenBucket(perMinute: limits.inAll, burst: limits.inAll, atUs: nowUs)
    }

    /// How long an attempt from there has to wait. `device` is the one it names, if the hub knows that.
    package mutating func wait(_ address: String, _ device: DeviceID?, atUs nowUs: Int64) -> TokenBucket.Refill? {
        if let device { return sources[Self.name(address, device)]?.wrong.wait(atUs: nowUs) }
        return sources[Self.name(address)]?.wrong.wait(atUs: nowUs) ?? all.wait(atUs: nowUs)
    }

    /// Notes a wrong attempt. `shown` tells one wrong key from another.
    package mutating func fail(_ address: String, _ device: DeviceID?, shown: Int?, atUs nowUs: Int64) {
        guard shown == nil || sources[Self.name(address)]?.last != shown else { return }
        _ = all.take(atUs: nowUs)
        note(Self.name(address), shown, atUs: nowUs)
        if let device { note(Self.name(address, device), nil, atUs: nowUs) }
    }

    /// Whether another connection from there is worth the handshake of TLS: while its address has to wait, one a
    /// second is.
    mutating func receives(_ address: String, atUs nowUs: Int64) -> Bool {
        guard sources[Self.name(address)]?.wrong.wait(atUs: nowUs) != nil else { return true }
        return sources[Self.name(address)]?.received.take(atUs: nowUs) == nil
    }

    var sourceCount: Int { sources.count }

    private mutating func note(_ name: String, _ shown: Int?, atUs nowUs: Int64) {
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

    /// An attacker with many addresses pushes out others of its own; the measure for all stays.
    private mutating func makeRoom(atUs nowUs: Int64) {
        guard sources.count >= Self.mostSources else { return }
        sources = sources.filter { !$0.value.wrong.isFull(atUs: nowUs) }
        guard sources.count >= Self.mostSources, let oldest = sources.min(by: { $0.value.usedUs < $1.value.usedUs }) else { return }
        sources[oldest.key] = nil
    }

    private static func name(_ address: String, _ device: DeviceID? = nil) -> String {
        AddressGroup.of(address) + (device.map { " \($0)" } ?? "")
    }
}
