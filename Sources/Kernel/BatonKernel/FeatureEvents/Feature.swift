import BatonCore
package import BatonSeams

/// An optional ability of the hub, such as podcasts, radio or generated music.
///
/// A feature is installed by its initialiser, which makes its parts from the kernel and from earlier features in
/// `AllFeatures`; nothing runs then. After the last one all features are started. They hear of events in the order of that
/// list, and close in reverse order, so that none closes before the features that use it.
@Loop
package protocol Feature: AnyObject {
    var name: FeatureName { get }
    /// The profiles of the protocol that it gives the hub, as `Protocol/levels.json` says.
    var profiles: Set<HubProfile> { get }
    /// The kinds of events that it hears. Others are skipped at the cost of one comparison.
    var hears: HubEvent.Kinds { get }
    /// The parts that hear of changes of rooms.
    var roomObservers: [RoomObservers.Observer] { get }
    /// The parts to close, in order.
    var closing: [Closing] { get }
    /// Its figures for monitoring.
    var metricFamilies: [MetricFamily] { get }

    /// Registers its commands.
    func install(in commands: CommandTable)
    /// Starts work that needs other features. A feature that throws is listed in the hub's problems, and the others run.
    func start() throws(FeatureFault)
    /// Tells its parts of an event, each by `round`.
    func handle(_ event: HubEvent, _ round: EventRound)
}

extension Feature {
    package var profiles: Set<HubProfile> { [] }
    package var hears: HubEvent.Kinds { [] }
    package var roomObservers: [RoomObservers.Observer] { [] }
    package var closing: [Closing] { [] }
    package var metricFamilies: [MetricFamily] { [] }

    package func install(in commands: CommandTable) {}
    package func start() throws(FeatureFault) {}
    package func handle(_ event: HubEvent, _ round: EventRound) {}
}

/// The name of a feature for people and for the log.
package struct FeatureName: Hashable, Sendable {
    let text: String

    package init(_ text: String) { self.text = text }
}

/// The reason why a feature does not run, or runs only in part.
package struct FeatureFault: Error, Equatable {
    /// One sentence for people.
    package let sentence: String

    package init(_ sentence: String) { self.sentence = sentence }
}
