/// The modules and what each may import: the same map as `Package.swift`, as a table.
///
/// SwiftPM lets a module import whatever happens to be built, so the manifest alone enforces nothing.
enum ModuleRules {
    enum Kind: String {
        case core, wire, codec, client, seams, edge, connector, page, kernel, feature, hub, dialect, executable
        /// Runs while the package is built, and is part of no program.
        case building
    }

    /// A new module under `Sources` gets a line here.
    static let kinds: [String: Kind] = [
        "BatonComposer": .core,
        "BatonCore": .core,
        "BatonJSON": .core,
        "BatonProtocol": .wire,
        "BatonReading": .wire,
        "BatonWire": .codec,
        "ProtocolWriter": .building,
        "WriteProtocol": .building,
        "BatonClient": .client,
        "BatonSeams": .seams,
        "Configuration": .edge,
        "Crypto": .edge,
        "DesktopBus": .edge,
        "Discovery": .edge,
        "Disk": .edge,
        "EventLoop": .edge,
        "SocketServer": .edge,
        "HTTPClient": .edge,
        "Media": .edge,
        "MediaFormat": .edge,
        "Terminals": .edge,
        "Player": .edge,
        "ProcessLimits": .edge,
        "Processes": .edge,
        "Threads": .edge,
        "Stores": .edge,
        "SQLite": .edge,
        "Synthesis": .edge,
        "WebClient": .edge,
        "MusicWorkers": .connector,
        "ServerConnectors": .connector,
        "StationLists": .connector,
        "EmbedPage": .building,
        "PageEmbedder": .building,
        "WebRemote": .page,
        "BatonHub": .hub,
        "BatonAdmin": .feature,
        "BatonBooks": .feature,
        "BatonCopies": .feature,
        "BatonDialectAccess": .feature,
        "BatonJoining": .feature,
        "BatonLibrary": .feature,
        "BatonListening": .feature,
        "BatonMaking": .feature,
        "BatonPodcasts": .feature,
        "BatonRadio": .feature,
        "BatonServers": .feature,
        "BatonUsers": .feature,
        "BatonKernel": .kernel,
        "Companion": .dialect,
        "MPD": .dialect,
        "MPRIS": .dialect,
        "MusicRoomServer": .dialect,
        "baton": .executable,
        "batond": .executable,
        "baton-composer": .executable,
        "baton-reader": .executable,
        "baton-listen": .executable,
        "baton-transcoder": .executable,
    ]

    /// Folders in the module of a feature that hold something of another kind, and the connectors that share a module. Such a folder may
    /// import what its kind may, and it shares no type with the rest of its module (`PartRules`).
    static let parts: [String: Kind] = [
        "Sources/Features/Admin/BatonAdmin/BackupRoutes": .dialect,
        "Sources/Features/Admin/BatonAdmin/Metrics": .dialect,
        "Sources/Features/Joining/BatonJoining/MusicRoom": .connector,
        "Sources/Features/Library/BatonLibrary/Demo": .connector,
        "Sources/Features/Library/BatonLibrary/Local": .connector,
        "Sources/Features/Library/BatonLibrary/PlaylistShelf": .connector,
        "Sources/Features/Library/BatonLibrary/WebAddresses": .connector,
        "Sources/Features/Podcasts/BatonPodcasts/Feeds": .connector,
        "Sources/Features/Radio/BatonRadio/Stations": .connector,
        "Sources/Features/Servers/ServerConnectors/ChadMusic": .connector,
        "Sources/Features/Servers/ServerConnectors/Sappho": .connector,
        "Sources/Features/Servers/ServerConnectors/Subsonic": .connector,
    ]

    /// The part that a file stands in, by its path.
    static func part(of file: SourceFile) -> String? { parts.keys.first { file.path.hasPrefix($0 + "/") } }

    /// The kind of a file: that of its part, or that of its module.
    static func kind(of file: SourceFile) -> Kind? { part(of: file).flatMap { parts[$0] } ?? kinds[file.module] }

    /// Which modules of ours a module of each kind may import.
    static func mayKnow(_ kind: Kind) -> Set<Kind> {
        switch kind {
        case .core, .page: []
        case .wire, .building: [.core]
        case .codec: [.core, .wire]
        case .client: [.core, .wire, .codec]
        case .seams: [.core, .wire]
        case .edge: [.core, .wire, .client, .seams]
        case .connector: [.core, .wire, .seams]
        case .kernel: [.core, .wire, .seams]
        case .feature: [.core, .wire, .seams, .kernel]
        case .hub: [.core, .wire, .seams, .kernel, .feature]
        case .dialect: [.core, .wire, .codec, .seams, .page]
        case .executable: [.core, .wire, .codec, .client, .seams, .edge, .connector, .kernel, .feature, .hub, .dialect]
        }
    }

    /// The few modules of one layer that build on another of the same layer. All others stand side by side.
    static let neighbours: [String: Set<String>] = [
        "BatonComposer": ["BatonCore", "BatonJSON"],
        "BatonRadio": ["StationLists"],
        "Crypto": ["Threads"],
        "Discovery": ["Threads"],
        "Disk": ["Threads"],
        "EventLoop": ["Threads"],
        "HTTPClient": ["Threads"],
        "Media": ["Threads"],
        "Player": ["Threads"],
        "Processes": ["Disk", "Threads"],
        "SQLite": ["Threads"],
        "SocketServer": ["EventLoop"],
        "Stores": ["Crypto", "Disk", "SQLite"],
        "WebClient": ["EventLoop", "Threads"],
    ]

    /// Modules outside of the client that speak the JSON of the companion protocol: what the journal and the library store is
    /// written in it.
    static let speakers: Set<String> = ["Stores"]

    /// Each C library has one edge, or a tool of the build, that wraps it; the kernel's own calls are shared by the edges.
    static let wrappers: [String: Set<String>] = [
        "CAvahi": ["Discovery"],
        "CCurl": ["HTTPClient"],
        "CEBUR128": ["Synthesis"],
        "CExpat": ["MediaFormat"],
        "CFFmpeg": ["MediaFormat"],
        "CFLAC": ["Synthesis"],
        "CFluidSynth": ["Synthesis"],
        "CInih": ["Configuration"],
        "CLinux": [
            "DesktopBus", "Discovery", "Disk", "EventLoop", "Media", "MediaFormat", "Player", "ProcessLimits", "Processes", "SocketServer",
            "Stores",
            "Terminals", "Threads", "WebClient",
        ],
        "CMPV": ["Player"],
        "COpenSSL": ["Crypto"],
        "CQRencode": ["Terminals"],
        "CSQLite": ["SQLite"],
        "CSeccomp": ["ProcessLimits"],
        "CSystemd": ["DesktopBus"],
        "CWebSockets": ["EventLoop", "WebClient"],
        "CZlib": ["PageEmbedder", "Terminals"],
    ]

    /// Modules of the toolchain, by the kinds that may import them.
    static let toolchain: [String: Set<Kind>] = [
        "Glibc": [.client, .seams, .edge, .connector, .kernel, .feature, .hub, .executable, .building],
        "PackagePlugin": [.building], "Foundation": [.building],
        "Synchronization": [.seams, .edge],
    ]

    static func complaints(about file: SourceFile) -> [String] {
        guard let kind = kind(of: file) else {
            return ["\(file.path) belongs to no module: give \(file.module) a line in Tests/ArchitectureTests/ModuleRules.swift."]
        }
        return file.imports.compactMap { complaint(about: $0, in: file, of: kind) }
    }

    private static func complaint(about imported: String, in file: SourceFile, of kind: Kind) -> String? {
        // SwiftPM hands a plugin its paths as Foundation's URLs.
        if imported.hasPrefix("Foundation"), kind != .building {
            return "\(file.path) imports \(imported): no program under Sources uses Foundation, which triples the daemon's memory."
        }
        if let owners = wrappers[imported] {
            guard !owners.contains(file.module) else { return nil }
            let edges = owners.sorted().joined(separator: ", ")
            return "\(file.path) imports \(imported): that C module belongs to \(edges) alone; ask that edge for what \(file.module) needs."
        }
        if let users = toolchain[imported] {
            guard !users.contains(kind) else { return nil }
            return "\(file.path) imports \(imported), which a \(kind.rawValue) module does not need to know: pass in what it is wanted for."
        }
        guard let other = kinds[imported] else {
            return "\(file.path) imports \(imported), which no table in Tests/ArchitectureTests/ModuleRules.swift knows."
        }
        if other == .codec, speakers.contains(file.module) { return nil }
        guard !mayKnow(kind).contains(other), neighbours[file.module]?.contains(imported) != true else { return nil }
        let arrow =
            kind == other
            ? "stand side by side and do not know each other"
            : "the arrow points from \(other.rawValue) to \(kind.rawValue), and this one turns it round"
        return "\(file.path) imports \(imported): \(arrow)."
    }
}
