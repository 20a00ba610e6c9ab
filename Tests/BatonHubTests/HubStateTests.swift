/// Sections that a client lacks, by the revision that it was last sent.
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Testing

@Suite struct HubStateTests {
    private static let rooms = [RoomID("main"), RoomID("attic")]

    /// A section with a new value: two of the hub and three of a room.
    private static func news(_ kind: Int, _ number: Int) -> SectionNews {
        switch kind {
        case 0: SectionNews(.playlists(PlaylistsSection(revision: number, count: 0)))
        case 1: SectionNews(.library(LibrarySection(revision: number, tracks: 0, albums: 0, artists: 0)))
        case 2: SectionNews(.watchRoom(WatchRoom("\(number)")))
        case 3: SectionNews(.watchProblem(WatchProblem("\(number)")))
        default: SectionNews(.volume(VolumeSection(level: number % 101, isMuted: false)))
        }
    }

    @Test(arguments: 0..<20) func `a client lacks the sections that changed after the revision it was sent`(seed: Int) async throws {
        try await onLoop {
            var random = SeededGenerator(UInt64(seed))
            let begun = Int.random(in: 0...3, using: &random)
            let writer = HubStateWriter(epoch: "e", revision: begun)
            writer.begin(with: Self.rooms, at: begun)
            // As slowly as can be: by room and section the revision of the last change.
            var changed: [RoomID: [Section: Int]] = [:]
            for room in Self.rooms { changed[room] = Dictionary(uniqueKeysWithValues: Section.allCases.map { ($0, begun) }) }

            for revision in begun + 1...begun + 30 {
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let room = Self.rooms.randomElement(using: &random)!  // Never empty.
                    let news = Self.news(Int.random(in: 0..<5, using: &random), revision)
                    writer.show(writer.draft([news], of: news.section.isOfRoom ? room : nil), at: revision)
                    for other in Self.rooms where other == room || !news.section.isOfRoom { changed[other]?[news.section] = revision }
                }
                writer.advance(to: revision)
                for room in Self.rooms {
                    let sent = Int.random(in: 0...revision, using: &random)
                    let wanted = SectionSet(Section.allCases.filter { _ in Bool.random(using: &random) })
                    let lacking = SectionSet(wanted.filter { changed[room]?[$0] ?? 0 > sent })
                    #expect(writer.state.newer(than: sent, of: wanted, in: room) == lacking)
                    #expect(
                        writer.state.newer(than: revision - 1, of: .all, in: room)
                            == SectionSet(Section.allCases.filter { changed[room]?[$0] == revision }))
                }
            }
            #expect(writer.state.newer(than: begun, of: [.volume, .library], in: RoomID("nowhere")).contains(.volume) == false)
        }
    }

    @Test func `a section is of a room or of the hub`() {
        #expect(SectionSet.ofRooms.union(.ofHub) == .all)
        #expect(SectionSet.ofRooms.intersection(.ofHub).isEmpty)
        #expect(
            Section.allCases.filter { !$0.isOfRoom } == [
                .radio, .rooms, .outputs, .people, .peopleCount, .jobs, .library, .playlists, .sources, .keeping, .hub,
                .watchJob,
            ])
    }
}
