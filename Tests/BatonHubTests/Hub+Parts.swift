import BatonCore
import BatonProtocol
import BatonSeams

@testable import BatonBooks
@testable import BatonCopies
@testable import BatonHub
@testable import BatonJoining
@testable import BatonKernel
@testable import BatonLibrary
@testable import BatonListening
@testable import BatonMaking
@testable import BatonServers

/// The parts of a hub of which tests look at one, wherever its feature holds them.
extension Hub {
    var limits: WireLimits { kernel.limits }
    var outputs: RoomOutputs { kernel.outputs }
    var changes: RoomChanges { kernel.changes }
    var ledger: Ledger { kernel.ledger }
    var sources: Sources { kernel.sources }
    var players: RoomPlayers { kernel.players }
    var people: People { kernel.people }
    var publisher: StatePublisher { kernel.publisher }
    var clock: HubClock { kernel.clock }
    var events: HubEvents { kernel.events }
    var sleepAlarms: RoomAlarms { kernel.sleepAlarms }
    var dialects: Dialects { kernel.dialects }
    var library: LibraryService { features.library.library }
    var savedQueues: SavedQueues { features.servers.savedQueues }
    var mirrorPasses: MirrorPasses { features.servers.mirrorPasses }
    var keeping: KeepService { features.copies.keeping }
    var places: PlaceService { features.books.places }
    var making: MakingJobs { features.making.jobs }
    var endless: EndlessMaking { features.making.endless }
    var clips: ClipMaking { features.making.clips }
    var joining: JoinedRooms { features.joining.joining }
    var privateRooms: PrivateRooms { features.listening.privateRooms }
}
