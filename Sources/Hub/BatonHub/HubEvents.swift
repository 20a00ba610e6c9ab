import BatonCore
import BatonSeams

/// An event in the hub. Its sender does not know which parts hear of it, and expects no answer: a part that needs one has a port (`Ports`).
enum HubEvent {
    /// A source went down, or came back.
    case sourcesChanged
    /// The source of this account can be asked from now on, or no longer.
    case sourceChanged(String)
    /// The account is gone: what the hub keeps for its source alone is forgotten.
    case sourceForgotten(String)
    /// The first device is here.
    case personArrived
    /// Connections have come, gone or turned to another room.
    case peopleMoved
    /// A person has left the room, so that fewer votes may be enough there.
    case personLeft(RoomID)
    /// A device plays the room along now, or does so no more; with whether it has said that.
    case listenersChanged(RoomID, saidGoodbye: Bool)
    /// The streams of the room have their first listener now, or the last one has gone some seconds ago.
    case streamsChanged(RoomID)
    /// The music of a room was carried to another one, or back.
    case queueMoved(from: LiveRoom, to: LiveRoom)
    /// The item was finished by a person.
    case itemFinished(ItemURI, Person)
    /// A track that plays soon was copied.
    case copyArrived(ItemURI)
    /// A copy that people asked for is not there any more, or was changed.
    case copyLost(ItemURI)
    /// There is another kept piece of generated music, or one of them is ready.
    case madePiecesChanged
    /// A session has ended, or a user may do more or less than before.
    case usersChanged
    /// A window for pairing was opened, was replaced, or is over.
    case pairingWindowChanged
}

@Loop
protocol EventHearing: AnyObject {
    func hear(_ event: HubEvent)
}

/// Takes events from the parts that send them to the hub, which tells the others. It is made before all of them.
@Loop
final class HubEvents {
    weak var hearer: (any EventHearing)?

    func send(_ event: HubEvent) { hearer?.hear(event) }
}
