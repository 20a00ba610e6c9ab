import BatonCore
import BatonProtocol
package import BatonSeams

/// The facts about the hub: the answer to `hub.info`.
@Loop
package final class HubInformation {
    private let hub: HubIdentity
    private let rooms: RoomList
    private let ledger: Ledger
    private let sections: HubSections
    private let clock: HubClock
    private let dialects: Dialects
    private let startedUs: Microseconds
    /// The profiles that the hub has.
    package var profiles = HubProfiles.every
    /// The addresses of the web remote.
    package var pages: [String] = []
    /// The program around the hub, which knows its memory, its network and its log; `nil` until it is added.
    package weak var program: (any ProgramFacts)?

    init(hub: HubIdentity, rooms: RoomList, ledger: Ledger, sections: HubSections, clock: HubClock, dialects: Dialects) {
        self.hub = hub
        self.rooms = rooms
        self.ledger = ledger
        self.sections = sections
        self.clock = clock
        self.dialects = dialects
        startedUs = clock.nowUs
    }

    /// The answer for a client, with the problems from a row on. Paths on the hub's machine are for its owner only.
    func answer(to identity: Identity, from: Int) -> HubInfo {
        var diagnostics = program?.diagnostics
        // Memory figures cost more than the rest, so they are computed only for admins.
        if identity.role == .admin { diagnostics?.memory = program?.memoryDiagnostics }
        return HubInfo(
            id: hub.id, name: hub.name, version: HubIdentity.version, core: CoreVersion.text, features: profiles.features(),
            epoch: ledger.epoch, boot: hub.boot, upMs: Milliseconds(clock.nowUs - startedUs), rooms: rooms.shared.map(\.room.id),
            connections: dialects.connections, pages: pages, wallMs: clock.now.wallMs,
            diagnostics: identity.role == .admin ? diagnostics : diagnostics?.withoutLocations,
            problems: Array(sections.problems.dropFirst(from)))
    }
}
