import BatonSeams

@testable import BatonHub
@testable import BatonKernel

/// Hears the events of parts that have no hub, or of a hub before it does.
@Loop
final class EventObserver: EventObserving {
    private let body: @Loop (HubEvent) -> Void

    init(_ body: @escaping @Loop (HubEvent) -> Void) { self.body = body }

    func hear(_ event: HubEvent) { body(event) }
}
