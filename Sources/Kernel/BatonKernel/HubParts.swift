package import BatonCore
package import BatonProtocol
package import BatonSeams

/// The parts that a hub needs.
package struct HubParts {
    /// The loop with the monotonic clock; a simulated one in tests.
    package var reactor: any Reactor
    /// The log, already at the threshold of the settings.
    package var log: Log
    /// The limits of the protocol, as the configuration sets them.
    package var limits: WireLimits
    /// The id of the hub, which is stored beside the state, and its name, which the settings give.
    package var identity: HubIdentity
    /// The store of rooms and answers. A hub that cannot load it does not start.
    package var journal: any Journal
    /// The notes of crashes; without them work is never held.
    package var crashes: (any CrashNoting)?
    /// Functions that encode the list of devices and count the rows of a page, so that the kernel knows no encoding.
    package var codec: HubCodec
    /// The sources that are there from the start; those of accounts are added when they are opened.
    package var connectors: [any Connector]
    /// Threads for disks and files; without them blocking work runs on the loop, as in simulated time.
    package var blockingPool: (any TaskExecutor)?
    /// Threads of low priority for background work; without them it runs in `blockingPool`.
    package var quietPool: (any TaskExecutor)?
    /// Makes the threads of one source; without it all of them share `blockingPool`.
    package let sourceThreads: Sources.MakeThreads?
    /// Time for which a search waits for one source of several.
    package var searchDeadline: Duration
    /// Makes the player of a room for the named output.
    package let makeEngine: MakeEngine
    /// True when a room without a speaker gets a player that decodes nothing.
    package var hasSilentRooms: Bool
    /// The output of the hub, and of every room without an output of its own.
    package var output: String
    /// Other outputs that the owner allows by name.
    package var allowedOutputs: [String]
    /// Asks for the devices; without this argument there are none.
    package let listDevices: ListDevices
    /// The wall clock in milliseconds since 1970, for times that people see.
    package let wallMs: @Sendable () -> Milliseconds
    /// Start level, ceiling and start maximum of a new room.
    package var volume: VolumeRail
    /// The volume range for guests without a range of their own; `nil` forbids them to change it.
    package var guestVolume: ClosedRange<Int>?
    /// The name of the first room of a hub without stored rooms.
    package var roomName: String
    /// The devices that may connect from other machines; without it none may.
    package var deviceRegistry: DeviceRegistry?
    /// The people with an account; without it none can sign in.
    package var users: UserRegistry?
    /// The profiles that this program does not give its hub, such as those whose settings are off.
    package var lacks: Set<HubProfile>
    /// Makes a name that cannot be guessed.
    package let randomName: @Sendable () -> String
    /// Gives free memory back to the system. It is called on the loop, and works on another thread.
    package let releaseMemory: @Loop () -> Void

    /// A function that makes the player of a room for an output. The player sends its reports in order, on the loop.
    package typealias MakeEngine =
        @Loop (_ room: RoomID, _ output: String, _ report: @escaping @Loop (PlayerReport) -> Void) ->
        any PlayerEngine
    /// A function that asks the player for its devices, and may wait for a sound server.
    package typealias ListDevices = @Loop () async -> [AudioDevice]

    package init(
        reactor: any Reactor, log: Log, limits: WireLimits = .standard, identity: HubIdentity, journal: any Journal,
        crashes: (any CrashNoting)? = nil, codec: HubCodec,
        connectors: [any Connector], blockingPool: (any TaskExecutor)? = nil, quietPool: (any TaskExecutor)? = nil,
        sourceThreads: Sources.MakeThreads? = nil, searchDeadline: Duration = .milliseconds(800),
        makeEngine: @escaping MakeEngine, hasSilentRooms: Bool = false, output: String = "auto", allowedOutputs: [String] = [],
        listDevices: @escaping ListDevices = { [] },
        wallMs: @escaping @Sendable () -> Milliseconds, volume: VolumeRail = VolumeRail(), guestVolume: ClosedRange<Int>? = nil,
        roomName: String = "Main room", deviceRegistry: DeviceRegistry? = nil, users: UserRegistry? = nil,
        lacks: Set<HubProfile> = [],
        randomName: @escaping @Sendable () -> String = { Token.random(length: 22) },
        releaseMemory: @escaping @Loop () -> Void = {}
    ) {
        self.reactor = reactor
        self.log = log
        self.limits = limits
        self.identity = identity
        self.journal = journal
        self.crashes = crashes
        self.codec = codec
        self.connectors = connectors
        self.blockingPool = blockingPool
        self.quietPool = quietPool
        self.sourceThreads = sourceThreads
        self.searchDeadline = searchDeadline
        self.makeEngine = makeEngine
        self.hasSilentRooms = hasSilentRooms
        self.output = output
        self.allowedOutputs = allowedOutputs
        self.listDevices = listDevices
        self.wallMs = wallMs
        self.volume = volume
        self.guestVolume = guestVolume
        self.roomName = roomName
        self.deviceRegistry = deviceRegistry
        self.users = users
        self.lacks = lacks
        self.randomName = randomName
        self.releaseMemory = releaseMemory
    }
}
