public import BatonCore

/// Reads, writes or describes the parameters of a command, in the order in which the command declares them.
///
/// Each method takes the value to write and gives the value that was read; a coder that reads ignores its argument, and a
/// coder that writes returns it. `nil` means that the parameter is absent.
public protocol ParameterCoder {
    var limits: WireLimits { get }

    /// An integer within a range.
    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>) throws(ProtocolFault) -> Int?
    /// An integer within a range, with the value that its absence means.
    mutating func int(_ name: String, _ value: Int?, in range: ClosedRange<Int>, default: Int) throws(ProtocolFault) -> Int
    /// True or false.
    mutating func bool(_ name: String, _ value: Bool?) throws(ProtocolFault) -> Bool?
    /// True or false, with the value that its absence means.
    mutating func bool(_ name: String, _ value: Bool?, default: Bool) throws(ProtocolFault) -> Bool
    /// `bytes` counts UTF-8.
    mutating func text(_ name: String, _ value: String?, bytes: ClosedRange<Int>) throws(ProtocolFault) -> String?
    /// Letters, digits, `-` and `_`.
    mutating func token(_ name: String, _ value: String?, length: ClosedRange<Int>) throws(ProtocolFault) -> String?
    /// One of a few words.
    mutating func choice<Choice: ParameterChoice>(_ name: String, _ value: Choice?) throws(ProtocolFault) -> Choice?
    /// One of a few words, with the one that its absence means.
    mutating func choice<Choice: ParameterChoice>(
        _ name: String, _ value: Choice?, default: Choice
    ) throws(ProtocolFault) -> Choice
    /// A list of such words.
    mutating func choices<Choice: ParameterChoice>(
        _ name: String, _ value: [Choice]?, of noun: String
    ) throws(ProtocolFault) -> [Choice]?

    /// One entry of the queue.
    mutating func entry(_ name: String, _ value: EntryID?) throws(ProtocolFault) -> EntryID?
    /// Entries of the queue, at least one.
    mutating func entries(_ name: String, _ value: [EntryID]?, most: Int) throws(ProtocolFault) -> [EntryID]?
    /// One item of a source.
    mutating func uri(_ name: String, _ value: ItemURI?) throws(ProtocolFault) -> ItemURI?
    /// Items of sources, at most as many as one command may add.
    mutating func uris(_ name: String, _ value: [ItemURI]?) throws(ProtocolFault) -> [ItemURI]?
    /// A name that people read in lists, say aloud and type.
    mutating func personalName(_ name: String, _ value: String?) throws(ProtocolFault) -> String?
    /// An audio device; null is the hub's own.
    mutating func output(_ name: String, _ value: Patch<String>?) throws(ProtocolFault) -> Patch<String>
    /// The name of a source, or of a kind of server.
    mutating func sourceName(_ name: String, _ value: String?) throws(ProtocolFault) -> String?
    /// Where a server is: `http://` or `https://`, a host, at most a port and a path.
    mutating func serverURL(_ name: String, _ value: String?) throws(ProtocolFault) -> String?
    /// Radio stations to keep.
    mutating func stations(_ name: String, _ value: [Station]?) throws(ProtocolFault) -> [Station]?
    /// Choices by their names.
    mutating func options(_ name: String, _ value: [String: String]?) throws(ProtocolFault) -> [String: String]?
    /// The whole path of a folder on the hub's machine.
    mutating func folder(_ name: String, _ value: String?) throws(ProtocolFault) -> String?
    /// Two levels, `[from,to]`.
    mutating func span(_ name: String, _ value: ClosedRange<Int>?) throws(ProtocolFault) -> ClosedRange<Int>?
    /// `at` and `else`: where in the queue.
    mutating func place(_ value: Place?) throws(ProtocolFault) -> Place
    /// `after` and `else`: behind an entry, or null for the head.
    mutating func anchor(_ value: Place?) throws(ProtocolFault) -> Place
    /// The rule that fills a playlist.
    mutating func rule(_ name: String, _ value: SmartRule?) throws(ProtocolFault) -> SmartRule?
    /// The steps that change a playlist.
    mutating func edits(_ name: String, _ value: [PlaylistRequest.Op]?) throws(ProtocolFault) -> [PlaylistRequest.Op]?

    /// The parameter must be there.
    mutating func required<Value>(_ name: String, _ value: Value?) throws(ProtocolFault) -> Value
    /// The protocol names this parameter, and this version refuses it.
    mutating func notBuilt(_ name: String) throws(ProtocolFault)
}

/// One of a few words.
public typealias ParameterChoice = CaseIterable & Equatable & RawRepresentable<String> & Sendable

/// Makes the faults of parameters that do not fit together.
public struct ParameterFaults: Sendable {
    package init() {}

    func fault(_ name: String, _ sentence: String) -> ProtocolFault { ProtocolFault(.badRequest, sentence, at: "/p/\(name)") }
}

extension ParameterCoder {
    mutating func room(_ name: String, _ value: RoomID?) throws(ProtocolFault) -> RoomID? {
        try text(name, value?.text, bytes: 1...64).map { RoomID($0) }
    }

    mutating func session(_ name: String, _ value: SessionID?) throws(ProtocolFault) -> SessionID? {
        try token(name, value?.text, length: 1...SessionID.mostBytes).map { SessionID($0) }
    }

    mutating func device(_ name: String, _ value: DeviceID?) throws(ProtocolFault) -> DeviceID? {
        try token(name, value?.text, length: 3...32).map { DeviceID($0) }
    }

    mutating func playlist(_ name: String, _ value: PlaylistID?) throws(ProtocolFault) -> PlaylistID? {
        try token(name, value?.text, length: 1...32).map { PlaylistID($0) }
    }

    mutating func cell(_ value: ClipPlace?) throws(ProtocolFault) -> ClipPlace {
        ClipPlace(
            try required("layer", choice("layer", value?.layer)),
            scene: try int("scene", value?.scene, in: ClipPlace.scenes, default: 1),
            session: try token("session", value?.session, length: ClipPlace.idLength))
    }

    /// What a server asks for: `user`, `password`, `apiKey`, `code`.
    mutating func login(_ value: SourceLogin?) throws(ProtocolFault) -> SourceLogin {
        SourceLogin(
            user: try text("user", value?.user, bytes: 1...256), password: try text("password", value?.password, bytes: 1...1024),
            apiKey: try text("apiKey", value?.apiKey, bytes: 1...1024), code: try text("code", value?.code, bytes: 1...64))
    }

    mutating func page(_ value: LibraryRequest.Page?, usual: Int = 100) throws(ProtocolFault) -> LibraryRequest.Page {
        LibraryRequest.Page(
            // More rows than the deepest list has.
            from: try int("from", value?.from, in: 0...10_000_000, default: 0),
            limit: try int("limit", value?.limit, in: 1...100, default: usual),
            cursor: try text("cursor", value?.cursor, bytes: 1...1024))
    }
}
