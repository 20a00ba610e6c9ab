/// Music rooms for compatible apps: the protocol dialect, and the content identifiers of tracks.
import BatonHub
import BatonLibrary
import BatonSeams
import Configuration
import Crypto
import MusicRoomServer

@Loop
final class MusicRoomAssembly {
    private let library = LibraryOfNames()
    private let dialect: MusicRoomServer

    init(_ settings: HubSettings, _ hub: Hub, in routes: inout Routes) {
        dialect = MusicRoomServer(
            hub.ports,
            .init(
                takesPlainPasswords: settings.musicroomPlain, naming: { [library] in library.assembly?.contentIDs },
                lookForNames: { [library] in library.scan?.look() }, sha256: { OpenSSL().sha256($0) }))
        hub.add(dialect)
        dialect.register(in: &routes)
    }

    /// Opens the rooms. Without a library they have queues, but no list of all music.
    func open(_ assembly: LibraryAssembly?) {
        library.assembly = assembly
        library.scan = assembly?.contentIDScan { file, bytes throws(SourceFault) in try Self.hash(file, bytes) }
    }

    func begin() { library.scan?.look() }

    private nonisolated static let pieceBytes = 65_536

    private nonisolated static func hash(_ file: any FileRange, _ bytes: Int?) throws(SourceFault) -> [UInt8] {
        let hash = RunningHash()
        var position: Int64 = 0
        let end = min(file.stamp.size, Int64(bytes ?? .max))
        while position < end {
            let piece = try file.read(at: position, count: min(pieceBytes, Int(end - position)))
            if piece.isEmpty { throw SourceFault(.unreadable, "The file has become shorter while it was read.") }
            hash.add(piece)
            position += Int64(piece.count)
        }
        return hash.finish()
    }

    func close() async { await library.scan?.close() }
}

/// The parts that exist once the library is open.
@Loop
private final class LibraryOfNames {
    var assembly: LibraryAssembly?
    var scan: ContentIDScan?
}
