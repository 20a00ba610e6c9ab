// swift-tools-version: 6.2
import PackageDescription

// The map of the package. A module may depend on modules above it in this
// file and on nothing else; Tests/ArchitectureTests reads the imports and fails otherwise.

/// Whether another package has fetched this one by its version: SwiftPM lets such a one bring no flags of its own.
let isFetched = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"

/// What makes the shipped build quick.
let quick: [SwiftSetting] = [
    // Generic calls between modules are specialised in the shipped build.
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
    // The compiler has proved on which executor each closure runs, and callbacks from C are checked by our own code. The
    // runtime's check at each closure would cost several microseconds for each answer.
    .unsafeFlags(["-Xfrontend", "-disable-dynamic-actor-isolation"], .when(configuration: .release)),
]

/// What every module of ours is held to.
let common: [SwiftSetting] =
    [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        // A closure that keeps a part weakly never puts another one in its place, so no check of that is made as it runs.
        .enableUpcomingFeature("ImmutableWeakCaptures"),
    ] + (isFetched ? [] : quick)

/// Where C begins, each touch of it is marked `unsafe`.
let edge: [SwiftSetting] = common + [.strictMemorySafety()]

let package = Package(
    name: "baton",
    // For `BatonClient` in apps; the hub itself runs on Linux only.
    platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .visionOS(.v2), .watchOS(.v11)],
    products: [
        .executable(name: "baton", targets: ["baton"]),
        .executable(name: "batond", targets: ["batond"]),
        .executable(name: "baton-composer", targets: ["baton-composer"]),
        .executable(name: "baton-reader", targets: ["baton-reader"]),
        .executable(name: "baton-listen", targets: ["baton-listen"]),
        .executable(name: "baton-transcoder", targets: ["baton-transcoder"]),
        // What remotes of others are made of, and what a Linux program connects and pairs with.
        .library(name: "BatonClient", targets: ["BatonClient", "BatonCore", "BatonJSON", "BatonProtocol", "BatonWire"]),
        .library(name: "BatonSockets", targets: ["Crypto", "WebClient"]),
    ],
    targets: [
        // C libraries: a module map and a shim each. The `.pc` files of Avahi and mpv carry flags
        // that SwiftPM refuses, so the module maps name the libraries themselves; libmpv, libcurl, libavahi-client,
        // libqrencode and libsystemd are opened at run time.
        .systemLibrary(name: "CAvahi", path: "Sources/System/CAvahi"),
        .systemLibrary(name: "CCurl", path: "Sources/System/CCurl"),
        .systemLibrary(name: "CEBUR128", path: "Sources/System/CEBUR128"),
        .systemLibrary(name: "CExpat", path: "Sources/System/CExpat"),
        .systemLibrary(name: "CFFmpeg", path: "Sources/System/CFFmpeg"),
        .systemLibrary(name: "CFLAC", path: "Sources/System/CFLAC"),
        .systemLibrary(name: "CFluidSynth", path: "Sources/System/CFluidSynth"),
        .systemLibrary(name: "CInih", path: "Sources/System/CInih"),
        .systemLibrary(name: "CLinux", path: "Sources/System/CLinux"),
        .systemLibrary(name: "CMPV", path: "Sources/System/CMPV"),
        .systemLibrary(name: "COpenSSL", path: "Sources/System/COpenSSL"),
        .systemLibrary(name: "CQRencode", path: "Sources/System/CQRencode"),
        .systemLibrary(name: "CSeccomp", path: "Sources/System/CSeccomp"),
        .systemLibrary(name: "CSQLite", path: "Sources/System/CSQLite"),
        .systemLibrary(name: "CSystemd", path: "Sources/System/CSystemd"),
        .systemLibrary(name: "CWebSockets", path: "Sources/System/CWebSockets"),
        .systemLibrary(name: "CZlib", path: "Sources/System/CZlib"),

        // Core: values that decide.
        .target(name: "BatonCore", path: "Sources/Core/BatonCore", swiftSettings: common),
        .testTarget(name: "BatonCoreTests", dependencies: ["BatonCore"], swiftSettings: common),

        // JSON, for every protocol that speaks it.
        .target(name: "BatonJSON", path: "Sources/Wire/BatonJSON", swiftSettings: common),

        // The types of commands and their codecs follow from Protocol/commands, those of sections and answers from Protocol/schema. They are
        // written into the build before BatonProtocol and BatonWire are compiled.
        .executableTarget(name: "ProtocolWriter", dependencies: ["BatonJSON"], path: "Sources/Wire/ProtocolWriter", swiftSettings: common),
        .plugin(name: "WriteProtocol", capability: .buildTool, dependencies: ["ProtocolWriter"], path: "Sources/Wire/WriteProtocol"),
        .testTarget(name: "ProtocolWriterTests", dependencies: ["BatonJSON", "ProtocolWriter"], swiftSettings: common),

        // Wire: what Protocol/ says, in Swift; and the JSON in which the companion protocol says it.
        .target(
            name: "BatonProtocol", dependencies: ["BatonCore", "BatonJSON"], path: "Sources/Wire/BatonProtocol", swiftSettings: common,
            plugins: ["WriteProtocol"]),
        .target(
            name: "BatonWire", dependencies: ["BatonCore", "BatonJSON", "BatonProtocol"], path: "Sources/Wire/BatonWire",
            swiftSettings: common, plugins: ["WriteProtocol"]),
        .testTarget(
            name: "BatonProtocolTests", dependencies: ["BatonProtocol", "BatonWire"], exclude: ["Faults.txt"], swiftSettings: common),

        // Music made of a recipe, as a score; what baton-composer is asked for, and what it says.
        .target(
            name: "BatonComposer", dependencies: ["BatonCore", "BatonJSON"], path: "Sources/Core/BatonComposer", swiftSettings: common),
        .testTarget(name: "BatonComposerTests", dependencies: ["BatonComposer", "BatonJSON"], swiftSettings: common),

        // The messages between the hub and baton-reader, over a private socket.
        .target(name: "BatonReading", path: "Sources/Wire/BatonReading", swiftSettings: common),
        .testTarget(name: "BatonReadingTests", dependencies: ["BatonReading"], swiftSettings: common),

        // Client: connect, mirror, command, over any transport.
        .target(
            name: "BatonClient", dependencies: ["BatonCore", "BatonProtocol", "BatonWire"], path: "Sources/Client/BatonClient",
            swiftSettings: common),
        .testTarget(
            name: "BatonClientTests", dependencies: ["BatonClient", "BatonCore", "BatonProtocol", "BatonWire"], swiftSettings: common),

        // Seams: what edges, connectors and dialects may know of the rest.
        .target(name: "BatonSeams", dependencies: ["BatonCore", "BatonProtocol"], path: "Sources/Seams/BatonSeams", swiftSettings: common),

        // Platform: one wrapper per C library. Threads come first, since other platform modules start theirs there.
        .target(
            name: "Threads", dependencies: ["BatonCore", "BatonSeams", "CLinux"], path: "Sources/Platform/Threads", swiftSettings: edge),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: common),
        .target(
            name: "Configuration", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "CInih"],
            path: "Sources/Platform/Configuration",
            swiftSettings: edge),
        .testTarget(
            name: "ConfigurationTests", dependencies: ["BatonProtocol", "BatonSeams", "Configuration", "Harness"],
            exclude: ["Settings.txt"], swiftSettings: common),
        .target(
            name: "Crypto", dependencies: ["BatonProtocol", "BatonSeams", "COpenSSL", "Threads"], path: "Sources/Platform/Crypto",
            swiftSettings: edge),
        .testTarget(name: "CryptoTests", dependencies: ["BatonProtocol", "BatonSeams", "Crypto", "Harness"], swiftSettings: common),
        .target(
            name: "DesktopBus", dependencies: ["BatonCore", "BatonSeams", "CLinux", "CSystemd"], path: "Sources/Platform/DesktopBus",
            swiftSettings: edge),
        .testTarget(
            name: "DesktopBusTests", dependencies: ["BatonCore", "BatonSeams", "DesktopBus", "EventLoop", "Harness"], swiftSettings: common),
        .target(
            name: "Discovery", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "CAvahi", "CLinux", "Threads"],
            path: "Sources/Platform/Discovery", swiftSettings: edge),
        .testTarget(name: "DiscoveryTests", dependencies: ["Discovery", "EventLoop", "Harness"], swiftSettings: common),
        .target(
            name: "Disk", dependencies: ["BatonCore", "BatonSeams", "CLinux", "Threads"], path: "Sources/Platform/Disk", swiftSettings: edge
        ),
        .testTarget(name: "DiskTests", dependencies: ["BatonSeams", "Disk"], swiftSettings: common),
        .target(
            name: "HTTPClient", dependencies: ["BatonCore", "BatonSeams", "CCurl", "Threads"], path: "Sources/Platform/HTTPClient",
            swiftSettings: edge),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["BatonSeams", "Crypto", "HTTPClient", "Harness", "Threads"], exclude: ["server.py"],
            swiftSettings: common),
        .target(
            name: "Media", dependencies: ["BatonCore", "BatonReading", "BatonSeams", "CLinux", "Threads"], path: "Sources/Platform/Media",
            swiftSettings: edge),
        .testTarget(
            name: "MediaTests", dependencies: ["BatonReading", "Disk", "Media", "Harness", "baton-reader", "baton-transcoder"],
            exclude: ["faulty_readers.py"],
            swiftSettings: common),
        .target(
            name: "MediaFormat", dependencies: ["BatonReading", "CExpat", "CFFmpeg", "CLinux"], path: "Sources/Platform/MediaFormat",
            swiftSettings: edge),
        .testTarget(name: "MediaFormatTests", dependencies: ["BatonReading", "MediaFormat"], swiftSettings: common),
        .target(
            name: "Player", dependencies: ["BatonCore", "BatonSeams", "CMPV", "CLinux", "Threads"], path: "Sources/Platform/Player",
            swiftSettings: edge),
        .testTarget(
            name: "PlayerTests", dependencies: ["Disk", "EventLoop", "HTTPClient", "Harness", "Player", "WebFolder"],
            exclude: ["server.py"],
            swiftSettings: common),
        .target(
            name: "ProcessLimits", dependencies: ["CLinux", "CSeccomp"], path: "Sources/Platform/ProcessLimits", swiftSettings: edge),
        // The program's own process, and those that it starts.
        .target(
            name: "Processes", dependencies: ["BatonCore", "BatonSeams", "CLinux", "Disk", "Threads"], path: "Sources/Platform/Processes",
            swiftSettings: edge),
        .testTarget(name: "ProcessesTests", dependencies: ["BatonSeams", "Processes"], swiftSettings: common),
        .testTarget(name: "WorkerProgramsTests", dependencies: ["BatonSeams", "Harness", "Processes"], swiftSettings: common),
        .target(
            name: "Synthesis", dependencies: ["BatonComposer", "CEBUR128", "CFLAC", "CFluidSynth"], path: "Sources/Platform/Synthesis",
            swiftSettings: edge),
        .testTarget(name: "SynthesisTests", dependencies: ["BatonComposer", "Synthesis"], swiftSettings: common),
        // libwebsockets: the loop, and what serves and calls over it.
        .target(
            name: "EventLoop", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "CLinux", "CWebSockets", "Threads"],
            path: "Sources/Platform/EventLoop", swiftSettings: edge),
        .testTarget(
            name: "EventLoopTests", dependencies: ["CLinux", "EventLoop", "SocketPeers", "SocketServer", "WebClient"],
            swiftSettings: common),
        .testTarget(
            name: "OutgoingWebSocketsTests", dependencies: ["Crypto", "EventLoop", "HTTPClient", "Harness", "SocketPeers"],
            exclude: ["server.py"], swiftSettings: common),
        .target(
            name: "SocketServer", dependencies: ["BatonCore", "BatonSeams", "CLinux", "EventLoop"], path: "Sources/Platform/SocketServer",
            swiftSettings: edge),
        .testTarget(name: "LineServerTests", dependencies: ["SocketPeers", "SocketServer"], swiftSettings: common),
        .testTarget(
            name: "WebServerTests",
            dependencies: ["BatonClient", "Crypto", "Disk", "Harness", "SocketPeers", "SocketServer", "Threads", "WebClient"],
            swiftSettings: common),
        .target(
            name: "WebClient",
            dependencies: ["BatonCore", "BatonClient", "BatonProtocol", "BatonSeams", "CLinux", "CWebSockets", "EventLoop", "Threads"],
            path: "Sources/Platform/WebClient", swiftSettings: edge),
        .testTarget(name: "WebClientTests", dependencies: ["SocketPeers", "SocketServer", "WebClient"], swiftSettings: common),
        .target(
            name: "Terminals", dependencies: ["BatonSeams", "CLinux", "CQRencode", "CZlib"], path: "Sources/Platform/Terminals",
            swiftSettings: edge),
        .testTarget(name: "TerminalsTests", dependencies: ["Terminals"], swiftSettings: common),
        .target(
            name: "SQLite", dependencies: ["BatonCore", "BatonSeams", "CSQLite", "Threads"], path: "Sources/Platform/SQLite",
            swiftSettings: edge),
        .testTarget(name: "SQLiteTests", dependencies: ["BatonCore", "Harness", "SQLite"], swiftSettings: common),
        // Stores: the journal, the library, and what features store in files of their own; and backups of all of them.
        .target(
            name: "Stores",
            dependencies: ["BatonCore", "BatonJSON", "BatonProtocol", "BatonSeams", "BatonWire", "CLinux", "Crypto", "Disk", "SQLite"],
            path: "Sources/Platform/Stores", swiftSettings: edge),
        .testTarget(
            name: "TrackCacheTests", dependencies: ["BatonCore", "BatonSeams", "Crypto", "Harness", "Stores"], swiftSettings: common),
        .testTarget(
            name: "StoresTests",
            dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "CSQLite", "Crypto", "Harness", "SQLite", "Stores"],
            swiftSettings: common),
        .testTarget(name: "RecordingsTests", dependencies: ["BatonSeams", "Stores"], swiftSettings: common),
        .testTarget(name: "StreamRingTests", dependencies: ["BatonCore", "BatonSeams", "Disk", "Stores"], swiftSettings: common),
        .testTarget(
            name: "BackupsTests", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "Harness", "SQLite", "Stores"],
            swiftSettings: common),
        // Files of every format that a store ever had.
        .testTarget(
            name: "StoreFormatTests",
            dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "Crypto", "Harness", "SQLite", "Stores"],
            exclude: ["Formats", "make.py", "samples.py"], swiftSettings: common),

        // Connectors of accounts at servers, and workers: each knows one kind; and lists of stations, which `baton` reads too. All others stand
        // in the module of their feature.
        .target(
            name: "ServerConnectors", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"],
            path: "Sources/Features/Servers/ServerConnectors", swiftSettings: common),
        .testTarget(
            name: "ChadMusicTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "HTTPClient", "Harness", "ServerConnectors"],
            swiftSettings: common),
        .target(
            name: "MusicWorkers", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Making/MusicWorkers",
            swiftSettings: common),
        .testTarget(
            name: "GenerationTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "HTTPClient", "Harness", "MusicWorkers"],
            swiftSettings: common),
        .target(
            name: "StationLists", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Radio/StationLists",
            swiftSettings: common),
        .testTarget(
            name: "SapphoTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "HTTPClient", "Harness", "ServerConnectors"],
            swiftSettings: common),
        .testTarget(
            name: "SubsonicTests",
            dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "Crypto", "HTTPClient", "Harness", "ServerConnectors"],
            swiftSettings: common),

        // Page: the web remote as the hub serves it. A build tool writes the files in its folder `page` into one Swift source.
        .executableTarget(name: "PageEmbedder", dependencies: ["CZlib"], path: "Sources/Web/PageEmbedder", swiftSettings: common),
        .plugin(name: "EmbedPage", capability: .buildTool, dependencies: ["PageEmbedder"], path: "Sources/Web/EmbedPage"),
        .target(name: "WebRemote", path: "Sources/Web/WebRemote", swiftSettings: common, plugins: ["EmbedPage"]),
        .testTarget(name: "WebRemoteTests", dependencies: ["PageEmbedder", "WebRemote"], swiftSettings: common),

        // Kernel: door, rooms and their players, journal, published state, people and devices, lanes of sources, events. It knows no codec, no
        // WebSocket and no HTTP, and it names no feature.
        .target(
            name: "BatonKernel", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams"], path: "Sources/Kernel/BatonKernel",
            swiftSettings: common),

        // Features: one ability each, on the kernel, with the connectors that serve it. They do not know each other.
        .target(
            name: "BatonAdmin", dependencies: ["BatonCore", "BatonJSON", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Admin/BatonAdmin", swiftSettings: common),
        .testTarget(name: "MetricsTests", dependencies: ["BatonAdmin", "BatonSeams"], swiftSettings: common),
        .target(
            name: "BatonBooks", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Books/BatonBooks", swiftSettings: common),
        .target(
            name: "BatonCopies", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Copies/BatonCopies", swiftSettings: common),
        .target(
            name: "BatonDialectAccess", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/DialectAccess/BatonDialectAccess", swiftSettings: common),
        .target(
            name: "BatonJoining", dependencies: ["BatonCore", "BatonJSON", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Joining/BatonJoining", swiftSettings: common),
        .testTarget(
            name: "MusicRoomTests", dependencies: ["BatonCore", "BatonJSON", "BatonJoining", "BatonSeams", "Harness"],
            swiftSettings: common),
        .target(
            name: "BatonLibrary", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Library/BatonLibrary", swiftSettings: common),
        .testTarget(
            name: "BatonLibraryTests",
            dependencies: ["BatonLibrary", "Disk", "EventLoop", "Harness", "Media", "Stores", "Threads", "baton-reader"],
            swiftSettings: common),
        .testTarget(name: "WebAddressesTests", dependencies: ["BatonLibrary"], swiftSettings: common),
        .testTarget(
            name: "LibraryStoreTests",
            dependencies: ["BatonCore", "BatonLibrary", "BatonProtocol", "BatonSeams", "BatonWire", "Harness", "SQLite", "Stores"],
            swiftSettings: common),
        .target(
            name: "BatonListening", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Listening/BatonListening", swiftSettings: common),
        .target(
            name: "BatonMaking", dependencies: ["BatonComposer", "BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Making/BatonMaking", swiftSettings: common),
        .target(
            name: "BatonPodcasts", dependencies: ["BatonCore", "BatonJSON", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Podcasts/BatonPodcasts", swiftSettings: common),
        .testTarget(
            name: "PodcastsTests", dependencies: ["BatonCore", "BatonPodcasts", "BatonSeams", "Harness", "Stores"], swiftSettings: common),
        .target(
            name: "BatonRadio", dependencies: ["BatonCore", "BatonJSON", "BatonKernel", "BatonProtocol", "BatonSeams", "StationLists"],
            path: "Sources/Features/Radio/BatonRadio", swiftSettings: common),
        .testTarget(
            name: "RadioTests",
            dependencies: ["BatonCore", "BatonRadio", "BatonSeams", "HTTPClient", "Harness", "StationLists", "Stores", "Threads"],
            exclude: ["server.py"], swiftSettings: common),
        .target(
            name: "BatonServers", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Servers/BatonServers", swiftSettings: common),
        .target(
            name: "BatonUsers", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Users/BatonUsers", swiftSettings: common),

        // Hub: the list of the features, and what is opened in them.
        .target(
            name: "BatonHub",
            dependencies: [
                "BatonAdmin", "BatonBooks", "BatonCopies", "BatonCore", "BatonDialectAccess", "BatonJoining", "BatonKernel", "BatonLibrary",
                "BatonListening", "BatonMaking", "BatonPodcasts", "BatonProtocol", "BatonRadio", "BatonSeams", "BatonServers", "BatonUsers",
            ],
            path: "Sources/Assembly/BatonHub", swiftSettings: common),
        .testTarget(
            name: "BatonHubTests",
            dependencies: [
                "BatonBooks", "BatonComposer", "BatonCopies", "BatonDialectAccess", "BatonHub", "BatonJoining", "BatonKernel",
                "BatonLibrary",
                "BatonListening", "BatonMaking", "BatonPodcasts", "BatonRadio", "BatonServers", "BatonUsers", "Companion", "Crypto",
                "Harness", "SQLite",
                "Stores",
            ],
            exclude: ["Simulation/Traces.txt"], swiftSettings: common),

        // Dialects: each translates one protocol to the hub's commands and state, and knows no hub.
        .target(
            name: "Companion", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "BatonWire", "WebRemote"],
            path: "Sources/Dialects/Companion", swiftSettings: common),
        .testTarget(
            name: "CompanionTests",
            dependencies: [
                "BatonHub", "BatonKernel", "BatonLibrary", "Companion", "Crypto", "EventLoop", "Harness", "SocketPeers", "SocketServer",
                "WebRemote",
            ],
            swiftSettings: common),

        .target(
            name: "MPD", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams"], path: "Sources/Dialects/MPD", swiftSettings: common),
        .testTarget(
            name: "MPDTests",
            dependencies: [
                "BatonCore", "BatonHub", "BatonKernel", "BatonLibrary", "BatonProtocol", "BatonSeams", "BatonWire", "Harness", "MPD",
                "MPRIS",
            ],
            swiftSettings: common),

        .target(
            name: "MPRIS", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "BatonWire"], path: "Sources/Dialects/MPRIS",
            swiftSettings: common),
        .testTarget(
            name: "MPRISTests",
            dependencies: [
                "BatonCore", "BatonHub", "BatonProtocol", "BatonSeams", "BatonWire", "DesktopBus", "EventLoop", "Harness", "MPRIS",
            ],
            swiftSettings: common),

        .target(
            name: "MusicRoomServer", dependencies: ["BatonCore", "BatonJSON", "BatonProtocol", "BatonSeams"],
            path: "Sources/Dialects/MusicRoomServer", swiftSettings: common),
        .testTarget(
            name: "MusicRoomServerTests",
            dependencies: [
                "BatonHub", "BatonJSON", "BatonKernel", "BatonLibrary", "Companion", "Crypto", "EventLoop", "Harness", "MusicRoomServer",
                "SocketPeers", "SocketServer",
            ],
            swiftSettings: common),

        // Executables: read arguments, build the graph, run it.
        .executableTarget(
            name: "baton",
            dependencies: [
                "BatonClient", "BatonCore", "BatonProtocol", "BatonSeams", "Configuration", "Crypto", "DesktopBus", "Discovery",
                "EventLoop",
                "MPRIS", "StationLists", "Terminals", "WebClient",
            ],
            path: "Sources/Programs/baton", swiftSettings: common),
        .testTarget(
            name: "SatelliteTests", dependencies: ["BatonClient", "BatonCore", "BatonProtocol", "Harness", "Terminals", "baton", "batond"],
            exclude: ["Help.txt", "cutting.py", "meeting.py"], swiftSettings: common),
        .executableTarget(
            name: "batond",
            dependencies: [
                "BatonAdmin", "BatonComposer", "BatonCore", "BatonDialectAccess", "BatonHub", "BatonJoining", "BatonKernel", "BatonLibrary",
                "BatonListening", "BatonMaking", "BatonPodcasts", "BatonProtocol", "BatonRadio", "BatonSeams", "BatonServers", "Companion",
                "Configuration",
                "Crypto", "DesktopBus", "Discovery", "Disk", "EventLoop", "HTTPClient", "MPD", "MPRIS", "Media", "MusicRoomServer",
                "MusicWorkers", "Player", "Processes", "SQLite", "ServerConnectors", "SocketServer", "StationLists", "Stores", "Terminals",
                "Threads",
            ],
            path: "Sources/Programs/batond", swiftSettings: common),
        // Plays a room on another machine: `baton` becomes it, so that libmpv makes no other command slower.
        .executableTarget(
            name: "baton-listen",
            dependencies: [
                "BatonClient", "BatonCore", "BatonProtocol", "BatonSeams", "Configuration", "Crypto", "EventLoop", "Player", "Threads",
                "WebClient",
            ],
            path: "Sources/Programs/baton-listen", swiftSettings: common),
        // These two alone link FFmpeg and parse untrusted files.
        .executableTarget(
            name: "baton-reader", dependencies: ["BatonReading", "MediaFormat", "ProcessLimits"], path: "Sources/Programs/baton-reader",
            swiftSettings: common),
        // One process for each stream of a room, and for each item that is encoded.
        .executableTarget(
            name: "baton-transcoder", dependencies: ["BatonReading", "MediaFormat", "ProcessLimits"],
            path: "Sources/Programs/baton-transcoder", swiftSettings: common),
        // The only program that links libfluidsynth: one process for each piece.
        .executableTarget(
            name: "baton-composer",
            dependencies: [
                "BatonComposer", "BatonCore", "BatonJSON", "BatonSeams", "Disk", "EventLoop", "MusicWorkers", "ProcessLimits", "Processes",
                "SocketServer", "Synthesis",
            ],
            path: "Sources/Programs/baton-composer", swiftSettings: edge),

        // An example in Swift, and a package of its own; the runner judges it as a client. Like any
        // other package it sees public declarations only.
        .executableTarget(
            name: "swift-remote", dependencies: ["BatonClient", "BatonProtocol", "BatonWire", "WebClient"], path: "examples/swift/Sources",
            packageAccess: false, swiftSettings: common),

        // A sample connector: a source in less than 150 lines. Its test plays from a real web server.
        .target(name: "WebFolder", dependencies: ["BatonCore", "BatonSeams"], path: "examples/connector/Sources", swiftSettings: common),

        // A hub with sources that ask servers, which the bench makes hang.
        .executableTarget(
            name: "source-hub",
            dependencies: [
                "BatonCore", "BatonHub", "BatonKernel", "BatonLibrary", "BatonProtocol", "BatonSeams", "Companion", "Configuration", "Disk",
                "EventLoop", "HTTPClient", "Media", "Player", "SocketServer", "Stores", "Threads",
            ],
            path: "Tests/Bench/SourceHub", swiftSettings: common),

        // What tests share: virtual time, a hub around it, remotes in memory.
        .target(
            name: "Harness",
            dependencies: [
                "BatonClient", "BatonHub", "BatonKernel", "BatonLibrary", "BatonProtocol", "BatonSeams", "BatonServers", "CLinux",
                "Companion", "Crypto", "EventLoop",
            ],
            path: "Tests/Harness", swiftSettings: common),

        // What tests of sockets share: a small hub, and peers that are not ours.
        .target(
            name: "SocketPeers", dependencies: ["BatonClient", "BatonSeams", "EventLoop", "Harness", "SocketServer"],
            path: "Tests/SocketPeers", swiftSettings: common),

        // The architecture itself, and the shipped binaries with real peers.
        .testTarget(name: "ArchitectureTests", dependencies: ["BatonProtocol", "Harness"], swiftSettings: common),
        .testTarget(
            name: "EndToEndTests", dependencies: ["BatonClient", "BatonCore", "BatonProtocol", "Harness"],
            exclude: [
                "Deploy", "Dialects", "Faults", "Music", "MusicRooms", "Page", "PageLibrary", "Pictures", "Remotes", "Servers", "Support",
            ],
            swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)
