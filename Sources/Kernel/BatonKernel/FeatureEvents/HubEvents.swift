package import BatonCore
package import BatonSeams

/// An event in the hub. Its sender does not know the parts that hear of it, and gets no answer; a part that needs one uses a
/// port (`Ports`).
package enum HubEvent {
    /// A source went down, or came back.
    case sourcesChanged
    /// The source of this account became available, or unavailable.
    case sourceChanged(String)
    /// The account was deleted, so data that is only for its source is deleted too.
    case sourceForgotten(String)
    /// The first device has connected.
    case personArrived
    /// Connections were opened, were closed or changed their room.
    case peopleMoved
    /// A person has left the room, so that fewer votes may be enough there.
    case personLeft(RoomID)
    /// A device began to play the room along, or stopped; with whether it signed off.
    case listenersChanged(RoomID, saidGoodbye: Bool)
    /// The streams of the room got their first listener, or lost the last one some seconds ago.
    case streamsChanged(RoomID)
    /// The music of a room was moved to another one, or back.
    case queueMoved(from: LiveRoom, to: LiveRoom)
    /// The item was finished by a person.
    case itemFinished(ItemURI, Person)
    /// Marks and places of a person were moved to another one, or, where that is `home`, deleted.
    case personReplaced(Person, by: Person)
    /// A track that plays soon was copied.
    case copyArrived(ItemURI)
    /// A copy that people asked for is missing, or was changed.
    case copyLost(ItemURI)
    /// The list of kept generated pieces has changed, or one of them is ready.
    case madePiecesChanged
    /// A session has ended, or the rights of a user have changed.
    case usersChanged
    /// A part of a feature does not work, while the rest of it goes on.
    case featureFailed(FeatureName, FeatureFault)
    /// A pairing window was opened, replaced or closed.
    case pairingWindowChanged
}

extension HubEvent {
    /// The kinds of events that a part wants to hear.
    package struct Kinds: OptionSet {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let sourcesChanged = Kinds(rawValue: 1 << 0)
        package static let sourceChanged = Kinds(rawValue: 1 << 1)
        package static let sourceForgotten = Kinds(rawValue: 1 << 2)
        package static let personArrived = Kinds(rawValue: 1 << 3)
        package static let peopleMoved = Kinds(rawValue: 1 << 4)
        static let personLeft = Kinds(rawValue: 1 << 5)
        package static let listenersChanged = Kinds(rawValue: 1 << 6)
        package static let streamsChanged = Kinds(rawValue: 1 << 7)
        package static let queueMoved = Kinds(rawValue: 1 << 8)
        package static let itemFinished = Kinds(rawValue: 1 << 9)
        package static let personReplaced = Kinds(rawValue: 1 << 10)
        static let copyArrived = Kinds(rawValue: 1 << 11)
        package static let copyLost = Kinds(rawValue: 1 << 12)
        package static let madePiecesChanged = Kinds(rawValue: 1 << 13)
        static let usersChanged = Kinds(rawValue: 1 << 14)
        static let featureFailed = Kinds(rawValue: 1 << 15)
        static let pairingWindowChanged = Kinds(rawValue: 1 << 16)
    }

    /// The kind of this event, by which parts that do not hear of it are skipped.
    package var kind: Kinds {
        switch self {
        case .sourcesChanged: .sourcesChanged
        case .sourceChanged: .sourceChanged
        case .sourceForgotten: .sourceForgotten
        case .personArrived: .personArrived
        case .peopleMoved: .peopleMoved
        case .personLeft: .personLeft
        case .listenersChanged: .listenersChanged
        case .streamsChanged: .streamsChanged
        case .queueMoved: .queueMoved
        case .itemFinished: .itemFinished
        case .personReplaced: .personReplaced
        case .copyArrived: .copyArrived
        case .copyLost: .copyLost
        case .madePiecesChanged: .madePiecesChanged
        case .usersChanged: .usersChanged
        case .featureFailed: .featureFailed
        case .pairingWindowChanged: .pairingWindowChanged
        }
    }
}

/// The receiver of all events, which is the hub.
@Loop
package protocol EventObserving: AnyObject {
    /// Called on the loop, in the middle of the sender's work.
    func hear(_ event: HubEvent)
}

/// Passes events from parts to the hub, which tells the others. It is made before all of them.
@Loop
package final class HubEvents {
    /// The hub; `nil` until it is made, and in tests of single parts.
    package weak var observer: (any EventObserving)?

    /// Tells all parts of an event before it returns, so the sender must be in a consistent state. Without a hub the event is dropped.
    package func send(_ event: HubEvent) { observer?.hear(event) }
}
