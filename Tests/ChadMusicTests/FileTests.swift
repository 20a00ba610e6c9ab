/// Files of a Chad Music server: with and without ranges, below a path, at other addresses.
import BatonCore
import BatonSeams
import Harness
import ServerConnectors
import Testing

@Suite struct FileTests {
    private let host: ChadHost
    private static let size = 300_000

    init() throws { host = try ChadHost() }

    private func track(_ chad: ChadMusic) async throws -> ItemURI { try #require(try await chad.rows("chad:album/a-0").first).uri }

    private func content(of track: ItemURI) -> [UInt8] {
        // The server makes its bytes up from the id.
        let seed = Int((UInt64(1) << 60 + 1) % 251)
        return (0..<Self.size).map { UInt8(($0 * 7 + seed) % 251) }
    }

    private func opened(_ chad: ChadMusic, _ uri: ItemURI) async throws -> any ByteSource {
        guard case .bytes(let content) = try await chad.resolve(uri, trust: .musicFolders).location else { throw ChadHost.NotThere() }
        return content.content
    }

    @Test(arguments: [("1", "1"), ("0", "1"), ("0", "0")])
    func `a track costs one request, with the key and without a list`(ranges: String, length: String) async throws {
        try await host.set(["ranges": ranges, "length": length])
        let uri = try await track(try host.account())
        let chad = try host.account()

        let requests = try await host.requests {
            let bytes = try await chad.bytes(uri)
            #expect(bytes == content(of: uri))
        }
        #expect(requests.map(\.path) == ["/files/kestrel/harbour%200/01%20100%25%20low%20tide%3F.flac"])
        #expect(requests.map(\.key) == ["Bearer \(ChadHost.key)"])
    }

    @Test func `a copy is fetched behind everything else, and what is heard is not`() async throws {
        let calls = RecordedCalls(host.http)
        let chad = try host.account(calls: calls)
        let uri = try await track(chad)
        let (asked, copy) = (calls.calls.count, try await chad.download(uri))
        #expect(try await copy.content.all() == content(of: uri))
        let copied = calls.calls.count

        _ = try await chad.bytes(uri)

        #expect(copied > asked && calls.calls[asked..<copied].allSatisfy(\.limits.isQuiet))
        #expect(calls.calls.count > copied && !calls.calls[copied...].contains(where: \.limits.isQuiet))
    }

    @Test(arguments: ["0", "1"])
    func `a track is read from anywhere, also by several readers at once`(ranges: String) async throws {
        try await host.set(["ranges": ranges])
        let chad = try host.account()
        let uri = try await track(chad)
        let (file, whole) = (try await opened(chad, uri), content(of: uri))

        #expect(file.hasRanges && file.length == Int64(Self.size))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in [299_999, 0, 150_000, 12_345] {
                group.addTask {
                    let bytes = try await file.all(from: Int64(start))
                    #expect(bytes == Array(whole[start...]))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await file.read(at: Int64(Self.size), count: 10).isEmpty)
    }

    @Test func `without ranges a look at the end costs one transfer, and the one from the beginning goes on`() async throws {
        try await host.set(["ranges": "0"])
        let chad = try host.account()
        let uri = try await track(chad)
        let whole = content(of: uri)

        let requests = try await host.requests {
            let file = try await opened(chad, uri)
            let head = try await file.read(at: 0, count: 1000)
            let tail = try await file.read(at: Int64(Self.size) - 128, count: 128)
            #expect(tail == Array(whole.suffix(128)))
            let rest = try await file.all(from: Int64(head.count))
            #expect(head + rest == whole)
        }
        #expect(requests.count == 2)
    }

    @Test(arguments: ["encoded", "plain", "based", "absolute", "query"])
    func `a path is found below the account's own path, however the server writes it`(urls: String) async throws {
        try await host.set(["base": "/music/chad", "urls": urls])
        let chad = try host.account(base: "/music/chad/")

        let uri = try await track(chad)
        #expect(!uri.text.contains("http") && !uri.text.contains("token") && !uri.text.contains("127.0.0.1"))
        #expect(try await chad.bytes(uri) == content(of: uri))
        // The same entry of a list, when the server has moved.
        try await host.set(["base": "/elsewhere"])
        #expect(try await (try host.account(base: "/elsewhere")).bytes(uri) == content(of: uri))
    }

    @Test func `a file that has moved on the server is found by its id`() async throws {
        let chad = try host.account()
        let uri = try await track(chad)
        let old = ItemURI(uri.text.replacing("kestrel", with: "old-name"))

        #expect(try await chad.bytes(old) == content(of: uri))
    }

    @Test func `a file at another server gets no key, and neither does a redirect there`() async throws {
        let chad = try host.account(anywhere: true)
        try await host.set(["urls": "elsewhere"])
        let requests = try await host.requests {
            let uri = try await track(chad)
            #expect(uri.text == "chad:track/1152921504606846977/a-0")
            #expect(try await chad.bytes(uri) == content(of: uri))
        }
        #expect(requests.last?.isOther == true && requests.last?.key == "" && requests.first?.key != "")

        try await host.set(["urls": "encoded", "fault": "elsewhere", "at": "/files"])
        let again = try host.account(anywhere: true)
        let redirected = try await host.requests {
            let uri = try await track(again)
            #expect(try await again.bytes(uri) == content(of: uri))
        }
        #expect(redirected.suffix(2).map(\.isOther) == [false, true] && redirected.last?.key == "")
    }

    @Test func `the server cannot send the hub to other places of its machine`() async throws {
        let chad = try host.account()
        let uri = try await track(chad)
        try await host.set(["fault": "elsewhere", "at": "/files"])

        #expect(await chad.fault { _ = try await $0.bytes(uri) }?.code == .forbidden)
    }

    @Test func `a path in a name is used for guests only when the server lists it`() async throws {
        let chad = try host.account()
        let uri = try await track(chad)
        let foreign = ItemURI("chad:track/1152921504606846977/a-0/covers/a-0.png")

        // The server's list decides, and not the path that a guest has written.
        guard case .bytes(let listed) = try await chad.resolve(foreign, trust: .itemsOnly).location else { throw ChadHost.NotThere() }
        #expect(try await listed.content.all() == content(of: uri))
        let requests = try await host.requests { _ = try await chad.resolve(uri, trust: .itemsOnly) }
        #expect(requests.count == 1)
    }

    @Test(arguments: [
        "chad:track/1/a-0/../../etc/passwd", "chad:track/1/a-0/files/%2e%2e/x", "chad:track/1/a-0/api/rescan", "chad:track/1/a-0//x",
        "chad:track/1/a-0/x%2F..%2Fy", "chad:track/1/a-0/x?y", "chad:track/1/a-0/a b", "chad:track//a-0/x", "chad:track/1", "chad:album/",
        "chad:shelf/none", "chad:album/a%", "other:album/a-0", "chad:album/a/b",
    ])
    func `a name that leads elsewhere is the name of nothing`(name: String) async throws {
        let chad = try host.account()
        let requests = try await host.requests {
            #expect(await chad.fault { _ = try await $0.resolve(ItemURI(name), trust: .anyPath) }?.code == .notFound)
        }
        #expect(requests.isEmpty)
    }

    @Test func `a list that leads upwards gives tracks that cannot be played, and a sentence`() async throws {
        try await host.set(["urls": "upwards"])
        let chad = try host.account()
        let uri = try await track(chad)

        #expect(uri.text == "chad:track/1152921504606846977/a-0")
        #expect(await chad.fault { _ = try await $0.bytes(uri) }?.code == .unreadable)
    }
}
