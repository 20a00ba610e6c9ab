package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Passes to fetch one item over HTTP. A pass is valid for ten minutes, for one item and the device that asked. Passes exist
/// only in memory, and no log contains one.
@Loop
package final class MediaPasses {
    /// The access that one pass gives.
    package struct Item: Equatable {
        /// The only item that the pass opens.
        package let uri: ItemURI
        /// The trust of the client that asked, which also limits the pass.
        package let trust: Trust
        /// The device; `nil` for a client of this machine or of the plain network, which has none.
        var device: DeviceID?
        /// The encoding; `nil` for the original bytes.
        package var coding: SoundCoding?
    }

    private var passes: [String: (item: Item, untilUs: Microseconds)] = [:]
    private var order: [String] = []
    /// Number of times that each device was ended, by which a stream notices that its device was.
    private var endings: [DeviceID: Int] = [:]
    private static let lifeMs: Milliseconds = 600_000
    /// Limit on passes: two for each of a thousand listening devices, and some spare ones.
    private static let most = 4000
    /// A random token of at least 128 bits.
    private let random: @Loop () -> String

    init(random: @escaping @Loop () -> String = { Token.random(length: 22) }) { self.random = random }

    /// Number of stored passes, those that have expired since the last new one included.
    package var count: Int { passes.count }

    /// Makes a pass that is valid for ten minutes. When there are too many, the oldest one ends.
    package func give(
        _ uri: ItemURI, trust: Trust, to device: DeviceID? = nil, as coding: SoundCoding? = nil, at now: Moment
    ) -> MediaLink {
        forgetOld(at: now)
        if order.count >= Self.most { passes[order.removeFirst()] = nil }
        let token = random()
        passes[token] = (Item(uri: uri, trust: trust, device: device, coding: coding), now.us + Microseconds(Self.lifeMs))
        order.append(token)
        return MediaLink(url: "/media/\(token)", untilMs: now.wallMs + Self.lifeMs)
    }

    /// The item of a valid pass. A request by a device needs a pass of that device.
    package func item(for token: String, from device: DeviceID? = nil, at now: Moment) -> Item? {
        guard let pass = passes[token], pass.untilUs > now.us, device == nil || device == pass.item.device else { return nil }
        return pass.item
    }

    /// Makes the pass serve the original from now on, so that a client that fetches ranges never gets two encodings mixed.
    package func giveOriginal(for token: String) { passes[token]?.item.coding = nil }

    /// Ends the passes of a device that was removed or has other rights now.
    func end(_ device: DeviceID) {
        endings[device, default: 0] += 1
        passes = passes.filter { $0.value.item.device != device }
        order.removeAll { passes[$0] == nil }
    }

    /// A function that is true while the item's device has not been ended since this call.
    package func watch(_ item: Item) -> @Loop () -> Bool {
        guard let device = item.device else { return { true } }
        let before = endings[device]
        return { [weak self] in self?.endings[device] == before }
    }

    private func forgetOld(at now: Moment) {
        while let first = order.first, (passes[first]?.untilUs ?? 0) <= now.us {
            passes[first] = nil
            order.removeFirst()
        }
    }
}
