/// The documents in `Protocol/` and this module say the same: every example is read and written back
/// to the same bytes, and every name the module knows is in the specification.
import BatonCore
import BatonProtocol
import BatonWire
import Foundation
import Testing

@Suite struct ExampleTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Protocol").standardized

    static func examples(_ kind: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "examples").path)
            .filter { $0.hasPrefix(kind + "-") && $0.hasSuffix(".json") }.sorted()
    }

    /// Without the newline at its end.
    private func example(_ name: String) throws -> String {
        let text = try String(contentsOf: Self.folder.appending(path: "examples/\(name)"), encoding: .utf8)
        #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n"), "\(name) is one line.")
        return String(text.dropLast())
    }

    @Test(arguments: try examples("client")) func `a client's example is what we would send, and accept`(name: String) throws {
        let written = try example(name)

        let message = try ClientMessage.decode(utf8(written))

        #expect(text(message.encode) == written)
        if case .command(let frame) = message {
            #expect(name.hasPrefix("client-cmd-\(frame.method)"))
            _ = try frame.command()
        } else {
            #expect(!name.hasPrefix("client-cmd-"))
        }
    }

    @Test(arguments: try examples("hub")) func `a hub's example is what we would send, and understand`(name: String) throws {
        let written = try example(name)

        let message = try HubMessage.decode(utf8(written))

        #expect(text { try? message.encode(into: &$0) } == written)
    }

    @Test(arguments: try examples("section")) func `a section's example is what we would send, and understand`(name: String) throws {
        let written = try example(name)
        let wireName = name.dropFirst("section-".count).prefix { $0 != "-" && $0 != "." }

        let section = try #require(Section.named(String(wireName)))
        let content = try #require(try section.content(parse(written)))

        #expect(text(content.encode) == written)
    }

    @Test func `there is an example of every section that is built, and of every command`() throws {
        let sections = try Self.examples("section")
        for section in Section.allCases where section.isBuilt { #expect(sections.contains("section-\(section.name).json")) }
        let clients = try Self.examples("client")
        for kind in CommandKind.allCases { #expect(clients.contains { $0.hasPrefix("client-cmd-\(kind.rawValue)") }, "\(kind)") }
    }

    // MARK: documents

    static func document(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    /// The chapters of Core and the pages of the profiles, by their paths in `Protocol/`.
    static func chapters() throws -> [String] {
        try ["core", "profiles"].flatMap { part in
            try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: part).path).filter { $0.hasSuffix(".md") }.sorted()
                .map { "\(part)/\($0)" }
        }
    }

    @Test func `the specification names every command, code, close code, section, role and view`() throws {
        let spec = try Self.chapters().map(Self.document).joined()
        let names =
            CommandKind.allCases.map(\.rawValue) + ErrorCode.allCases.map(\.rawValue) + CloseCode.allCases.map { "\($0.rawValue)" }
            + Section.allCases.map(\.name) + Role.allCases.map(\.rawValue) + StateView.allCases.map(\.rawValue)
        for name in names { #expect(spec.contains("`\(name)`"), "`\(name)` is missing.") }
    }

    @Test(arguments: try chapters() + ["TUTORIAL.md"]) func `every message shown in a document is one`(name: String) throws {
        for line in try Self.document(name).split(separator: "\n") where line.hasPrefix("{\"t\":") {
            let isClients = if let message = try? ClientMessage.decode(utf8(String(line))), !message.isUnknown { true } else { false }
            let isHubs = if let message = try? HubMessage.decode(utf8(String(line))), !message.isUnknown { true } else { false }
            #expect(isClients || isHubs, "\(line)")
        }
    }

    @Test func `the chapters show messages`() throws {
        let shown = try Self.chapters().map(Self.document).joined().split(separator: "\n").count { $0.hasPrefix("{\"t\":") }
        #expect(shown > 30)
    }

    @Test(arguments: try chapters() + ["MANUAL.md", "README.md", "TUTORIAL.md"]) func `every file a document points at is there`(
        name: String
    ) throws {
        let folder = Self.folder.appending(path: name).deletingLastPathComponent()
        for match in try Self.document(name).matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
            #expect(FileManager.default.fileExists(atPath: folder.appending(path: String(match.1)).path), "\(match.1)")
        }
    }
}

extension Section {
    /// The value as its type, if the section is built.
    func content(_ value: JSON) throws -> (any SectionCoding)? {
        let types: [any SectionCoding.Type] = [
            NowSection.self, TimelineSection.self, VolumeSection.self, ModesSection.self, QueueSection.self, RoomsSection.self,
            OutputsSection.self, PeopleSection.self, HubSection.self, WatchItem.self, WatchLine.self, WatchVolume.self, WatchModes.self,
            WatchRoom.self,
            WatchProblem.self, LibrarySection.self, PlaylistsSection.self, SourcesSection.self, KeepingSection.self, RadioSection.self,
            JobsSection.self, EndlessSection.self, ListenersSection.self, WatchJob.self, SleepSection.self, WatchSleep.self,
            BookSection.self, WatchBook.self,
        ]
        return try types.first { $0.section == self }?.init(from: value)
    }

    var isBuilt: Bool {
        switch self {
        case .book, .radio, .sleep, .jobs, .watchBook: false
        default: true
        }
    }
}

extension ClientMessage {
    var isUnknown: Bool { if case .unknown = self { true } else { false } }
}

extension HubMessage {
    var isUnknown: Bool { if case .unrecognised = self { true } else { false } }

    /// Writes it as the hub would: sections in the order of the wire, each through its own type.
    func encode(into writer: inout JSONWriter) throws {
        switch self {
        case .challenge(let challenge): challenge.encode(into: &writer)
        case .pair(let message): message.encode(into: &writer)
        case .welcome(let welcome): welcome.encode(into: &writer)
        case .state(let update): update.header.encode(into: &writer, sections: try update.encodedSections())
        case .reply(let received):
            let inline = try received.state.map {
                Reply.InlineState(from: $0.header.from, room: $0.header.room, sections: try $0.encodedSections())
            }
            let data = try received.data.map(Self.finding)
            received.reply.encode(into: &writer, data: data.map { data in { $0.encoded(data) } }, inline: inline)
        case .queue(let ops): ops.encode(into: &writer)
        case .time(let sample): sample.encode(into: &writer)
        case .error(let error): writer.error(error)
        case .bye(let code, let why): writer.bye(CloseCode(rawValue: UInt16(code)) ?? .normal, why: why)
        case .unrecognised: break
        }
    }

    /// What a query found, written back by whichever type reads it.
    private static func finding(_ data: JSON) throws -> [UInt8] {
        if let info = try? HubInfo(from: data) { return JSONWriter.bytes(info.encode) }
        if let listed = foundInSections(data) { return listed }
        // A new room's id needs no type of its own.
        if data["room"] != nil { return JSONWriter.bytes { $0.value(data) } }
        if data["list"]?.array?.first?["dialect"] != nil {
            return JSONWriter.bytes { (try? DialectList(from: data))?.encode(into: &$0, bytes: pageBytes) }
        }
        if data["list"]?.array?.first?["createdMs"] != nil, data["list"]?.array?.first?["user"] == nil,
            data["list"]?.array?.first?["session"] == nil
        {
            return JSONWriter.bytes { (try? DialectPasswordList(from: data))?.encode(into: &$0, bytes: pageBytes) }
        }
        if data["newest"] != nil { return JSONWriter.bytes { (try? HubLog(from: data))?.encode(into: &$0, bytes: pageBytes) } }
        if let history = try? QueueHistoryList(from: data) { return JSONWriter.bytes { history.encode(into: &$0, bytes: pageBytes) } }
        if let page = try? QueuePage(from: data) { return JSONWriter.bytes { page.encode(into: &$0, bytes: pageBytes) } }
        return try foundInLibrary(data)
    }
}

private let pageBytes = WireLimits.standard.pageBytes

/// The same for what reads sections on.
private func foundInSections(_ data: JSON) -> [UInt8]? {
    guard let first = data["list"]?.array?.first else { return nil }
    if first["mute"] != nil { return JSONWriter.bytes { (try? RoomsSection(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if first["role"] != nil, first["sinceMs"] != nil {
        return JSONWriter.bytes { (try? PeopleListing(from: data))?.encode(into: &$0, bytes: pageBytes) }
    }
    guard first["id"] != nil, first["name"] != nil, first["madeMs"] == nil else { return nil }
    return JSONWriter.bytes { (try? OutputsSection(from: data))?.encode(into: &$0, bytes: pageBytes) }
}

/// The same for what is found in libraries, each told by a member that only it has.
private func foundInLibrary(_ data: JSON) throws -> [UInt8] {
    if data["m3u"] != nil { return JSONWriter.bytes { (try? MadeListenLink(from: data))?.encode(into: &$0) } }
    if data["list"]?.array?.first?["madeMs"] != nil { return JSONWriter.bytes { (try? ListenLinkList(from: data))?.encode(into: &$0) } }
    if data["line"] != nil { return JSONWriter.bytes { (try? ListeningAnswer(from: data))?.encode(into: &$0) } }
    if data["item"] != nil { return JSONWriter.bytes { (try? ItemAnswer(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["folders"] != nil { return JSONWriter.bytes { (try? LibraryFolders(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["kinds"] != nil { return JSONWriter.bytes { (try? SourceList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if let found = foundOfUsers(data) { return found }
    if data["titles"] != nil { return JSONWriter.bytes { (try? TitleList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["podcasts"] != nil { return JSONWriter.bytes { (try? PodcastList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["marks"] != nil { return JSONWriter.bytes { (try? BookmarkList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["places"] != nil { return JSONWriter.bytes { (try? AsleepPlaces(from: data))?.encode(into: &$0) } }
    if data["rows"]?.array?.first?["place"] != nil {
        return JSONWriter.bytes { (try? ProgressList(from: data))?.encode(into: &$0, bytes: pageBytes) }
    }
    if data["stations"] != nil { return JSONWriter.bytes { (try? StationList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["act"] != nil { return JSONWriter.bytes { (try? PromptLine(from: data))?.encode(into: &$0) } }
    if data["presets"] != nil { return JSONWriter.bytes { (try? PromptShelf(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["sessions"] != nil { return JSONWriter.bytes { (try? ClipSessions(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["piece"] != nil { return JSONWriter.bytes { (try? SteeredPiece(from: data))?.encode(into: &$0) } }
    if data["job"] != nil { return JSONWriter.bytes { (try? StartedJob(from: data))?.encode(into: &$0) } }
    if data["jobs"] != nil { return JSONWriter.bytes { (try? JobRows(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["workers"] != nil { return JSONWriter.bytes { (try? WorkerList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["st"] != nil { return JSONWriter.bytes(try WorkerTested(from: data).encode) }
    if data["state"] != nil { return JSONWriter.bytes(try SourceTested(from: data).encode) }
    if data["notes"] != nil { return JSONWriter.bytes { (try? PendingNotes(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["saved"] != nil { return JSONWriter.bytes(try QueueSaved(from: data).encode) }
    if data["limit"] != nil { return JSONWriter.bytes { (try? KeptList(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["xfer"] != nil { return JSONWriter.bytes(try ArtTransfer(from: data).encode) }
    if data["list"]?.string != nil { return JSONWriter.bytes { (try? PlaylistEdited(from: data))?.encode(into: &$0) } }
    if data["list"] != nil { return JSONWriter.bytes { (try? PlaylistContents(from: data))?.encode(into: &$0, bytes: pageBytes) } }
    if data["rows"]?.array?.first?["atMs"] != nil {
        return JSONWriter.bytes { (try? PlayedList(from: data))?.encode(into: &$0, bytes: pageBytes) }
    }
    if data["rows"] == nil { return JSONWriter.bytes { (try? PlaylistEdited(from: data))?.encode(into: &$0) } }
    if let lists = try? PlaylistList(from: data) { return JSONWriter.bytes { lists.encode(into: &$0, bytes: pageBytes) } }
    return JSONWriter.bytes(try ItemList(from: data).encode)
}

extension StateUpdate {
    func encodedSections() throws -> [EncodedSection] {
        try SectionSet(sections.keys).map { section in
            let value = sections[section] ?? .null
            guard !value.isNull else { return EncodedSection(section, nil) }
            return try section.content(value).map { EncodedSection($0) } ?? EncodedSection(section, nil)
        }
    }
}

/// The same for answers about users.
private func foundOfUsers(_ data: JSON) -> [UInt8]? {
    if data["token"] != nil { return JSONWriter.bytes { (try? SignedInUser(from: data))?.encode(into: &$0) } }
    if data["signup"] != nil { return JSONWriter.bytes { (try? OwnUser(from: data))?.encode(into: &$0) } }
    if data["who"] != nil { return JSONWriter.bytes { (try? RoomControl(from: data))?.encode(into: &$0) } }
    if data["share"] != nil { return JSONWriter.bytes { (try? SharedPlaylist(from: data))?.encode(into: &$0) } }
    if data["list"]?.array?.first?["user"] != nil {
        return JSONWriter.bytes { (try? UserList(from: data))?.encode(into: &$0, bytes: pageBytes) }
    }
    if data["list"]?.array?.first?["session"] != nil {
        return JSONWriter.bytes { (try? UserSessionList(from: data))?.encode(into: &$0, bytes: pageBytes) }
    }
    guard data["rows"]?.array?.first?["kind"]?.string == "user" else { return nil }
    return JSONWriter.bytes { (try? ExportedRows(from: data))?.encode(into: &$0, bytes: pageBytes) }
}
