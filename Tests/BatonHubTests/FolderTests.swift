import BatonCore
import BatonHub
import BatonLibrary
import BatonProtocol
import BatonSeams
import BatonWire
import Harness
import Testing

/// BT-LIB-024
@Suite struct `Folders are looked into` {
    private let control = MemoryLibraryControl()

    @Loop
    private func hub() throws -> SimulatedHub {
        try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), control: control, connectors: [MemorySource()]))
    }

    @Test func `an admin is told the folders inside of one with their music, and where there are more`() async throws {
        try await onLoop {
            let admin = try hub().remote()
            control.hold(["/srv/a", "/srv/b"], counts: ["/srv/a": 3])
            let told = try LibraryFolders(from: try #require(await admin.awaitReply(admin.send(Commands.Folders(path: "/srv")))?.data))
            #expect(told.inside == [LibraryFolders.Inside(path: "/srv/a", tracks: 3), LibraryFolders.Inside(path: "/srv/b")])
            #expect(!told.hasMore)

            control.hold((0...500).map { "/srv/\($0)" }, counts: [:])
            let many = try LibraryFolders(from: try #require(await admin.awaitReply(admin.send(Commands.Folders(path: "/srv")))?.data))
            #expect(many.inside?.count == 500 && many.hasMore)
        }
    }

    @Test func `a remote that is no admin is told of none`() async throws {
        try await onLoop {
            let remote = try hub().remote(id: "remote-1", over: .loopback)
            #expect(await remote.awaitReply(remote.send(Commands.Folders(path: "/srv")))?.refusal == .forbidden)
        }
    }

    @Test(arguments: [["/srv/a"], nil])
    func `a disk that is silent delays the answer only for a moment, and may take the counts alone`(inside: [String]?) async throws {
        try await onLoop {
            let sim = try hub()
            let admin = try sim.remote()
            control.hold(inside, counts: nil)
            let id = admin.send(Commands.Folders(path: "/srv"))
            await untilQuiet()
            #expect(admin.reply(id) == nil)

            await sim.time.passQuietly(.seconds(3))

            let reply = try #require(await admin.awaitReply(id))
            let told = try reply.data.flatMap { data in try LibraryFolders(from: data).inside }
            #expect(told == inside?.map { LibraryFolders.Inside(path: $0) })
            #expect((reply.refusal == .unavailable) == (inside == nil))
        }
    }
}
