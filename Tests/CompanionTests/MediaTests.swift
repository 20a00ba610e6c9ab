import BatonCore
import BatonProtocol
import BatonSeams
import BatonWire
import Glibc
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel
@testable import BatonLibrary
@testable import Companion

@Suite struct `Music and pictures come over HTTP` {
    private static let size = 200_000

    private static let file = MemoryFile(FileStamp(size: Int64(size), modifiedNs: 784_111_777_000_000_000, inode: 7)) {
        UInt8(truncatingIfNeeded: $0 &* 7)
    }

    /// Squares of one colour.
    private struct Shelf: PictureMaking {
        func picture(
            _ id: String, from source: PictureSource, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
        ) throws(SourceFault) -> Picture {
            let bytes = [UInt8](repeating: UInt8(width ?? 1), count: min(mostBytes ?? .max, 70_000))
            return Picture(id: id, format: format ?? .jpeg, width: width ?? 500, height: height ?? width ?? 500, bytes: bytes)
        }
    }

    @Loop
    private func hub() throws -> SimulatedHub {
        try SimulatedHub(
            library: LibraryParts(
                userMarks: MemoryUserMarks(), pictures: Shelf(), connectors: [MemorySource(file: Self.file)]))
    }

    @Loop
    private func get(
        _ path: String, _ sim: SimulatedHub, query: [(name: String, value: String)] = [], headers: [String: String] = [:],
        method: HTTPRequest.Method = .get
    ) async -> HTTPResponse {
        await sim.router.respond(
            to: HTTPRequest(
                method: method, path: path, query: query, headers: headers,
                peer: Peer(channel: .unix(uid: 0, gid: 0), address: "unix")))
    }

    @Loop
    private func address(_ sim: SimulatedHub) async throws -> String {
        let remote = try sim.remote()
        let reply = await remote.awaitReply(remote.send(Commands.Item(ItemURI("lib:track/1"), media: true)))
        let data = try #require(reply?.data)
        return try #require(ItemAnswer(from: data).media).url
    }

    /// BT-HTTP-009 BT-LIB-008
    @Test func `an address is good for the whole, for a part and for its last bytes`() async throws {
        try await onLoop {
            let sim = try hub()
            let path = try await address(sim)
            let whole = await get(path, sim)
            #expect(whole.status == 200 && whole.length == Int64(Self.size))
            #expect(whole.headers.contains { $0 == ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT") })
            let part = await get(path, sim, headers: ["range": "bytes=10-19"])
            #expect(part.status == 206 && part.stream?.start == 10 && part.length == 10)
            #expect(part.headers.contains { $0 == ("content-range", "bytes 10-19/200000") })
            #expect(await part.stream?.read(10, 10) == (10..<20).map { UInt8($0 * 7) })
            #expect(await get(path, sim, headers: ["range": "bytes=-5"]).stream?.start == Int64(Self.size - 5))
            #expect(await get(path, sim, headers: ["range": "bytes=200000-"]).status == 416)
            #expect(await get(path, sim, headers: ["range": "bytes=0-1"], method: .head).status == 200)

            let tag = try #require(whole.headers.first { $0.name == "etag" }?.value)
            #expect(await get(path, sim, headers: ["range": "bytes=0-1", "if-range": tag]).status == 206)
            #expect(await get(path, sim, headers: ["range": "bytes=0-1", "if-range": "Sun, 06 Nov 1994 08:49:37 GMT"]).status == 206)
            #expect(await get(path, sim, headers: ["range": "bytes=0-1", "if-range": "W/" + tag]).status == 200)
            #expect(await get(path, sim, headers: ["range": "bytes=0-1", "if-range": "\"other\""]).status == 200)
            #expect(await get(path, sim, headers: ["if-none-match": tag]).status == 304)
        }
    }

    /// A track on another server, which the hub reads for those who listen.
    private struct Proxied: Connector, ByteSource {
        var source: String { "lib" }
        var length: Int64? = 100
        var hasRanges = true
        var version: ContentVersion?

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [NewEntry(uri: uri, tags: Tags(title: "x"))] }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { Playable(.bytes(NamedBytes("a.flac", self))) }
        func read(at position: Int64, count: Int) async throws(SourceFault) -> [UInt8] {
            (Int(position)..<min(100, Int(position) + count)).map { UInt8($0) }
        }
    }

    @Test func `a track of another server comes through the hub, by parts where its server has them`() async throws {
        try await onLoop {
            for (track, status) in [(Proxied(version: ContentVersion(tag: "\"v\"")), 206), (Proxied(hasRanges: false), 200)] {
                let sim = try SimulatedHub(library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [track]))
                let path = try await address(sim)
                let part = await get(path, sim, headers: ["range": "bytes=10-19"])

                #expect(part.status == status && part.headers.contains { $0 == ("content-type", "audio/flac") })
                #expect(part.headers.contains { $0 == ("etag", "\"v\"") } == track.hasRanges)
                #expect(await part.stream?.read(10, 10) == (10..<20).map { UInt8($0) })
            }
        }
    }

    @Test func `after ten minutes it is good for nothing, and nobody guesses one`() async throws {
        try await onLoop {
            let sim = try hub()
            let path = try await address(sim)
            sim.time.pass(.seconds(599))
            #expect(await get(path, sim).status == 200)
            sim.time.pass(.seconds(2))
            #expect(await get(path, sim).status == 404)
            #expect(await get("/media/", sim).status == 404)
            #expect(await get("/media/../../etc/passwd", sim).status == 404)
        }
    }

    /// BT-MED-001
    @Test func `a listener hears what is current and next in the room, and nothing else`() async throws {
        try await onLoop {
            let sim = try SimulatedHub(
                lanPlain: .listener,
                library: LibraryParts(userMarks: MemoryUserMarks(), connectors: [MemorySource(file: Self.file)]))
            let owner = try sim.remote()
            _ = await owner.awaitReply(owner.send(Commands.QueueAdd((1...3).map { ItemURI("lib:track/\($0)") }), key: "fill"))
            let listener = try sim.connect(over: .network, from: "10.0.0.7")
            listener.sendText(#"{"t":"hello","core":"1.0","view":"full","client":{"id":"ears-1"}}"#)
            for (track, isHeard) in [(1, true), (2, true), (3, false)] {
                let asked = listener.send(Commands.Item(ItemURI("lib:track/\(track)"), media: true))
                let data = try #require(await listener.awaitReply(asked)?.data)
                let answer = try ItemAnswer(from: data)
                #expect((answer.media != nil) == isHeard)
                if let path = answer.media?.url { #expect(await get(path, sim).status == 200) }
            }
        }
    }

    /// BT-MED-002 BT-MED-003
    @Test func `an address is good for the device that asked, and ends with it`() async throws {
        try await onLoop {
            let sim = try hub()
            let device = try sim.pairedDevice()
            let reply = await device.remote.awaitReply(device.remote.send(Commands.Item(ItemURI("lib:track/1"), media: true)))
            let data = try #require(reply?.data)
            let path = try #require(ItemAnswer(from: data).media).url
            let token = String(path.dropFirst("/media/".count))
            let media = sim.hub.ports.media
            let id = try #require(device.id)
            let found = try await media.opening(withPass: token, from: id)
            let opening = try #require(found)
            let other = try await media.opening(withPass: token, from: DeviceID("d_other"))
            #expect(other?.playable == nil)
            #expect(opening.isGood())
            let begun = await get(path, sim)
            #expect(begun.stream?.mayGoOn() == true)

            let owner = try sim.remote(id: "owner-9")
            _ = await owner.awaitReply(owner.send(Commands.DeviceRevoke(id)))

            #expect(await get(path, sim).status == 404)
            #expect(begun.stream?.mayGoOn() == false && !opening.isGood())
            #expect(try await address(sim) != path)
        }
    }

    @Test func `four thousand addresses are remembered, the newest ones`() async throws {
        try await onLoop {
            var number = 0
            let passes = MediaPasses {
                number += 1
                return "\(number)"
            }
            let now = Moment(us: 0, wallMs: 0)
            for _ in 0..<4500 { _ = passes.give(ItemURI("lib:track/1"), trust: .musicFolders, at: now) }
            #expect(passes.item(for: "500", at: now) == nil)
            #expect(passes.item(for: "501", at: now) == .init(uri: ItemURI("lib:track/1"), trust: .musicFolders))
        }
    }

    /// BT-HTTP-008
    @Test func `a picture comes at the size that was asked for, and may be kept for ever`() async throws {
        try await onLoop {
            let sim = try hub()
            let query = [(name: "w", value: "96"), (name: "h", value: "64"), (name: "fmt", value: "png")]
            let picture = await get("/art/libart1", sim, query: query)
            #expect(picture.status == 200 && picture.body.count == 70_000 && picture.body[0] == 96)
            #expect(picture.headers.contains { $0 == ("cache-control", "public, max-age=31536000, immutable") })
            #expect(picture.headers.contains { $0 == ("content-type", "image/png") })
            let tag = try #require(picture.headers.first { $0.name == "etag" }?.value)
            #expect(await get("/art/libart1", sim, query: query, headers: ["if-none-match": tag]).status == 304)
            #expect(await get("/art/libart1", sim, query: [(name: "w", value: "2049")]).status == 400)
            #expect(await get("/art/libart1", sim, query: [(name: "fmt", value: "gif")]).status == 400)
            #expect(await get("/art/other", sim).status == 404)
            #expect(await get("/art/../etc", sim).status == 404)
            #expect(await get("/art/libart1", try SimulatedHub()).status == 404)
        }
    }

    // MARK: The artwork channel

    @Loop
    private func taker(_ sim: SimulatedHub, view: StateView = .full) throws -> TestRemote {
        let remote = try sim.connect(over: .unix(uid: 0, gid: 0))
        remote.sendText(#"{"t":"hello","core":"1.0","view":"\#(view.rawValue)","client":{"id":"art-1"},"caps":["art","other"]}"#)
        return remote
    }

    /// BT-ART-001 BT-ART-002 BT-ART-003
    @Test func `a picture comes in pieces that make the whole`() async throws {
        try await onLoop {
            let sim = try hub()
            let remote = try taker(sim)
            #expect(remote.frames[0].contains(#""caps":["art"]"#))
            let reply = await remote.awaitReply(remote.send(Commands.Picture("libart1", width: 96)))
            let transfer = try ArtTransfer(from: try #require(reply?.data))
            remote.becomeWritable()
            let frames = remote.binaries.compactMap(ArtFrame.init)
            #expect(frames.count == 5 && frames.allSatisfy { $0.transfer == transfer.number })
            #expect(frames.first?.head == .init(total: 70_000, format: 1, width: 96, height: 96))
            #expect(frames.map(\.isLast) == [false, false, false, false, true])
            #expect(frames.flatMap(\.data) == [UInt8](repeating: 96, count: transfer.total))
            #expect(remote.binaries.allSatisfy { $0.count <= 20 * 1024 })

            let other = try sim.remote(id: "other-1")
            #expect(await other.awaitReply(other.send(Commands.Picture("libart1", width: 96)))?.reply.outcome.error?.known == .unsupported)
        }
    }

    /// BT-ART-006
    @Test func `a wrist gets no more than it can hold`() async throws {
        try await onLoop {
            let remote = try taker(try hub(), view: .watch)
            let reply = await remote.awaitReply(remote.send(Commands.Picture("libart1", width: 96)))
            #expect(try ArtTransfer(from: try #require(reply?.data)).total <= 16 * 1024)
        }
    }

    /// BT-ART-004
    @Test func `a newer picture ends the one on its way, and so does who takes it back`() async throws {
        try await onLoop {
            let sim = try hub()
            let remote = try taker(sim)
            let first = remote.send(Commands.Picture("libart1", width: 96))
            _ = await remote.awaitReply(first)
            remote.stopAfter(frames: 2)
            remote.becomeWritable()
            #expect(remote.binaries.count == 2)
            let second = remote.send(Commands.Picture("libart2", width: 50))
            remote.stopAfter(frames: nil)
            _ = await remote.awaitReply(second)
            remote.becomeWritable()
            let frames = remote.binaries.compactMap(ArtFrame.init)
            #expect(frames.count == 2 + 1 + 5)
            #expect(frames[2].isCancelled && frames[2].transfer == frames[0].transfer && frames[2].data.isEmpty)
            #expect(frames[3...].allSatisfy { $0.transfer == frames[0].transfer + 1 })

            let third = remote.send(Commands.Picture("libart3", width: 50))
            _ = await remote.awaitReply(third)
            remote.stopAfter(frames: 1)
            remote.becomeWritable()
            remote.stopAfter(frames: nil)
            remote.sendText(#"{"t":"cancel","id":\#(third)}"#)
            remote.becomeWritable()
            #expect(remote.binaries.last.flatMap(ArtFrame.init)?.isCancelled == true)
            #expect(remote.binaries.count == 10)
        }
    }

    /// BT-ART-005
    @Test func `answers and state go before the next piece`() async throws {
        try await onLoop {
            let sim = try hub()
            let remote = try taker(sim)
            _ = await remote.awaitReply(remote.send(Commands.Picture("libart1", width: 96)))
            remote.stopAfter(frames: 1)
            remote.becomeWritable()
            remote.isReading = false
            let volume = remote.send(Commands.VolumeSet(12))
            #expect(remote.reply(volume) == nil)
            let before = remote.binaries.count
            remote.stopAfter(frames: nil)
            remote.isReading = true
            #expect(remote.order.last { $0 == "text" } != nil)
            let answered = remote.order.lastIndex(of: "text") ?? 0
            #expect(remote.order[..<answered].count { $0 == "binary" } == before)
            #expect(remote.reply(volume)?.reply.isSuccess == true)
            #expect(remote.binaries.count == 5)
        }
    }
}
