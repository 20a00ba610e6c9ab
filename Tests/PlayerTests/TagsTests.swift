import BatonCore
import BatonSeams
import Foundation
import Testing

@testable import Player

extension PlayingTests {
    @Suite struct Description {
        @Test(arguments: ["flac", "mp3", "m4a", "ogg"]) func `a file's tags are told once`(ending: String) async throws {
            let studio = try Studio()
            let sine = try studio.sine("sine.wav", seconds: 0.8)
            let file = studio.file("tagged.\(ending)")
            let tags = [
                "title": "A Title", "artist": "Anna; Bert / Carl", "album": "An Album", "album_artist": "Various", "track": "3/12",
                "disc": "2", "date": "1999-05-01",
            ]
            try studio.run(
                ["ffmpeg", "-loglevel", "error", "-i", sine.path] + tags.flatMap { ["-metadata", "\($0)=\($1)"] } + [file.path])

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }

                #expect(room.tags.count == 1)
                let told = try #require(room.tags.first)
                #expect(told.title == "A Title")
                #expect(told.artists == ["Anna", "Bert / Carl"])
                #expect(told.album == "An Album")
                #expect(told.albumArtist == "Various")
                #expect(told.track == 3)
                #expect(told.disc == 2)
                #expect(told.year == 1999)
                #expect(((told.durationMs ?? 0) - 800).magnitude < 60)
                #expect(room.formats.first?.rate == 44100)
                #expect(room.formats.first?.channels == 2)
                #expect(room.formats.first?.bits == (ending == "flac" ? 16 : nil))
            }
        }

        @Test func `the length that a source knows counts where the bytes do not tell it`() async throws {
            let studio = try Studio()
            var playable = Playable.file(try studio.sine("sine.wav", seconds: 0.8))
            playable.durationMs = 7_500
            try await withPlayer { room in
                room.player.load(playable, as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }
                #expect(room.tags.map(\.durationMs) == [7_500])
            }
        }

        @Test func `a file without tags is called by its name`() async throws {
            let studio = try Studio()
            let file = try studio.sine("No. 1 - a name.wav", seconds: 0.8, rate: 48000)

            try await withPlayer { room in
                room.player.load(.file(file), as: q1, fromMs: 0, paused: false)
                try await room.wait { $0.contains(.ended(q1)) }

                #expect(room.tags == [Tags(title: "No. 1 - a name", durationMs: 800)])
                #expect(room.formats == [SoundFormat(codec: "pcm_s16le", rate: 48000, bits: 16, channels: 2)])
            }
        }
    }
}

extension Listening {
    var tags: [Tags] { reports.compactMap { if case .described(_, let tags, _) = $0 { tags } else { nil } } }
    var formats: [SoundFormat] { reports.compactMap { if case .described(_, _, let format) = $0 { format } else { nil } } }
}
