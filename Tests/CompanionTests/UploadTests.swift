/// Files that an admin gives to a server: `PUT /upload/SOURCE`.
import BatonClient
import BatonCore
import BatonHub
import BatonProtocol
import BatonSeams
import Harness
import Synchronization
import Testing

@Suite struct UploadTests {
    /// A server that takes files and remembers them.
    private final class Taker: Connector {
        let source = "attic"
        let files = Mutex<[String: [UInt8]]>([:])

        var about: SourceAbout { SourceAbout(name: "The attic", abilities: .upload) }
        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
            throw SourceFault(.notFound, "There is nothing.")
        }
        func upload(_ content: NamedBytes) async throws(SourceFault) -> String {
            var bytes: [UInt8] = []
            while true {
                let piece = try await content.content.read(at: Int64(bytes.count), count: 3)
                if piece.isEmpty { break }
                bytes += piece
            }
            let isNew = files.withLock { $0.updateValue(bytes, forKey: content.name) == nil }
            guard isNew else { throw SourceFault(.conflict, "The attic has “\(content.name)” already.") }
            return "The attic has taken “\(content.name)”."
        }
    }

    private let taker = Taker()

    /// A hub with a server that takes files, and one that takes none.
    @Loop
    private func hub() async throws -> SimulatedHub {
        let accounts = MemoryAccounts()
        for name in ["attic", "cellar"] {
            try accounts.store(SourceAccount(name: name, kind: "memory", url: "http://\(name).local"))
            try accounts.vault.store(SourceSecrets(user: "anna", password: "sesame"), of: name)
        }
        let sim = try SimulatedHub()
        await sim.hub.open(
            .inMemory(accounts) { [taker] account, _ -> any Connector in
                if account.name == "attic" { return taker }
                return MemorySource(account.name)
            })
        return sim
    }

    @Loop
    private func put(
        _ sim: SimulatedHub, _ source: String, file: String? = "a b.flac", over channel: Peer.Channel = .unix(uid: 0, gid: 0),
        ticket: String? = nil, ends fault: SourceFault? = nil
    ) async -> (status: Int, sentence: String) {
        var request = HTTPRequest(
            method: .put, path: "/upload/\(source)", query: file.map { [("file", $0)] } ?? [], headers: ["host": "127.0.0.1:9442"],
            peer: Peer(channel: channel, address: "127.0.0.1"))
        request.headers["authorization"] = ticket.map { "Ticket \($0)" }
        let incoming = IncomingBody(length: 5)
        incoming.put(Array("abcde".utf8))
        if let fault { incoming.fail(fault) } else { incoming.finish() }
        request.incoming = incoming
        let response = await sim.router.respond(to: request)
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    /// BT-HTTP-012
    @Test func `a file of an admin reaches the server under its name`() async throws {
        try await onLoop {
            let sim = try await hub()

            let taken = await put(sim, "attic")
            #expect(taken.status == 200 && taken.sentence == "The attic has taken “a b.flac”.\n")
            #expect(taker.files.withLock { $0["a b.flac"] } == Array("abcde".utf8))
            #expect(await put(sim, "attic").status == 409)
        }
    }

    /// BT-HTTP-012
    @Test func `what is wrong with a file is a status and a sentence`() async throws {
        try await onLoop {
            let sim = try await hub()

            for name in ["..", "a/b.flac", "a\u{1}", "", #"a\b"#, String(repeating: "x", count: 256)] {
                #expect(await put(sim, "attic", file: name).status == 400, "\(name)")
            }
            #expect(await put(sim, "attic", file: nil).status == 400)
            #expect(await put(sim, "cellar").status == 415)
            #expect(await put(sim, "none").status == 404)
            let late = await put(sim, "attic", ends: SourceFault(.tooLarge, "At most 4 bytes."))
            #expect(late.status == 413 && late.sentence == "At most 4 bytes.\n")
            #expect(taker.files.withLock { $0.isEmpty })
        }
    }

    /// BT-HTTP-012
    @Test func `only an admin gives files, and a page on the hub's machine is one by a ticket`() async throws {
        try await onLoop {
            let sim = try await hub()
            let owner = try sim.remote()
            let id = owner.send(Commands.NewTicket(), key: "ticket-1")
            let ticket = try #require(owner.reply(id)?.data?["ticket"]?.string)

            #expect(await put(sim, "attic", over: .loopback).status == 403)
            #expect(await put(sim, "attic", over: .loopback, ticket: "0123456789abcdef").status == 403)
            #expect(await put(sim, "attic", over: .network, ticket: ticket).status == 403)
            #expect(taker.files.withLock { $0.isEmpty })
            #expect(await put(sim, "attic", over: .loopback, ticket: ticket).status == 200)
            #expect(await put(sim, "attic", file: "c.flac", over: .loopback, ticket: ticket).status == 200)
        }
    }
}
