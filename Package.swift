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
        .library(name: "BatonClient", targets: ["BatonClient", "BatonCore", "BatonJSON", "BatonPairing", "BatonProtocol", "BatonWire"]),
        .library(name: "BatonSockets", targets: ["Crypto", "WebClient"]),
    ],
    targets: [
        // C libraries: a module map and a shim each. The `.pc` files of Avahi and mpv carry flags
        // that SwiftPM refuses, so the module maps name the libraries themselves; libmpv, libcurl, libavahi-client and
        // libqrencode are opened at run time.
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
        .systemLibrary(name: "CWebSockets", path: "Sources/System/CWebSockets"),
        .systemLibrary(name: "CZlib", path: "Sources/System/CZlib"),

        // Core: values that decide.
        .target(name: "BatonCore", path: "Sources/Core/BatonCore", swiftSettings: common),
        .testTarget(name: "BatonCoreTests", dependencies: ["BatonCore"], swiftSettings: common),

        // Music made of a recipe, as a score.
        .target(name: "BatonComposer", dependencies: ["BatonCore"], path: "Sources/Core/BatonComposer", swiftSettings: common),
        .testTarget(name: "BatonComposerTests", dependencies: ["BatonComposer"], swiftSettings: common),

        .target(name: "BatonPairing", path: "Sources/Protocol/BatonPairing", swiftSettings: common),
        .testTarget(name: "BatonPairingTests", dependencies: ["BatonPairing"], swiftSettings: common),

        // JSON, for every protocol that speaks it.
        .target(name: "BatonJSON", path: "Sources/Protocol/BatonJSON", swiftSettings: common),

        // The types of commands and their codecs follow from Protocol/commands, those of sections and answers from Protocol/schema. They are
        // written into the build before BatonProtocol and BatonWire are compiled.
        .executableTarget(
            name: "ProtocolWriter", dependencies: ["BatonJSON"], path: "Sources/Protocol/ProtocolWriter", swiftSettings: common),
        .plugin(name: "WriteProtocol", capability: .buildTool, dependencies: ["ProtocolWriter"], path: "Sources/Protocol/WriteProtocol"),
        .testTarget(name: "ProtocolWriterTests", dependencies: ["BatonJSON", "ProtocolWriter"], swiftSettings: common),

        // Wire: what Protocol/ says, in Swift; and the JSON in which the companion protocol says it.
        .target(
            name: "BatonProtocol", dependencies: ["BatonCore", "BatonJSON", "BatonPairing"], path: "Sources/Protocol/BatonProtocol",
            swiftSettings: common, plugins: ["WriteProtocol"]),
        .target(
            name: "BatonWire", dependencies: ["BatonCore", "BatonJSON", "BatonPairing", "BatonProtocol"],
            path: "Sources/Protocol/BatonWire",
            swiftSettings: common, plugins: ["WriteProtocol"]),
        .testTarget(
            name: "BatonProtocolTests", dependencies: ["BatonProtocol", "BatonWire"], exclude: ["Faults.txt"], swiftSettings: common),

        // What baton-composer is asked for, and what it says.
        .target(
            name: "BatonComposing", dependencies: ["BatonComposer", "BatonJSON"], path: "Sources/Protocol/BatonComposing",
            swiftSettings: common),
        .testTarget(
            name: "BatonComposingTests", dependencies: ["BatonComposer", "BatonComposing", "BatonJSON"], swiftSettings: common),

        // The JSON of music rooms, as the apps of friends speak it.
        .target(
            name: "MusicRoomWire", dependencies: ["BatonCore", "BatonJSON"], path: "Sources/Protocol/MusicRoomWire", swiftSettings: common),

        // The messages between the hub and baton-reader, over a private socket.
        .target(name: "BatonReading", path: "Sources/Protocol/BatonReading", swiftSettings: common),
        .testTarget(name: "BatonReadingTests", dependencies: ["BatonReading"], swiftSettings: common),

        // Client: connect, mirror, command, over any transport.
        .target(
            name: "BatonClient", dependencies: ["BatonCore", "BatonPairing", "BatonProtocol", "BatonWire"],
            path: "Sources/Client/BatonClient", swiftSettings: common),
        .testTarget(
            name: "BatonClientTests", dependencies: ["BatonClient", "BatonCore", "BatonProtocol", "BatonWire"], swiftSettings: common),

        // Seams: what edges, connectors and dialects may know of the rest.
        .target(name: "BatonSeams", dependencies: ["BatonCore", "BatonProtocol"], path: "Sources/Seams/BatonSeams", swiftSettings: common),

        // Platform: one wrapper per C library. Threads come first, since other platform modules start theirs there.
        .target(name: "Threads", dependencies: ["BatonSeams", "CLinux"], path: "Sources/Platform/Threads", swiftSettings: edge),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"], swiftSettings: common),
        .target(
            name: "Configuration", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "CInih"],
            path: "Sources/Platform/Configuration",
            swiftSettings: edge),
        .testTarget(
            name: "ConfigurationTests", dependencies: ["BatonProtocol", "BatonSeams", "Configuration", "Harness"],
            exclude: ["Settings.txt"], swiftSettings: common),
        .target(
            name: "Crypto", dependencies: ["BatonPairing", "BatonSeams", "COpenSSL", "Threads"], path: "Sources/Platform/Crypto",
            swiftSettings: edge),
        .testTarget(name: "CryptoTests", dependencies: ["BatonPairing", "BatonSeams", "Crypto", "Harness"], swiftSettings: common),
        .target(
            name: "Discovery", dependencies: ["BatonSeams", "CAvahi", "CLinux", "Threads"], path: "Sources/Platform/Discovery",
            swiftSettings: edge),
        .testTarget(name: "DiscoveryTests", dependencies: ["Discovery", "EventLoop", "Harness"], swiftSettings: common),
        .target(name: "Disk", dependencies: ["BatonSeams", "CLinux", "Threads"], path: "Sources/Platform/Disk", swiftSettings: edge),
        .testTarget(name: "DiskTests", dependencies: ["BatonSeams", "Disk"], swiftSettings: common),
        .target(
            name: "HTTPClient", dependencies: ["BatonSeams", "CCurl", "Threads"], path: "Sources/Platform/HTTPClient", swiftSettings: edge),
        .testTarget(
            name: "HTTPClientTests", dependencies: ["BatonSeams", "Crypto", "HTTPClient", "Harness", "Threads"], exclude: ["server.py"],
            swiftSettings: common),
        .target(name: "FeedFormat", dependencies: ["BatonReading", "CExpat"], path: "Sources/Platform/FeedFormat", swiftSettings: edge),
        .testTarget(name: "FeedFormatTests", dependencies: ["BatonReading", "FeedFormat"], swiftSettings: common),
        .target(
            name: "Media", dependencies: ["BatonCore", "BatonReading", "BatonSeams", "CLinux", "Threads"], path: "Sources/Platform/Media",
            swiftSettings: edge),
        .testTarget(
            name: "MediaTests", dependencies: ["BatonReading", "Disk", "Media", "Harness", "baton-reader", "baton-transcoder"],
            exclude: ["faulty_readers.py"],
            swiftSettings: common),
        .target(
            name: "MediaFormat", dependencies: ["BatonReading", "CFFmpeg", "CLinux"], path: "Sources/Platform/MediaFormat",
            swiftSettings: edge),
        .target(
            name: "Player", dependencies: ["BatonCore", "BatonSeams", "CMPV", "CLinux", "Threads"], path: "Sources/Platform/Player",
            swiftSettings: edge),
        .testTarget(
            name: "PlayerTests", dependencies: ["Disk", "EventLoop", "HTTPClient", "Harness", "Player", "WebFolder"],
            exclude: ["server.py"],
            swiftSettings: common),
        .target(
            name: "ProcessLimits", dependencies: ["CLinux", "CSeccomp"], path: "Sources/Platform/ProcessLimits", swiftSettings: edge),
        .target(
            name: "SoundEncoding", dependencies: ["BatonReading", "CFFmpeg"], path: "Sources/Platform/SoundEncoding", swiftSettings: edge),
        .target(
            name: "ServiceManager", dependencies: ["BatonSeams"], path: "Sources/Platform/ServiceManager", swiftSettings: edge),
        .testTarget(name: "ServiceManagerTests", dependencies: ["BatonSeams", "ServiceManager"], swiftSettings: common),
        .target(name: "ProcessMemory", dependencies: ["CLinux"], path: "Sources/Platform/ProcessMemory", swiftSettings: edge),
        .testTarget(name: "ProcessMemoryTests", dependencies: ["ProcessMemory"], swiftSettings: common),
        .target(
            name: "Synthesis", dependencies: ["BatonComposer", "CEBUR128", "CFLAC", "CFluidSynth"], path: "Sources/Platform/Synthesis",
            swiftSettings: edge),
        .testTarget(name: "SynthesisTests", dependencies: ["BatonComposer", "Synthesis"], swiftSettings: common),
        .target(
            name: "TrackCache", dependencies: ["BatonCore", "BatonSeams", "CLinux"], path: "Sources/Features/Copies/TrackCache",
            swiftSettings: edge),
        .testTarget(
            name: "TrackCacheTests", dependencies: ["BatonCore", "BatonSeams", "Crypto", "Harness", "TrackCache"], swiftSettings: common),
        // libwebsockets: the loop, and what serves and calls over it.
        .target(
            name: "EventLoop", dependencies: ["BatonPairing", "BatonSeams", "CLinux", "CWebSockets", "Threads"],
            path: "Sources/Platform/EventLoop", swiftSettings: edge),
        .testTarget(
            name: "EventLoopTests", dependencies: ["CLinux", "EventLoop", "SocketPeers", "WebClient", "WebServer"], swiftSettings: common),
        .target(
            name: "LineServer", dependencies: ["BatonSeams", "CLinux", "EventLoop"], path: "Sources/Platform/LineServer",
            swiftSettings: edge),
        .testTarget(name: "LineServerTests", dependencies: ["LineServer", "SocketPeers"], swiftSettings: common),
        .target(
            name: "OutgoingWebSocket", dependencies: ["BatonSeams", "CWebSockets", "EventLoop", "Threads"],
            path: "Sources/Platform/OutgoingWebSocket", swiftSettings: edge),
        .testTarget(
            name: "OutgoingWebSocketTests", dependencies: ["Crypto", "HTTPClient", "Harness", "OutgoingWebSocket", "SocketPeers"],
            exclude: ["server.py"], swiftSettings: common),
        .target(
            name: "WebServer", dependencies: ["BatonSeams", "CLinux", "EventLoop"], path: "Sources/Platform/WebServer",
            swiftSettings: edge),
        .testTarget(
            name: "WebServerTests",
            dependencies: ["BatonClient", "Crypto", "Disk", "Harness", "SocketPeers", "Threads", "WebClient", "WebServer"],
            swiftSettings: common),
        .target(
            name: "WebClient", dependencies: ["BatonClient", "BatonSeams", "CLinux", "CWebSockets", "EventLoop", "Threads"],
            path: "Sources/Platform/WebClient", swiftSettings: edge),
        .testTarget(name: "WebClientTests", dependencies: ["SocketPeers", "WebClient", "WebServer"], swiftSettings: common),
        .target(name: "PictureFormat", dependencies: ["CZlib"], path: "Sources/Platform/PictureFormat", swiftSettings: edge),
        .testTarget(name: "PictureFormatTests", dependencies: ["PictureFormat"], swiftSettings: common),
        .target(name: "QRCode", dependencies: ["CQRencode"], path: "Sources/Platform/QRCode", swiftSettings: edge),
        .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: common),
        .target(name: "Terminal", dependencies: ["BatonSeams", "CLinux"], path: "Sources/Platform/Terminal", swiftSettings: edge),
        .target(
            name: "SQLite", dependencies: ["BatonCore", "BatonSeams", "CSQLite", "Threads"], path: "Sources/Platform/SQLite",
            swiftSettings: edge),
        .testTarget(name: "SQLiteTests", dependencies: ["BatonCore", "Harness", "SQLite"], swiftSettings: common),
        .target(
            name: "StateStore", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "BatonWire", "Disk", "SQLite"],
            path: "Sources/Platform/StateStore", swiftSettings: edge),
        .testTarget(
            name: "StateStoreTests",
            dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "CSQLite", "Harness", "SQLite", "StateStore"],
            swiftSettings: common),
        .target(
            name: "LibraryStore", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "BatonWire", "CLinux", "SQLite"],
            path: "Sources/Features/Library/LibraryStore", swiftSettings: edge),
        .testTarget(
            name: "LibraryStoreTests",
            dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "BatonWire", "Harness", "LibraryStore", "SQLite"],
            swiftSettings: common),
        .target(
            name: "SourceStore", dependencies: ["BatonCore", "BatonSeams", "SQLite"], path: "Sources/Features/Servers/SourceStore",
            swiftSettings: edge),
        .testTarget(
            name: "SourceStoreTests", dependencies: ["BatonCore", "BatonSeams", "Harness", "SQLite", "SourceStore"], swiftSettings: common),
        .target(
            name: "KeptStore", dependencies: ["BatonCore", "BatonSeams", "Disk", "SQLite", "TrackCache"],
            path: "Sources/Features/Copies/KeptStore",
            swiftSettings: edge),
        .testTarget(
            name: "KeptStoreTests", dependencies: ["BatonCore", "BatonSeams", "Crypto", "Harness", "KeptStore"], swiftSettings: common),
        .target(
            name: "JobStore", dependencies: ["BatonCore", "BatonSeams", "Disk", "SQLite", "TrackCache"],
            path: "Sources/Features/Making/JobStore",
            swiftSettings: edge),
        .testTarget(name: "JobStoreTests", dependencies: ["BatonCore", "BatonSeams", "Harness", "JobStore"], swiftSettings: common),
        .target(
            name: "UserStore", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "SQLite"],
            path: "Sources/Features/Users/UserStore",
            swiftSettings: edge),
        .target(
            name: "Backups",
            dependencies: [
                "BatonCore", "BatonJSON", "BatonSeams", "Crypto", "Disk", "JobStore", "KeptStore", "LibraryStore", "SQLite", "SourceStore",
                "StateStore", "TrackCache", "UserStore",
            ], path: "Sources/Features/Admin/Backups", swiftSettings: edge),
        .testTarget(
            name: "BackupsTests",
            dependencies: ["Backups", "BatonCore", "BatonProtocol", "BatonSeams", "Harness", "SQLite", "StateStore", "UserStore"],
            swiftSettings: common),
        // Files of every format that a store ever had.
        .testTarget(
            name: "StoreFormatTests",
            dependencies: [
                "BatonCore", "BatonProtocol", "BatonSeams", "Crypto", "Harness", "JobStore", "KeptStore", "LibraryStore", "SQLite",
                "SourceStore", "StateStore", "UserStore",
            ],
            exclude: ["Formats", "make.py", "samples.py"], swiftSettings: common),
        .testTarget(
            name: "UserStoreTests", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "Harness", "SQLite", "UserStore"],
            swiftSettings: common),
        .target(
            name: "Programs", dependencies: ["BatonSeams", "CLinux", "Disk", "Threads"], path: "Sources/Platform/Programs",
            swiftSettings: edge),
        .testTarget(name: "ProgramsTests", dependencies: ["BatonSeams", "Harness", "Programs"], swiftSettings: common),
        .target(name: "Recordings", dependencies: ["BatonSeams", "Disk"], path: "Sources/Features/Radio/Recordings", swiftSettings: edge),
        .testTarget(name: "RecordingsTests", dependencies: ["BatonSeams", "Recordings"], swiftSettings: common),
        .target(name: "StreamRing", dependencies: ["BatonSeams", "Disk"], path: "Sources/Features/Radio/StreamRing", swiftSettings: edge),
        .testTarget(name: "StreamRingTests", dependencies: ["BatonCore", "BatonSeams", "Disk", "StreamRing"], swiftSettings: common),

        // Connectors: each knows one kind of source.
        .target(
            name: "ChadMusic", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Servers/ChadMusic",
            swiftSettings: common),
        .testTarget(
            name: "ChadMusicTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "ChadMusic", "HTTPClient", "Harness"],
            swiftSettings: common),
        .target(name: "Demo", dependencies: ["BatonCore", "BatonSeams"], path: "Sources/Features/Library/Demo", swiftSettings: common),
        .testTarget(name: "DemoTests", dependencies: ["Demo", "Disk", "Harness", "Local"], swiftSettings: common),
        .target(
            name: "Generation", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Making/Generation",
            swiftSettings: common),
        .testTarget(
            name: "GenerationTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "Generation", "HTTPClient", "Harness"],
            swiftSettings: common),
        .target(name: "Local", dependencies: ["BatonCore", "BatonSeams"], path: "Sources/Features/Library/Local", swiftSettings: common),
        .testTarget(
            name: "LocalTests",
            dependencies: ["Disk", "EventLoop", "Harness", "LibraryStore", "Local", "Media", "Threads", "baton-reader"],
            swiftSettings: common),
        .target(
            name: "MusicRoom", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Joining/MusicRoom",
            swiftSettings: common),
        .testTarget(
            name: "MusicRoomTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "Harness", "MusicRoom"], swiftSettings: common),
        .target(
            name: "Playlists", dependencies: ["BatonCore", "BatonSeams"], path: "Sources/Features/Library/Playlists", swiftSettings: common),
        .testTarget(name: "PlaylistsTests", dependencies: ["LibraryStore", "Playlists"], swiftSettings: common),
        .target(
            name: "Podcasts", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Podcasts/Podcasts",
            swiftSettings: common),
        .testTarget(
            name: "PodcastsTests", dependencies: ["BatonCore", "BatonSeams", "Harness", "Podcasts", "SourceStore"], swiftSettings: common),
        .target(
            name: "Radio", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Radio/Radio",
            swiftSettings: common),
        .testTarget(
            name: "RadioTests",
            dependencies: ["BatonCore", "BatonSeams", "Harness", "HTTPClient", "Radio", "Recordings", "StreamRing", "Threads"],
            exclude: ["server.py"], swiftSettings: common),
        .target(
            name: "Sappho", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Servers/Sappho",
            swiftSettings: common
        ),
        .testTarget(
            name: "SapphoTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "HTTPClient", "Harness", "Sappho"],
            swiftSettings: common),
        .target(
            name: "Subsonic", dependencies: ["BatonCore", "BatonJSON", "BatonSeams"], path: "Sources/Features/Servers/Subsonic",
            swiftSettings: common),
        .testTarget(
            name: "SubsonicTests", dependencies: ["BatonCore", "BatonJSON", "BatonSeams", "HTTPClient", "Harness", "Subsonic"],
            swiftSettings: common),
        .target(name: "Web", dependencies: ["BatonCore", "BatonSeams"], path: "Sources/Features/Library/Web", swiftSettings: common),
        .testTarget(name: "WebTests", dependencies: ["Web"], swiftSettings: common),

        // Page: the web remote as the hub serves it. A build tool writes the files in its folder `page` into one Swift source.
        .executableTarget(name: "PageEmbedder", dependencies: ["CZlib"], path: "Sources/Web/PageEmbedder", swiftSettings: common),
        .plugin(name: "EmbedPage", capability: .buildTool, dependencies: ["PageEmbedder"], path: "Sources/Web/EmbedPage"),
        .target(name: "WebRemote", path: "Sources/Web/WebRemote", swiftSettings: common, plugins: ["EmbedPage"]),
        .testTarget(name: "WebRemoteTests", dependencies: ["PageEmbedder", "WebRemote"], swiftSettings: common),

        // Kernel: door, rooms and their players, journal, published state, people and devices, lanes of sources, events. It knows no codec, no
        // WebSocket and no HTTP, and it names no feature.
        .target(
            name: "BatonKernel", dependencies: ["BatonCore", "BatonPairing", "BatonProtocol", "BatonSeams"],
            path: "Sources/Kernel/BatonKernel", swiftSettings: common),

        // Features: one ability each, on the kernel. They do not know each other.
        .target(
            name: "BatonAdmin", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Admin/BatonAdmin", swiftSettings: common),
        .target(
            name: "BatonBooks", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Books/BatonBooks", swiftSettings: common),
        .target(
            name: "BatonCopies", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Copies/BatonCopies", swiftSettings: common),
        .target(
            name: "BatonJoining", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Joining/BatonJoining", swiftSettings: common),
        .target(
            name: "BatonLibrary", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Library/BatonLibrary", swiftSettings: common),
        .target(
            name: "BatonListening", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Listening/BatonListening", swiftSettings: common),
        .target(
            name: "BatonMaking", dependencies: ["BatonComposer", "BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Making/BatonMaking", swiftSettings: common),
        .target(
            name: "BatonPodcasts", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Podcasts/BatonPodcasts", swiftSettings: common),
        .target(
            name: "BatonRadio", dependencies: ["BatonCore", "BatonKernel", "BatonProtocol", "BatonSeams"],
            path: "Sources/Features/Radio/BatonRadio", swiftSettings: common),
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
                "BatonAdmin", "BatonBooks", "BatonCopies", "BatonCore", "BatonJoining", "BatonKernel", "BatonLibrary", "BatonListening",
                "BatonMaking",
                "BatonPodcasts", "BatonProtocol", "BatonRadio", "BatonSeams", "BatonServers", "BatonUsers",
            ],
            path: "Sources/Hub/BatonHub", swiftSettings: common),
        .testTarget(
            name: "BatonHubTests",
            dependencies: [
                "BatonBooks", "BatonComposer", "BatonCopies", "BatonHub", "BatonJoining", "BatonKernel", "BatonLibrary", "BatonListening",
                "BatonMaking", "BatonPodcasts", "BatonRadio", "BatonServers", "BatonUsers",
                "Companion", "Crypto", "Harness", "LibraryStore", "Playlists", "Recordings", "SQLite",
                "SourceStore",
            ],
            exclude: ["Simulation/Traces.txt"], swiftSettings: common),

        // Dialects: each translates one protocol to the hub's commands and state, and knows no hub.
        .target(
            name: "Companion", dependencies: ["BatonCore", "BatonPairing", "BatonProtocol", "BatonSeams", "BatonWire", "WebRemote"],
            path: "Sources/Dialects/Companion", swiftSettings: common),
        .testTarget(
            name: "CompanionTests",
            dependencies: [
                "BatonHub", "BatonKernel", "BatonLibrary", "Companion", "Crypto", "EventLoop", "Harness", "LineServer", "SocketPeers",
                "WebRemote", "WebServer",
            ],
            swiftSettings: common),

        .target(
            name: "BackupRoutes", dependencies: ["BatonJSON", "BatonSeams"], path: "Sources/Features/Admin/BackupRoutes",
            swiftSettings: common),

        .target(name: "Metrics", dependencies: ["BatonSeams"], path: "Sources/Features/Admin/Metrics", swiftSettings: common),
        .testTarget(name: "MetricsTests", dependencies: ["BatonSeams", "Metrics"], swiftSettings: common),

        .target(
            name: "MusicRoomServer", dependencies: ["BatonCore", "BatonProtocol", "BatonSeams", "MusicRoomWire"],
            path: "Sources/Dialects/MusicRoomServer", swiftSettings: common),
        .testTarget(
            name: "MusicRoomServerTests",
            dependencies: [
                "BatonHub", "BatonKernel", "BatonLibrary", "BatonJSON", "Companion", "Crypto", "EventLoop", "Harness", "MusicRoomServer",
                "MusicRoomWire", "SocketPeers",
                "WebServer",
            ],
            swiftSettings: common),

        // Executables: read arguments, build the graph, run it.
        .executableTarget(
            name: "baton",
            dependencies: [
                "BatonClient", "BatonPairing", "BatonSeams", "Configuration", "Crypto", "Discovery", "EventLoop", "PictureFormat",
                "QRCode", "Radio", "Terminal", "WebClient",
            ],
            path: "Sources/Programs/baton", swiftSettings: common),
        .testTarget(
            name: "SatelliteTests",
            dependencies: ["baton", "batond", "BatonClient", "BatonCore", "BatonProtocol", "Harness", "PictureFormat"],
            exclude: ["Help.txt", "cutting.py", "meeting.py"],
            swiftSettings: common),
        .executableTarget(
            name: "batond",
            dependencies: [
                "BackupRoutes", "Backups", "BatonComposer", "BatonCore", "BatonHub", "BatonKernel", "BatonListening", "BatonMaking",
                "BatonRadio", "BatonServers", "BatonPairing", "BatonSeams", "ChadMusic", "Companion",
                "Configuration", "Crypto", "Demo", "Discovery",
                "Disk", "EventLoop", "Generation", "HTTPClient", "JobStore", "KeptStore", "LibraryStore", "Local", "Media",
                "Metrics", "MusicRoom", "MusicRoomServer", "OutgoingWebSocket", "Player",
                "Playlists",
                "Podcasts",
                "ProcessMemory", "Programs", "QRCode", "Radio", "Recordings", "SQLite", "Sappho", "ServiceManager", "SourceStore",
                "StateStore",
                "StreamRing", "Subsonic",
                "Threads",
                "TrackCache", "UserStore", "Web",
                "WebServer",
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
            name: "baton-reader", dependencies: ["BatonReading", "FeedFormat", "MediaFormat", "ProcessLimits"],
            path: "Sources/Programs/baton-reader",
            swiftSettings: common),
        // One process for each stream of a room, and for each item that is encoded.
        .executableTarget(
            name: "baton-transcoder", dependencies: ["BatonReading", "MediaFormat", "ProcessLimits", "SoundEncoding"],
            path: "Sources/Programs/baton-transcoder", swiftSettings: common),
        // The only program that links libfluidsynth: one process for each piece.
        .executableTarget(
            name: "baton-composer",
            dependencies: [
                "BatonComposer", "BatonComposing", "BatonCore", "BatonJSON", "BatonSeams", "Disk", "EventLoop", "Generation",
                "ProcessLimits",
                "Programs", "ServiceManager", "Synthesis", "WebServer",
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
                "BatonCore", "BatonHub", "BatonKernel", "BatonProtocol", "BatonSeams", "Companion", "Configuration", "Disk", "EventLoop",
                "HTTPClient",
                "LibraryStore", "Local", "Media", "Player", "StateStore", "Threads", "WebServer",
            ],
            path: "Tests/Bench/SourceHub", swiftSettings: common),

        // What tests share: virtual time, a hub around it, remotes in memory.
        .target(
            name: "Harness",
            dependencies: [
                "BatonClient", "BatonHub", "BatonKernel", "BatonLibrary", "BatonServers", "BatonPairing", "BatonSeams", "Companion",
                "Crypto", "EventLoop", "CLinux",
            ],
            path: "Tests/Harness",
            swiftSettings: common),

        // What tests of sockets share: a small hub, and peers that are not ours.
        .target(
            name: "SocketPeers", dependencies: ["BatonClient", "BatonSeams", "EventLoop", "Harness", "WebServer"],
            path: "Tests/SocketPeers",
            swiftSettings: common),

        // The architecture itself, and the shipped binaries with real peers.
        .testTarget(name: "ArchitectureTests", dependencies: ["BatonProtocol", "Harness"], swiftSettings: common),
        .testTarget(
            name: "EndToEndTests", dependencies: ["BatonClient", "BatonCore", "BatonProtocol", "Harness"],
            exclude: ["Deploy", "Faults", "Music", "MusicRooms", "Page", "PageLibrary", "Pictures", "Remotes", "Servers", "Support"],
            swiftSettings: common),
    ],
    swiftLanguageModes: [.v6]
)
