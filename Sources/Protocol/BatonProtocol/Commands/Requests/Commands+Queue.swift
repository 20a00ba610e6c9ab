import BatonCore

// How the hub carries out commands about the queue of a room, and the one that an account keeps at its server.

extension Commands.QueueWindow: HubRequest {
    package var request: Request {
        if let ids { return .queueRows(ids) }
        return .queueWindow(from: from, count: count)
    }
}

extension Commands.QueueRemove: HubRequest { package var request: Request { .room(.remove(ids)) } }
extension Commands.QueueUndo: HubRequest { package var request: Request { .room(.undo) } }

extension Commands.QueueHistory: HubRequest {
    package var request: Request { .queueHistory }
}

extension Commands.QueueAdd: HubRequest { package var request: Request { .add(uris, at: place) } }
extension Commands.QueueMove: HubRequest { package var request: Request { .room(.move(ids, to: anchor)) } }
extension Commands.QueueClear: HubRequest { package var request: Request { .room(.clear(base: base, keep: keep)) } }

extension Commands.QueueReplace: HubRequest {
    package var request: Request { .replace(base: base, uris, start: start, positionMs: positionMs) }
}

extension Commands.QueueShuffle: HubRequest { package var request: Request { .room(.shuffle(base: base)) } }

extension Commands.QueueSave: HubRequest {
    package var request: Request { .savedQueue(.save(at: source)) }
}

extension Commands.QueueContinue: HubRequest { package var request: Request { .savedQueue(.goOn(from: source)) } }
