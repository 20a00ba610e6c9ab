import BatonCore
import BatonProtocol
import BatonSeams

/// Passes to hear one item itself over HTTP: for ten minutes, for that item, kept in memory only.
@Loop
final class MediaPasses {
    struct Item: Equatable {
        let uri: ItemURI
        /// A pass reaches no further than the client that asked for it.
        let trust: Trust
    }

    private var passes: [String: (item: Item, untilUs: Int64)] = [:]
    private var order: [String] = []
    private static let lifeMs: Int64 = 600_000
    private static let most = 1000
    /// 128 random bits.
    private let random: @Loop () -> String

    init(random: @escaping @Loop () -> String = { Token.random(length: 22) }) { self.random = random }

    var count: Int { passes.count }

    func give(_ uri: ItemURI, trust: Trust, at now: Moment) -> ItemAnswer.Media {
        forgetOld(at: now)
        if order.count >= Self.most { passes[order.removeFirst()] = nil }
        let token = random()
        passes[token] = (Item(uri: uri, trust: trust), now.us + Self.lifeMs * 1000)
        order.append(token)
        return ItemAnswer.Media(url: "/media/\(token)", untilMs: now.wallMs + Self.lifeMs)
    }

    /// What it is good for, if it is still good for anything.
    func item(for token: String, at now: Moment) -> Item? {
        guard let pass = passes[token], pass.untilUs > now.us else { return nil }
        return pass.item
    }

    private func forgetOld(at now: Moment) {
        while let first = order.first, (passes[first]?.untilUs ?? 0) <= now.us {
            passes[first] = nil
            order.removeFirst()
        }
    }
}
