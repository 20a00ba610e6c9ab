import BatonCore
import BatonKernel
import BatonProtocol
import BatonSeams

/// Commands about the links that open a room as a stream.
@Loop
struct LinkCommands {
    let streams: RoomStreams
    let changes: RoomChanges

    func install(in commands: CommandTable) {
        commands.answer(Commands.ListenLinks.self, list)
        commands.answer(Commands.ListenLink.self, add)
        commands.answer(Commands.ListenRevoke.self, remove)
    }

    private func list(_ command: Commands.ListenLinks, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        _ = try parts
        let room = accepted.live.room
        let rows = room.links.all.map { ListenLinkList.Row(link: $0.id, name: $0.name, author: $0.author, madeMs: $0.madeMs) }
        let list = ListenLinkList(rows, hearing: streams.listenerCount(of: room.id))
        return changes.ledger.found(list, for: accepted)
    }

    private func add(_ command: Commands.ListenLink, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        let parts = try parts
        if let trouble = parts.encoding.trouble { throw ProtocolFault(.unavailable, trouble) }
        let key = Base64URL.text(parts.cryptography.random(Self.keyBytes))
        if accepted.live.isPrivate {
            throw ProtocolFault(.invalidState, "This room is heard on your device alone. Links lead to the rooms of the hub.")
        }
        let room = accepted.live.room
        var id = Token.random(length: Self.idLength)
        while room.links.all.contains(where: { $0.id == id }) { id = Token.random(length: Self.idLength) }
        let link = RoomLinks.Link(
            id: id, keyHash: parts.cryptography.sha256(Array(key.utf8)), name: command.name ?? "", author: accepted.identity.authorName,
            madeMs: changes.clock.now.wallMs)
        let path = "/listen/\(PercentText.encoded(room.id.text))"
        let made = MadeListenLink(
            link: id, opus: "\(path).opus?key=\(key)", mp3: "\(path).mp3?key=\(key)", list: "\(path).m3u?key=\(key)")
        return try changes.change(accepted.live, for: accepted.id, answering: made) { room, _, _ throws(Refusal) in
            try room.addLink(link)
        }
    }

    private func remove(_ command: Commands.ListenRevoke, _ accepted: AcceptedCommand) throws(ProtocolFault) -> Answer {
        _ = try parts
        return try changes.answer(accepted) { room, _, _ throws(Refusal) in try room.removeLink(command.link) }
    }

    private static let keyBytes = 16
    private static let idLength = 6

    private var parts: StreamParts {
        get throws(ProtocolFault) {
            guard let parts = streams.parts else { throw ProtocolFault(.unsupported, "This hub makes no streams.") }
            return parts
        }
    }
}
