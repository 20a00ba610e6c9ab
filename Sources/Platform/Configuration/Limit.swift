/// Limits of the protocol, one declaration each, which `[limits]` of the file sets. The defaults are the protocol's.
import BatonCore
import BatonProtocol

struct Limit: Sendable {
    typealias Path<Value> = any WritableKeyPath<WireLimits, Value> & Sendable

    let setting: Setting<Int>
    /// Writes the value into the limits.
    let set: @Sendable (_ value: Int, _ limits: inout WireLimits) -> Void

    private init(
        _ name: String, _ path: Path<Int>, in range: ClosedRange<Int>, help: String, comment: String? = nil, after: String? = nil
    ) {
        let usual = String(WireLimits.standard[keyPath: path])
        setting = Setting(name, .whole(range), usual: usual, help: help, isLimit: true, comment: comment, after: after)
        set = { $1[keyPath: path] = $0 }
    }

    private init(
        _ name: String, time path: Path<Milliseconds>, in range: ClosedRange<Int>, help: String, comment: String? = nil,
        after: String? = nil
    ) {
        let usual = String(WireLimits.standard[keyPath: path])
        setting = Setting(name, .whole(range), usual: usual, help: help, isLimit: true, comment: comment, after: after)
        set = { $1[keyPath: path] = Milliseconds($0) }
    }

    static let all: [Limit] = [
        Limit(
            "connections", \.connections, in: 1...1_000_000, help: "Connections in all.",
            comment: "Connections in all, of one device, and of one address elsewhere before they say who they are."),
        Limit("per_device", \.connectionsPerDevice, in: 1...10_000, help: "Connections of one device."),
        Limit(
            "unauthenticated_per_address", \.unauthenticatedPerAddress, in: 1...100_000,
            help: "Connections of one address elsewhere that have not said who they are."),
        Limit(
            "command_rate", \.commandsPerSecond, in: 1...1_000_000, help: "Commands a second, sustained.",
            comment: "Commands a second of one connection: sustained, and at once. So many refused within 10 s close it."),
        Limit("command_burst", \.commandBurst, in: 1...1_000_000, help: "Commands at once."),
        Limit(
            "rejections", \.floodRejections, in: 1...1_000_000,
            help: "Commands refused, or frames over their rate, within 10 s before the connection is closed."),
        Limit(
            "frame_rate", \.framesPerSecond, in: 1...1_000_000, help: "Frames of any kind a second; never less than twice command_rate.",
            comment: """
                Frames of any kind a second and at once: commands, pings, pongs, pieces of messages, empty ones too. What comes
                faster waits unread, and more than `rejections` such frames within 10 s close the connection. Twice what is set
                for commands is always allowed.
                """),
        Limit("frame_burst", \.frameBurst, in: 1...1_000_000, help: "Frames of any kind at once; never less than twice command_burst."),
        Limit(
            "wrong_keys", \.wrongKeysPerAddress, in: 1...1_000_000,
            help: "Wrong device keys of one address at once, and a minute after that.",
            comment: "Wrong device keys of one address, and of all together: at once, and then each minute. More are refused unread."),
        Limit("wrong_keys_in_all", \.wrongKeysInAll, in: 1...1_000_000, help: "Wrong device keys of all addresses together, likewise."),
        Limit(
            "in_flight", \.commandsInFlight, in: 1...10_000, help: "Commands of one connection that wait for their answer.",
            comment: "Commands of one connection that wait for their answer."),
        Limit("rooms", \.rooms, in: 1...64, help: "Rooms of one hub.", comment: "Rooms of this hub."),
        Limit(
            "queue", \.queueLength, in: 1...10_000, help: "Entries in one queue.",
            comment: "Entries in a queue, and items named in one command."),
        Limit("add", \.queueAdd, in: 1...1_000, help: "Items named in one queue.add."),
        Limit(
            "guest_entries", \.guestEntries, in: 0...10_000, help: "Entries of one guest that wait to be played.",
            comment: "Entries of one guest that wait to be played."),
        Limit(
            "messages_before_welcome", \.messagesBeforeWelcome, in: 1...100, help: "Messages before the handshake is done.",
            comment: "Messages, and bytes of each, before the handshake is done."),
        Limit("frame_before_welcome", \.frameBeforeWelcome, in: 1_024...65_536, help: "Bytes of a message before the handshake is done."),
        Limit(
            "client_frame", \.clientFrame, in: 4_096...1_048_576, help: "Bytes of a message to the hub.",
            comment: "Bytes of a message to the hub and from it."),
        Limit("hub_frame", \.hubFrame, in: 32_768...1_048_576, help: "Bytes of a message from the hub."),
        Limit("binary_frame", \.binaryFrame, in: 1_024...1_048_576, help: "Bytes of a binary message to the hub."),
        Limit(
            "depth", \.json.depth, in: 4...32, help: "Levels of nesting in a message.",
            comment: """
                Inside a message: nesting, members of an object, elements of an array, bytes of a string and of a
                member's name.
                """),
        Limit("members", \.json.members, in: 16...1_024, help: "Members of an object in a message."),
        Limit("array", \.json.elements, in: 100...10_000, help: "Elements of an array in a message."),
        Limit("string", \.json.stringBytes, in: 256...65_536, help: "Bytes of a string in a message."),
        Limit("member_name", \.json.nameBytes, in: 16...1_024, help: "Bytes of a member's name in a message."),
        Limit(
            "malformed", \.strikes, in: 1...1_000, help: "Messages within a minute that are no JSON, before the connection is closed.",
            comment: "So many messages within a minute that are no JSON close a connection."),
        Limit(
            "hello_ms", time: \.helloWithinMs, in: 100...600_000, help: "Time for a new connection to say hello.",
            comment: "Milliseconds for hello to come, and for a message from its first byte to its last."),
        Limit("message_ms", time: \.messageWithinMs, in: 100...600_000, help: "Time for a message from its first byte to its last."),
        Limit(
            "unread", \.controlLane, in: 16_384...16_777_216, help: "Bytes of answers that one connection may leave unread.",
            comment: "Answers that a connection leaves unread: bytes, and milliseconds. More of either closes it."),
        Limit("unread_ms", time: \.unwritableMs, in: 100...600_000, help: "Time that one connection may leave its answers unread."),
        Limit(
            "ping_ms", time: \.pingMs, in: 100...3_600_000, help: "Silence of a remote before the hub asks whether it is there.",
            comment: """
                Milliseconds of silence before a remote is asked whether it is there, and before it is given up;
                then the same for a watch.
                """),
        Limit(
            "idle_ms", time: \.idleAfterMs, in: 1_000...86_400_000,
            help: "Time without a person's command before a remote is shown as idle.",
            comment: "Milliseconds without a person's command before a remote is shown as idle.", after: "unread_ms"),
        Limit("silence_ms", time: \.silenceMs, in: 200...3_600_000, help: "Silence of a remote before it is given up."),
        Limit("watch_ping_ms", time: \.watchPingMs, in: 100...3_600_000, help: "The same for a watch: before it is asked."),
        Limit("watch_silence_ms", time: \.watchSilenceMs, in: 200...3_600_000, help: "The same for a watch: before it is given up."),
    ]
}
