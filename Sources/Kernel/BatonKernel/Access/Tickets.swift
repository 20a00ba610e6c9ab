import BatonCore
import BatonProtocol

/// The one-time links of `baton web`, and the link that a hub without an admin prints at its terminal. A browser on the hub's
/// own machine that opens one becomes its admin.
///
/// A ticket is valid for two minutes, the first one for thirty or until there is an admin. It is for one client, which may
/// use it again until it has been away for twelve hours or the hub restarts. Only hashes are stored.
struct Tickets: Sendable {
    private struct Ticket: Sendable {
        let hash: [UInt8]
        var client: String?
        var untilUs: Microseconds
        /// True for the ticket of the first admin.
        let isFirst: Bool
    }

    static let unusedUs: Microseconds = 120_000_000
    static let firstUs: Microseconds = 1_800_000_000
    static let awayUs: Microseconds = 12 * 3_600_000_000
    private static let most = 32

    private var tickets: [Ticket] = []

    mutating func issue(_ cryptography: any Cryptography, atUs nowUs: Microseconds, isFirst: Bool = false) -> String {
        let text = Base64URL.text(cryptography.random(16))
        tickets.removeAll { $0.untilUs <= nowUs }
        let untilUs = nowUs + (isFirst ? Self.firstUs : Self.unusedUs)
        tickets.append(Ticket(hash: cryptography.sha256(Array(text.utf8)), client: nil, untilUs: untilUs, isFirst: isFirst))
        tickets = Array(tickets.suffix(Self.most))
        return text
    }

    /// Removes the unused first ticket, since there is an admin. A browser that has used it stays admin.
    mutating func voidFirst() { tickets.removeAll { $0.isFirst && $0.client == nil } }

    /// True when this client may be admin by this ticket, now or when it comes back.
    mutating func admits(_ client: String, with text: String, _ cryptography: any Cryptography, atUs nowUs: Microseconds) -> Bool {
        let hash = cryptography.sha256(Array(text.utf8))
        guard let at = tickets.firstIndex(where: { isSame($0.hash, hash) }), tickets[at].untilUs > nowUs,
            tickets[at].client == nil || tickets[at].client == client
        else { return false }
        tickets[at].client = client
        tickets[at].untilUs = nowUs + Self.awayUs
        return true
    }
}
