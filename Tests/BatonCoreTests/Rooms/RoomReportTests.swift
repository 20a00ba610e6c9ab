import BatonCore
import Testing

/// What the player says, on time and late.
struct RoomReportTests {
    // MARK: From one entry to the next

    @Test func `an entry that follows without a gap becomes current, and the one behind it follows`() throws {
        var live = try LiveRoom.playing(0, of: 3)

        let outcome = live.hear(.began(live.ids[1]))

        #expect(live.currentTitle == "1" && live.state == .playing && live.positionMs == 0)
        #expect(outcome.orders == [.follow(live.ids[2], ItemURI("file:track/2"))])
        #expect(outcome.changes == [.current(live.ids[1])])
        #expect(live.hear(.began(live.ids[2])).orders.isEmpty)
    }

    @Test func `a player that ran dry is given the next entry`() throws {
        var live = try LiveRoom.playing(0, of: 2)

        #expect(live.hear(.ended(live.ids[0])).orders.first?.loads == live.ids[1])
        #expect(live.currentTitle == "1" && live.state == .buffering)
    }

    @Test func `the end of the last entry stops at the head`() throws {
        var live = try LiveRoom.playing(1, of: 2)

        live.hear(.ended(live.ids[1]))

        #expect(live.state == .stopped && live.currentTitle == "0")
    }

    @Test func `repeat goes round, and with single plays the same entry again`() throws {
        for (single, title) in [(ModeSwitch.on, "1"), (.once, "1"), (.off, "0")] {
            var live = try LiveRoom.playing(1, of: 2)
            #expect(try live.ask(.setModes(ModeChange(repeat: true, single: single))).orders.first?.follows == live.room.upcoming?.id)
            var dry = live
            live.pass(ms: 180_000)

            live.hear(.began(live.room.upcoming!.id))
            #expect(live.currentTitle == title && live.positionMs == 0 && live.room.upcoming?.tags.title == "1")
            dry.hear(.ended(dry.ids[1]))
            #expect(dry.currentTitle == title && dry.state == .buffering)
        }
    }

    @Test func `what was loaded twice and follows itself is not at its second round when it begins twice`() throws {
        var live = try LiveRoom(tracks: 1)
        let track = live.ids[0]
        try live.ask(.setModes(ModeChange(repeat: true, single: .on)))
        try live.ask(.jump(track))
        try live.ask(.jump(track))
        live.hear(.began(track))
        try live.ask(.seek(entry: track, toMs: 60_000))
        live.pass(ms: 10)

        live.hear(.began(track))

        #expect(live.positionMs == 60_010)
        live.pass(ms: 119_990)
        live.hear(.began(track))
        #expect(live.positionMs == 0, "now it is")
    }

    @Test func `an end that crosses a pause leaves the room paused at the next entry`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        try live.ask(.pause)

        let outcome = live.hear(.ended(live.ids[0]))

        #expect(live.state == .paused && live.currentTitle == "1")
        #expect(outcome.orders.first == .load(live.ids[1], ItemURI("file:track/1"), fromMs: 0, paused: true))
    }

    @Test func `a player that went on to what was no longer wanted is called back`() throws {
        var live = try LiveRoom.playing(0, of: 3)
        let follower = live.ids[1]
        let wanted = try live.ask(.add(.tracks(1, from: 9), at: .next)).added[0]

        let outcome = live.hear(.began(follower))

        #expect(live.current == wanted && outcome.orders.first?.loads == wanted)
        #expect(live.hear(.began(wanted)).status == .applied)
        #expect(live.state == .playing)
    }

    @Test func `a player that went on although it should not is stopped`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        let follower = live.ids[1]
        try live.ask(.remove([follower]))

        let outcome = live.hear(.began(follower))

        #expect(outcome.orders == [.stop] && live.state == .stopped)
    }

    @Test func `a player that is heard at something else is told again what people see`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        live.pass(ms: 4000)

        for report in [PlayerReport.began(live.ids[0]), .failed(live.ids[0], reason: "Broken.")] {
            var heard = live
            let outcome = heard.hear(report)
            #expect(heard.currentTitle == "1" && heard.state == .buffering && heard.room.problem == nil)
            #expect(outcome.orders.first == .load(live.ids[1], ItemURI("file:track/1"), fromMs: 4000, paused: false))
        }
    }

    @Test func `an entry that was loaded twice begins twice, and the second time ends any waiting`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        try live.ask(.jump(live.ids[0]))
        live.hear(.began(live.ids[0]))
        live.hear(.buffering(live.ids[0], true))

        live.hear(.began(live.ids[0]))

        #expect(live.state == .playing && live.currentTitle == "0")
    }

    @Test func `a single item that cannot be played gives back the queue that it replaced, and says what failed`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        live.pass(ms: 4000)
        let (ids, playing) = (live.ids, live.current)
        try live.ask(.replace(base: nil, with: .tracks(1), start: 0, positionMs: 0, play: true))

        let outcome = live.hear(.failed(live.ids[0], reason: "There is nothing at that address."))

        #expect(live.ids == ids && live.current == playing && live.positionMs == 4000 && live.state == .paused)
        #expect(live.room.problem == "There is nothing at that address.")
        #expect(outcome.mustBeStored && outcome.orders.contains(.stop))
    }

    @Test func `an item that has begun before it failed stays, and so does one that replaced nothing`() throws {
        var begun = try LiveRoom.playing(1, of: 3)
        try begun.ask(.replace(base: nil, with: .tracks(1), start: 0, positionMs: 0, play: true))
        begun.hear(.began(begun.ids[0]))
        begun.hear(.failed(begun.ids[0], reason: "It broke off."))
        #expect(begun.ids.count == 1)

        var empty = try LiveRoom(tracks: 0)
        try empty.ask(.replace(base: nil, with: .tracks(1), start: 0, positionMs: 0, play: true))
        empty.hear(.failed(empty.ids[0], reason: "There is nothing at that address."))
        #expect(empty.ids.count == 1)
    }

    // MARK: Late news

    @Test func `news of what played before is no news of what is being loaded`() throws {
        var live = try LiveRoom.playing(1, of: 3)
        try live.ask(.previous(from: nil))  // Entry 1 is now what follows, and may still be heard.
        let before = live.room

        for report in [PlayerReport.began(live.ids[1]), .failed(live.ids[1], reason: "Broken."), .ended(live.ids[1])] {
            #expect(live.hear(report) == .noop(.moved))
        }
        #expect(live.room == before)
    }

    @Test func `the end of an entry that was just started again does not skip it`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        try live.ask(.jump(live.ids[0]))

        #expect(live.hear(.ended(live.ids[0])) == .noop(.moved))
        #expect(live.currentTitle == "0")
    }

    @Test func `after a stop nothing that was on its way changes anything`() throws {
        var live = try LiveRoom.playing(0, of: 2)
        let entry = live.ids[0]
        try live.ask(.stop)
        let before = live.room

        let late: [PlayerReport] = [
            .began(entry), .began(live.ids[1]), .ended(entry), .failed(entry, reason: "Broken."), .buffering(entry, true),
            .line(entry, positionMs: 90_000, atUs: live.now.us, rate: 0),
        ]
        for report in late { #expect(live.hear(report).orders.isEmpty) }
        #expect(live.room == before)
    }

    @Test func `a position measured before a seek does not undo it`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.pass(ms: 1000)
        let measured = live.now.us
        live.pass(ms: 10)
        try live.ask(.seek(entry: nil, toMs: 90_000))

        #expect(live.hear(.line(live.ids[0], positionMs: 1000, atUs: measured, rate: 1000)) == .noop(.moved))
        #expect(live.positionMs == 90_000)
    }

    // MARK: Positions

    /// BT-CLK-003
    @Test func `a line of seven days is drawn anew, though it is right`() throws {
        var live = try LiveRoom()
        try live.ask(.add(.station, at: .end))
        try live.ask(.play())
        live.hear(.began(live.ids[0]))
        let days = Milliseconds(7 * 24 * 3_600_000)
        for (ms, isDrawn) in [(days - 1, false), (1, true), (1, false)] as [(Milliseconds, Bool)] {
            live.pass(ms: ms)
            let outcome = live.hear(.line(live.ids[0], positionMs: live.positionMs, atUs: live.now.us, rate: 1000))
            #expect(outcome.touched == (isDrawn ? [.timeline] : []))
        }
    }

    @Test func `a measured line is told when it is visibly elsewhere`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.pass(ms: 10_000)

        #expect(live.hear(.line(live.ids[0], positionMs: 9960, atUs: live.now.us, rate: 1000)) == .noop(.same))
        #expect(live.hear(.line(live.ids[0], positionMs: 9959, atUs: live.now.us, rate: 1000)).touched == [.timeline])
        #expect(live.positionMs == 9959)
        #expect(live.hear(.line(live.ids[0], positionMs: 500, atUs: live.now.us, rate: 0)) == .noop(.moved))
    }

    @Test func `a measured line from far in the future does not silence later ones`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.hear(.line(live.ids[0], positionMs: 5000, atUs: .max, rate: 1000))
        live.pass(ms: 1000)

        live.hear(.line(live.ids[0], positionMs: 1000, atUs: live.now.us, rate: 1000))

        #expect(live.positionMs == 1000)
    }

    @Test func `a line that has yet to begin is told, because the entry before still sounds`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.pass(ms: 10)

        let outcome = live.hear(.line(live.ids[0], positionMs: 0, atUs: live.now.us + 350_000, rate: 1000))

        #expect(outcome.touched == [.timeline])
        live.pass(ms: 1350)
        #expect(live.positionMs == 1000)
    }

    @Test func `a position below zero is shown as zero`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.pass(ms: 200)

        live.hear(.line(live.ids[0], positionMs: -100, atUs: live.now.us, rate: 1000))

        #expect(live.room.timeline.positionMs == 0)
    }

    @Test func `missing data stops the clock, and data starts it again`() throws {
        var live = try LiveRoom.playing(0, of: 1)
        live.pass(ms: 4000)

        live.hear(.buffering(live.ids[0], true))
        live.pass(ms: 9000)
        #expect(live.state == .buffering && live.positionMs == 4000 && live.room.timeline.rate == 0)
        live.hear(.buffering(live.ids[0], false))
        live.pass(ms: 1000)
        #expect(live.state == .playing && live.positionMs == 5000)
    }

    // MARK: Trouble

    @Test func `an entry that cannot be played is skipped, and the room says why until one has played well`() throws {
        var live = try LiveRoom.playing(0, of: 4)
        live.hear(.began(live.ids[1]))

        let outcome = live.hear(.failed(live.ids[2], reason: "“2” is empty."))

        #expect(live.currentTitle == "3" && live.state == .buffering && outcome.orders.first?.loads == live.ids[3])
        #expect(live.room.problem == "“2” is empty." && live.room.queue.entries[2].problem == "“2” is empty.")
        try live.ask(.setModes(ModeChange(repeat: true)))
        live.hear(.began(live.ids[3]))
        #expect(live.room.problem != nil)
        #expect(live.hear(.began(live.ids[0])).touched.contains(.room))
        #expect(live.room.problem == nil)
    }

    @Test func `entries whose source is away are passed over, however many there are, stay in the queue and are named`() throws {
        var live = try LiveRoom.playing(0, of: 40)
        live.hear(.ended(live.ids[0]))
        for at in 1..<39 { live.hear(.away(live.ids[at], reason: "The source “Home” is away.")) }

        #expect(live.current == live.ids[39] && live.room.isPlaying && live.room.queue.count == 40)
        #expect(live.room.problem == "“38” was passed over. The source “Home” is away.")
        #expect(live.room.queue.entries[1...38].allSatisfy { $0.problem == "The source “Home” is away." })
        live.hear(.began(live.ids[39]))
        #expect(live.state == .playing)
    }

    @Test(arguments: [1, 2, 30], [false, true])
    func `a queue of which all is away stops after one round`(count: Int, repeats: Bool) throws {
        var live = try LiveRoom(tracks: count)
        try live.ask(.setModes(ModeChange(repeat: repeats)))
        try live.ask(.play())
        var passed = 0
        while live.room.isPlaying, passed < 1000, let entry = live.current {
            live.hear(.away(entry, reason: "Away."))
            passed += 1
        }
        #expect(passed == count && live.state == .stopped && live.room.problem != nil)
        #expect(live.room.queue.count == count)
    }

    @Test(arguments: [1, 2, 3, 19, 20, 21, 50], [NamedMode.once, .repeatOne, .repeatAll])
    func `a room in which nothing can be played stops after one pass or twenty failures`(count: Int, mode: NamedMode) throws {
        for shuffle in [false, true] {
            for begins in [false, true] {
                var live = try LiveRoom(tracks: count)
                try live.ask(.setModes(ModeChange(repeat: mode.change.repeat, shuffle: shuffle, single: mode.change.single)))
                try live.ask(.play())
                var failures = 0

                while live.room.isPlaying, failures < 1000, let entry = live.current {
                    if begins { live.hear(.began(entry)) }
                    live.pass(ms: 100)
                    live.hear(.failed(entry, reason: "Broken."))
                    failures += 1
                }

                #expect(live.state == .stopped && live.room.problem != nil)
                #expect(failures == (mode == .repeatOne ? 1 : min(20, count)))
                #expect(live.orders.last == .stop)
            }
        }
    }

    @Test func `an entry that broke off after it was heard does not count towards giving up`() throws {
        var live = try LiveRoom(tracks: 30)
        try live.ask(.setModes(ModeChange(repeat: true)))
        try live.ask(.play())

        for _ in 0..<100 {
            live.hear(.began(live.current!))
            live.pass(ms: 60_000)
            live.hear(.failed(live.current!, reason: "The server went away."))
        }

        #expect(live.room.isPlaying)
    }

    @Test func `trouble with the output is shown and nothing else changes`() throws {
        var live = try LiveRoom.playing(0, of: 1)

        #expect(live.hear(.outputTrouble("No audio device.")).touched == [.room])
        #expect(live.hear(.outputTrouble("No audio device.")) == .noop(.same))
        #expect(live.room.outputProblem == "No audio device." && live.state == .playing)
        live.hear(.outputTrouble(nil))
        #expect(live.room.outputProblem == nil)
    }

    // MARK: Descriptions

    @Test func `what a source says of its item wins, and the file fills the rest`() throws {
        var live = try LiveRoom()
        var known = Tags(title: "Chapter 1", artists: ["Reader"])
        known.kind = .chapter
        try live.ask(.add([NewEntry(uri: ItemURI("book:chapter/1"), tags: known)], at: .end))
        var inside = Tags(title: "One", artists: ["Somebody"], durationMs: 1234)
        inside.album = "Book"

        live.hear(.described(live.ids[0], inside, nil))

        let tags = try #require(live.room.currentEntry).tags
        #expect(tags.title == "Chapter 1" && tags.artists == ["Reader"] && tags.album == "Book")
        #expect(tags.kind == .chapter && tags.durationMs == 1234)
    }

    @Test func `what a file says wins over what its name said`() throws {
        var live = try LiveRoom()
        var known = Tags(title: "Chapter 1", artists: ["Reader"], durationMs: 1000)
        known.kind = .chapter
        known.album = "Book"
        try live.ask(.add([NewEntry(uri: ItemURI("file:track/1"), tags: known)], at: .end))
        let format = SoundFormat(codec: "flac", rate: 44100, bits: 16, channels: 2)

        let outcome = live.hear(.described(live.ids[0], Tags(title: "One", durationMs: 1234), format))

        let entry = try #require(live.room.currentEntry)
        #expect(entry.tags.title == "One" && entry.tags.artists == ["Reader"] && entry.tags.album == "Book")
        #expect(entry.tags.kind == .chapter && entry.tags.durationMs == 1234 && entry.format == format)
        #expect(outcome.changes == [.described(entry)] && outcome.touched == [.now])
        #expect(live.hear(.described(live.ids[0], Tags(title: "One", durationMs: 1234), nil)) == .noop(.same))
    }

    @Test func `a station has no duration, and keeps its last title until it tells another`() throws {
        var live = try LiveRoom()
        try live.ask(.add(.station, at: .end))
        var news = Tags(title: "Radio", durationMs: 5000)
        news.streamTitle = "Song A"

        live.hear(.described(live.ids[0], news, nil))
        live.hear(.described(live.ids[0], Tags(), SoundFormat(codec: "mp3", rate: 44100, bits: nil, channels: 2)))

        let tags = try #require(live.room.currentEntry?.tags)
        #expect(tags.kind == .station && tags.durationMs == nil && tags.streamTitle == "Song A")
    }

    @Test func `a description of an entry that is gone is no news`() throws {
        var live = try LiveRoom(tracks: 1)

        #expect(live.hear(.described(EntryID(99), Tags(title: "x"), nil)) == .noop(.moved))
    }
}
