import BatonCore
package import BatonSeams

/// One ability of the hub that the rest does without, such as podcasts, the radio or music that is made.
///
/// A feature is installed by its initialiser, which makes its parts from the kernel and from features before it in `AllFeatures`; nothing runs by
/// then. All features are started when the last one is there, hear of events in the order of that list, and stop in the reverse order, so that
/// none stops before those that were built on it.
@Loop
package protocol Feature: AnyObject {
    var name: FeatureName { get }
    /// The kinds of events that it hears. A walk passes by the others at the cost of one comparison.
    var hears: HubEvent.Kinds { get }
    /// The parts that hear of changes of rooms.
    var roomHearers: [RoomHearers.Hearer] { get }
    /// The parts that stop, in their order.
    var closing: [Closing] { get }

    /// Registers its commands.
    func install(in commands: CommandTable)
    /// Begins what needs other features. A feature that throws is named among the hub's problems, and the others run.
    func start() throws(FeatureFault)
    /// Tells its parts, each by `round`.
    func handle(_ event: HubEvent, _ round: EventRound)
}

extension Feature {
    package var hears: HubEvent.Kinds { [] }
    package var roomHearers: [RoomHearers.Hearer] { [] }
    package var closing: [Closing] { [] }

    package func install(in commands: CommandTable) {}
    package func start() throws(FeatureFault) {}
    package func handle(_ event: HubEvent, _ round: EventRound) {}
}

/// The name of a feature for people and for the log.
package struct FeatureName: Hashable, Sendable {
    let text: String

    package init(_ text: String) { self.text = text }
}

/// The reason why a feature does not run, or not as a whole.
package struct FeatureFault: Error, Equatable {
    /// One sentence for people.
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}
