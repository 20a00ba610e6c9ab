/// Sources that hang, flood or fail, and the others beside them.
import BatonCore
import BatonProtocol
import BatonSeams
import Companion
import Harness
import Synchronization
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `Sources cannot hurt each other` {
    /// Blocks all its threads until they are let go, as a disk that stands still does.
    private final class HangingSource: Connector {
        let source: String
        let threads = HeldPool()

        init(_ source: String) {
            self.source = source
            threads.hold()
        }

        var about: SourceAbout { SourceAbout(name: source, abilities: [.search]) }

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { throw SourceFault(.notFound, "None.") }

        func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage { ItemPage() }
    }

    /// Answers with more than was asked for.
    private struct FloodingSource: Connector {
        var source: String { "flood" }
        var about: SourceAbout { SourceAbout(name: "Flood", abilities: [.search]) }
        private static let row = ItemRow(uri: ItemURI("flood:track/1"), tags: Tags(title: "x"))

        func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] {
            Array(repeating: NewEntry(uri: Self.row.uri, tags: Self.row.tags), count: 10_001)
        }
        func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { throw SourceFault(.failed, "Broken.") }
        func search(_ query: SearchQuery) async throws(SourceFault) -> ItemPage { ItemPage(Array(repeating: Self.row, count: 5_000)) }
    }

    private func found(_ word: String, in source: String?) -> Commands.Search {
        Commands.Search(word, source: source, page: PageRequest(limit: 10))
    }

    @Loop
    private func fault(_ body: @Loop () async throws(SourceFault) -> Void) async -> SourceFault? {
        do throws(SourceFault) { try await body() } catch { return error }
        return nil
    }

    @Test func `two sources that block all their threads delay no question to a third`() async throws {
        try await onLoop {
            let time = VirtualTime()
            let hanging = [HangingSource("one"), HangingSource("two")]
            let sources = Sources(
                hanging + [MemorySource("lib")],
                threads: { name in
                    if let source = hanging.first(where: { $0.source == name }) { source.threads } else { Loop.jobs }
                },
                reactor: time, fittingRows: HubCodec.wire.fittingRows)
            defer { for source in hanging { source.threads.letGo() } }
            let stuck = hanging.flatMap { source in
                (0..<SourceLane.mostRunning).map { _ in
                    Task(executorPreference: Loop.jobs) {
                        await fault { () async throws(SourceFault) in _ = try await sources.search(found("Song", in: source.source)) }
                    }
                }
            }
            await untilQuiet()
            #expect(hanging.allSatisfy { $0.threads.heldCount == SourceLane.mostRunning })

            let listed = Mutex(0)
            let asked = Task(executorPreference: Loop.jobs) {
                let list = try await sources.search(found("Song", in: "lib"))
                listed.withLock { $0 = list.rows.count }
            }
            await untilQuiet()
            #expect(listed.withLock { $0 } == 10)
            time.pass(.seconds(3))
            try await asked.value
            for task in stuck { #expect(await task.value?.code == .unavailable) }
            // Those that hang are known now, and a search of everything waits for nobody.
            let all = try await sources.search(found("Song", in: nil))
            #expect(all.rows.count == 10)
        }
    }

    @Test func `a lane refuses what it cannot hold, and goes on when its source comes back`() async throws {
        try await onLoop {
            let time = VirtualTime()
            let source = HangingSource("one")
            let sources = Sources(
                [source], threads: { _ in source.threads }, reactor: time, fittingRows: HubCodec.wire.fittingRows)
            defer { source.threads.letGo() }
            let most = SourceLane.mostRunning + SourceLane.mostWaiting
            let asked = (0..<most).map { _ in
                Task(executorPreference: Loop.jobs) {
                    await fault { () async throws(SourceFault) in _ = try await sources.search(found("x", in: "one")) }
                }
            }
            await untilQuiet()
            #expect(source.threads.heldCount == SourceLane.mostRunning)

            let busy = await fault { () async throws(SourceFault) in _ = try await sources.search(found("x", in: "one")) }

            #expect(busy?.sentence.contains("too many questions") == true)
            source.threads.letGo()
            for task in asked { #expect(await task.value == nil) }
            #expect(await fault { () async throws(SourceFault) in _ = try await sources.search(found("x", in: "one")) } == nil)
        }
    }

    @Test func `a source that floods is refused with a sentence, and a search of all leaves it out`() async throws {
        try await onLoop {
            let sources = Sources([FloodingSource(), MemorySource("lib")], reactor: VirtualTime(), fittingRows: HubCodec.wire.fittingRows)

            let page = await fault { () async throws(SourceFault) in _ = try await sources.search(found("Song", in: "flood")) }
            let item = await fault { () async throws(SourceFault) in
                _ = try await sources.expand(ItemURI("flood:track/1"), trust: .itemsOnly)
            }

            #expect(page?.code == .tooLarge && page?.sentence.contains("Flood") == true)
            #expect(item?.code == .tooLarge)
            let all = try await sources.search(found("Song", in: nil))
            #expect(all.rows.count == 10)
        }
    }

    @Test func `an item belongs to the source that names its scheme, and a path to the one that takes paths`() async throws {
        struct Named: Connector {
            let source: String
            let about: SourceAbout
            func expand(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> [NewEntry] { [] }
            func resolve(_ uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable { throw SourceFault(.failed, "Broken.") }
        }
        try await onLoop {
            let sources = Sources(
                [
                    Named(source: "web", about: SourceAbout(name: "Web", schemes: ["http", "https"])),
                    Named(source: "disk", about: SourceAbout(name: "Disk", abilities: .paths)),
                ], reactor: VirtualTime(), fittingRows: HubCodec.wire.fittingRows)

            for (uri, name) in [("https://x/", "web"), ("http:x", "web"), ("/music/x", "disk"), ("disk:track/x", "disk"), ("new:1", "new")]
            {
                #expect(sources.name(of: ItemURI(uri)) == name)
            }
        }
    }

    @Test(
        arguments: [
            ("0123abcd", nil, "0123abcd"), ("sub:al-12", "sub", "al-12"), ("sub:a%2Fb%2E%3A", "sub", "a/b.:"),
        ] as [(String, String?, String)])
    func `a picture's name says whose it is, and survives its way through the wire`(text: String, source: String?, name: String) throws {
        let id = try #require(ArtworkID(text: text))
        #expect(id.source == source && id.name == name && id.text == text)
    }

    @Test(arguments: ["", "a/b", "..", "sub:..", "sub:", "a b", "é", String(repeating: "a", count: 65), "sub:%zz"])
    func `text that is no picture's name is none`(text: String) { #expect(ArtworkID(text: text) == nil) }

    @Test func `a picture of a source is asked of that source alone`() async throws {
        try await onLoop {
            let (first, second) = (MemorySource("one"), MemorySource("two"))
            let sources = Sources([first, second], reactor: VirtualTime(), fittingRows: HubCodec.wire.fittingRows)

            let id = try #require(ArtworkID(source: "two", name: "twoart1"))
            let picture = try await sources.picture(id)
            #expect(picture == .bytes(Array("twoart1".utf8)))
            #expect(first.asked == 0)
        }
    }
}
