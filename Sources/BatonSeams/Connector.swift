package import BatonCore

/// A source of items. The library, servers, radio and generators all stand behind this seam, and
/// each declares what it can do by the verbs it answers.
package protocol Connector: Sendable {
    /// The part of an item's URI before the colon.
    var source: String { get }

    /// Turns what a remote named into entries to queue, in order: a folder, a playlist or an album
    /// becomes its tracks. May block; never called on the loop.
    func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry]

    /// Turns an item into something the player can open, checked anew each time.
    func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable
}

/// How far a remote may reach into this machine (`Protocol/`, "What a remote may name").
package enum Trust: Int, Sendable, Comparable {
    /// Connector items only.
    case itemsOnly
    /// Also http(s) URLs, and paths below a configured music folder.
    case musicFolders
    /// Any path: only over the unix socket.
    case anyPath

    package static func < (a: Trust, b: Trust) -> Bool { a.rawValue < b.rawValue }
}

/// Why a source could not give what was asked for.
package struct SourceFault: Error, Equatable, Sendable {
    package enum Code: Equatable, Sendable {
        case notFound, forbidden, unreadable, unsupported, failed, tooLarge
    }

    package var code: Code
    /// A sentence for people, naming what was asked for.
    package var sentence: String

    package init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
