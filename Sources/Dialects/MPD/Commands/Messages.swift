import BatonSeams

/// Messages between the clients of a room.
extension Session {
    func subscribe(_ words: [String]) throws(Ack) -> Step {
        var mailbox = mailbox ?? Mailbox()
        try mailbox.subscribe(to: words[0])
        self.mailbox = mailbox
        dialect.notice(.subscription, in: room)
        return .done
    }

    func unsubscribe(_ words: [String]) throws(Ack) -> Step {
        var mailbox = mailbox ?? Mailbox()
        try mailbox.unsubscribe(from: words[0])
        self.mailbox = mailbox.isEmpty ? nil : mailbox
        dialect.notice(.subscription, in: room)
        return .done
    }

    func listChannels() -> Step {
        var channels = Set<String>()
        for session in dialect.sessions where session.room == room { channels.formUnion(session.mailbox?.channels ?? []) }
        for channel in channels.sorted() { text.line("channel", channel) }
        return .done
    }

    func sendMessage(_ words: [String]) throws(Ack) -> Step {
        guard Mailbox.isName(words[0]) else { throw Ack(.argument, "invalid channel name") }
        var isSent = false
        for session in dialect.sessions where session.room == room && session.mailbox?.channels.contains(words[0]) == true {
            isSent = true
            if session.mailbox?.take(words[1], on: words[0]) == true { session.notice(.message) }
        }
        guard isSent else { throw Ack(.missing, "nobody is subscribed to this channel") }
        return .done
    }

    func readMessages() -> Step {
        for message in mailbox?.read() ?? [] {
            text.line("channel", message.channel)
            text.line("message", message.text)
        }
        return .done
    }
}
