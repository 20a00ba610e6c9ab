/// Channels of one connection, and the messages that came on them.
struct Mailbox {
    private(set) var channels: [String] = []
    private(set) var messages: [(channel: String, text: String)] = []

    static let mostChannels = 16
    static let mostMessages = 64

    var isEmpty: Bool { channels.isEmpty && messages.isEmpty }

    mutating func subscribe(to channel: String) throws(Ack) {
        guard Self.isName(channel) else { throw Ack(.argument, "invalid channel name") }
        guard !channels.contains(channel) else { throw Ack(.exists, "already subscribed to this channel") }
        guard channels.count < Self.mostChannels else { throw Ack(.exists, "subscription list is full") }
        channels.append(channel)
    }

    mutating func unsubscribe(from channel: String) throws(Ack) {
        guard let place = channels.firstIndex(of: channel) else { throw Ack(.missing, "not subscribed to this channel") }
        channels.remove(at: place)
    }

    /// Takes a message. Returns true for the first one that waits; further ones are dropped when there are too many.
    mutating func take(_ text: String, on channel: String) -> Bool {
        guard messages.count < Self.mostMessages else { return false }
        messages.append((channel, text))
        return messages.count == 1
    }

    /// The messages, which count as read then.
    mutating func read() -> [(channel: String, text: String)] {
        defer { messages = [] }
        return messages
    }

    static func isName(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
                default: false
                }
            }
    }
}
