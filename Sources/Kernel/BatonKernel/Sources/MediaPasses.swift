package import BatonCore
package import BatonProtocol
package import BatonSeams

/// Passes to hear one item itself over HTTP: for ten minutes, for that item and for the device that asked. They are kept in memory
/// only, and no log names one.
@Loop
package final class MediaPasses {
    package struct Item: Equatable {
        package let uri: ItemURI
        /// A pass reaches no further than the client that asked for it.
        package let trust: Trust
        /// `nil` for a client of this machine or of the plain network, which are no devices.
        package var device: DeviceID?
        /// `nil` for the bytes as they are.
        package var coding: SoundCoding?
    }

    private var passes: [String: (item: Item, untilUs: Int64)] = [:]
    private var order: [String] = []
    /// How often each device was ended, so that a stream can find out that its own was.
    private var endings: [DeviceID: Int] = [:]
    private static let lifeMs: Int64 = 600_000
    /// Two for each of a thousand listening devices, and some more.
    private static let most = 4000
    /// 128 random bits and a few more.
    private let random: @Loop () -> String

    package init(random: @escaping @Loop () -> String = { Token.random(length: 22) }) { self.random = random }

    package var count: Int { passes.count }

    package func give(
        _ uri: ItemURI, trust: Trust, to device: DeviceID? = nil, as coding: SoundCoding? = nil, at now: Moment
    ) -> MediaLink {
        forgetOld(at: now)
        if order.count >= Self.most { passes[order.removeFirst()] = nil }
        let token = random()
        passes[token] = (Item(uri: uri, trust: trust, device: device, coding: coding), now.us + Self.lifeMs * 1000)
        order.append(token)
        return MediaLink(url: "/media/\(token)", untilMs: now.wallMs + Self.lifeMs)
    }

    /// The item that it is still good for. A request that shows a device must be of the one that asked for the pass.
    package func item(for token: String, from device: DeviceID? = nil, at now: Moment) -> Item? {
        guard let pass = passes[token], pass.untilUs > now.us, device == nil || device == pass.item.device else { return nil }
        return pass.item
    }

    /// This pass gives the original from now on: who fetches an item in pieces must not get two forms of it.
    package func giveOriginal(for token: String) { passes[token]?.item.coding = nil }

    /// The device was sent away, or may do something else now.
    package func end(_ device: DeviceID) {
        endings[device, default: 0] += 1
        passes = passes.filter { $0.value.item.device != device }
        order.removeAll { passes[$0] == nil }
    }

    /// Whether the device of this item is still the one that it was when this was called.
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
