import BatonCore
import BatonSeams

/// The parts of the hub that hear of an event, in the order in which they hear. Of a changed room they hear by `RoomHearers`.
extension Hub: EventHearing {
    /// One part that hears of an event.
    struct Hearing {
        let part: String
        /// It is not told while work that the hub does by itself is held back.
        let isHeld: Bool
        let hear: @Loop (Hub) -> Void

        init(_ part: String, held isHeld: Bool = false, _ hear: @escaping @Loop (Hub) -> Void) {
            self.part = part
            self.isHeld = isHeld
            self.hear = hear
        }
    }

    func hear(_ event: HubEvent) {
        for part in Self.hearing(of: event) where !part.isHeld || !hold.isOn { part.hear(self) }
    }

    static func hearing(of event: HubEvent) -> [Hearing] {
        switch event {
        case .sourcesChanged:
            [
                Hearing("listening", held: true) { $0.listening.considerAll() },
                Hearing("delivery", held: true) { $0.delivery.wakeAll() },
                Hearing("serverPlaces", held: true) { $0.serverPlaces.considerAll() },
                Hearing("mirrorPasses", held: true) { $0.mirrorPasses.considerAll() },
                Hearing("savedQueues", held: true) { $0.savedQueues.considerAll() },
                Hearing("queueSync", held: true) { $0.queueSync.considerAll() },
                Hearing("keeping") { $0.keeping.review.note(.sources) },
                Hearing("changes") { $0.changes.refresh(nil, [.room]) },
                Hearing("accounts") { $0.accounts.show() },
                Hearing("publisher") { $0.publisher.tell() },
            ]
        case .sourceChanged(let source):
            [
                Hearing("joining", held: true) { $0.joining.sourceChanged(source) },
                Hearing("listening", held: true) { $0.listening.restart(source) },
                Hearing("queueSync", held: true) { $0.queueSync.considerAll() },
                Hearing("delivery", held: true) { $0.delivery.wake(source) },
                Hearing("mirrorPasses", held: true) { $0.mirrorPasses.consider(source) },
            ]
        case .sourceForgotten(let source):
            [
                Hearing("joining") { $0.joining.forget(source) },
                Hearing("savedQueues") { $0.savedQueues.forget(source) },
            ]
        case .personArrived:
            [
                Hearing("savedQueues") { $0.savedQueues.arrived() },
                Hearing("serverPlaces") { $0.serverPlaces.arrived() },
            ]
        case .peopleMoved: [Hearing("privateRooms") { $0.privateRooms.peopleChanged() }]
        case .personLeft(let room): [Hearing("presence") { $0.presence.left(room) }]
        case .listenersChanged(let room, let saidGoodbye):
            [Hearing("emptyRooms") { $0.emptyRooms.listenersChanged(in: room, saidGoodbye: saidGoodbye) }]
        case .streamsChanged(let room):
            [
                Hearing("emptyRooms") { $0.emptyRooms.listenersChanged(in: room, saidGoodbye: true) },
                Hearing("ahead") { $0.ahead.roomChanged() },
            ]
        case .queueMoved(let from, let to): [Hearing("endless") { $0.endless.handedOver(from: from, to: to) }]
        case .itemFinished(let uri, let person):
            [
                Hearing("keeping") { $0.keeping.review.note(.finished) },
                Hearing("places") { $0.places.proposeNext(after: uri, to: person) },
            ]
        case .copyArrived(let uri): [Hearing("players") { $0.players.copied(uri) }]
        case .copyLost(let uri): [Hearing("keeping") { $0.keeping.lost(uri) }]
        case .madePiecesChanged: [Hearing("keeping") { $0.keeping.changed() }]
        case .usersChanged:
            [
                Hearing("deviceRegistry") { if $0.users?.hasAdmin == true { $0.deviceRegistry?.voidFirstTicket() } },
                Hearing("dialects") { for dialect in $0.dialects.all { dialect.usersChanged() } },
            ]
        case .pairingWindowChanged:
            [
                Hearing("changes") { $0.changes.refresh(nil, [.room]) },
                // In the next turn of the loop, so that the answer to the client that opened the window leaves first.
                Hearing("publisher") { hub in _ = hub.clock.after(.zero) { [weak hub] in hub?.publisher.tell() } },
            ]
        }
    }
}
