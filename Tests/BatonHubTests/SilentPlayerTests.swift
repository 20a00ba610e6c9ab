/// A room without a speaker: time passes by the lengths of its entries, and nothing runs in between.
import BatonCore
import BatonSeams
import Harness
import Testing

@testable import BatonHub
@testable import BatonKernel

@Suite struct `A room without a speaker` {
    @Loop
    private final class Played {
        let time = VirtualTime()
        var reports: [PlayerReport] = []
        private(set) var player: SilentPlayer!

        init(lengthMs: Milliseconds? = 60_000) {
            player = SilentPlayer(reactor: time, lengthMs: { _ in lengthMs }, report: { [weak self] in self?.reports.append($0) })
        }
    }

    private static let playable = Playable(.url("http://127.0.0.1/none"))
    private static let (one, two) = (EntryID(1), EntryID(2))

    @Test func `an entry lasts as long as its source says, and the next one follows at once`() async throws {
        try await onLoop {
            let played = Played()
            played.player.load(Self.playable, as: Self.one, fromMs: 20_000, paused: false)
            played.player.follow(with: Self.playable, as: Self.two)
            #expect(played.reports.isEmpty, "a report never comes from inside an order")
            played.time.pass(.milliseconds(39_999))
            #expect(played.reports == [.began(Self.one)])
            #expect(abs((played.player.measuredMs ?? 0) - 59_999) < 1)
            played.time.pass(.milliseconds(2))
            #expect(played.reports == [.began(Self.one), .began(Self.two)])
            played.time.pass(.seconds(60))
            #expect(played.reports.last == .ended(Self.two) && played.player.measuredMs == nil)
        }
    }

    @Test func `a pause stops the time, and a seek moves it`() async throws {
        try await onLoop {
            let played = Played()
            played.player.load(Self.playable, as: Self.one, fromMs: 0, paused: true)
            played.time.pass(.seconds(300))
            #expect(played.reports == [.began(Self.one)] && played.player.measuredMs == 0)
            played.player.setPaused(false)
            played.time.pass(.seconds(10))
            played.player.setPaused(true)
            played.time.pass(.seconds(300))
            #expect(played.player.measuredMs == 10_000)
            played.player.seek(toMs: 59_000)
            played.player.setPaused(false)
            played.time.pass(.milliseconds(1001))
            #expect(played.reports.last == .ended(Self.one))
        }
    }

    @Test func `another speed, and an end that a sleep timer wants, come at their moment`() async throws {
        try await onLoop {
            let played = Played()
            played.player.load(Self.playable, as: Self.one, fromMs: 0, paused: false)
            played.player.setSpeed(permille: 2000)
            played.player.stopAt(PlayerStop(entry: Self.one, atMs: 30_000))
            played.time.pass(.milliseconds(14_900))
            #expect(played.reports == [.began(Self.one)])
            played.time.pass(.milliseconds(101))
            #expect(played.reports.last == .ended(Self.one))
        }
    }

    @Test func `of an entry whose length is not known its source is asked`() async throws {
        try await onLoop {
            let time = VirtualTime()
            var length: Milliseconds?
            var reports: [PlayerReport] = []
            let player = SilentPlayer(
                reactor: time, lengthMs: { _ in length },
                describe: { _ in
                    length = 5000
                    return (Tags(title: "One", durationMs: 5000), nil)
                }, report: { reports.append($0) })
            player.load(Self.playable, as: Self.one, fromMs: 0, paused: false)
            #expect(await time.until(within: .zero) { reports.count == 2 })
            #expect(reports == [.began(Self.one), .described(Self.one, Tags(title: "One", durationMs: 5000), nil)])
            time.pass(.milliseconds(5001))
            #expect(reports.last == .ended(Self.one))
            await player.close()
        }
    }

    @Test func `what is live goes on, and what was stopped says nothing`() async throws {
        try await onLoop {
            let played = Played(lengthMs: nil)
            played.player.load(Playable(.url("http://127.0.0.1/none"), isLive: true), as: Self.one, fromMs: 0, paused: false)
            played.time.pass(.seconds(100_000))
            #expect(played.reports == [.began(Self.one)])
            played.player.load(Self.playable, as: Self.two, fromMs: 0, paused: false)
            played.player.stop()
            played.time.pass(.seconds(1))
            #expect(played.reports == [.began(Self.one)])
        }
    }

    @Test func `what has no length by any source is skipped in a sentence`() async throws {
        try await onLoop {
            let played = Played(lengthMs: nil)
            played.player.load(Self.playable, as: Self.one, fromMs: 0, paused: false)
            #expect(await played.time.until(within: .zero) { played.reports.count == 2 })
            guard case .failed(Self.one, let reason)? = played.reports.last else { return #expect(Bool(false), "\(played.reports)") }
            #expect(reason.contains("length") && played.player.measuredMs == nil)
            await played.player.close()
        }
    }
}
