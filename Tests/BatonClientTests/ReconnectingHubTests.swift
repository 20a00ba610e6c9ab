import BatonClient
import BatonCore
import BatonProtocol
import Testing

/// “Retrying and expiry” of the specification, from the client's side.
@Suite struct `A hub is held on to across connections` {
    private func hold<Result: Sendable>(
        _ transport: MemoryTransport, _ settings: ReconnectingHub.Settings = .brief(),
        _ body: @escaping @Sendable (ReconnectingHub) async throws -> Result
    ) async throws -> Result {
        try await ReconnectingHub.withHub(Client.plan, over: transport, settings: settings, nowUs: Client.nowUs, run: body)
    }

    /// Loses its first connection when a command comes, and answers it on the second.
    private func forgetful(_ code: UInt16? = 1006) -> MemoryTransport {
        MemoryTransport(
            hub: Client.hub { frame, channel in
                if channel.number == 1 { channel.end(code, "Cut.") } else { channel.applied(frame, why: "dup") }
            })
    }

    @Test(arguments: [1001, 1006, nil] as [UInt16?])
    func `a command whose answer was lost is sent again with the same key`(code: UInt16?) async throws {
        let transport = forgetful(code)

        let reply = try await hold(transport) { try await $0.send(Commands.Next(from: EntryID(1)), key: "key-1") }

        #expect(reply.reply.outcome == .applied(why: .dup))
        let sent = transport.commands
        #expect(sent.count == 2 && sent.allSatisfy { $0.key == "key-1" && $0.method == CommandKind.next.rawValue })
        #expect(sent[0].fingerprint == sent[1].fingerprint, "to the hub it is the same command")
    }

    @Test func `quick taps on next name what will be current by then, and what is left over goes out as one`() async throws {
        let queue: @Sendable (Int) -> String = { current in
            #""queue":{"rev":1,"len":9,"idx":\#(current - 1),"cur":"q\#(current)","next":"q\#(current + 1)"}"#
        }
        let transport = MemoryTransport { message, channel in
            let commands = channel.heard.compactMap { if case .command(let frame) = $0 { frame } else { nil } }
            switch message {
            case .hello:
                channel.welcome()
                channel.say(#"{"t":"state","full":1,"rev":1,"room":"main","s":{\#(queue(1))}}"#)
            case .command where commands.count == 2:
                channel.say(#"{"t":"state","rev":3,"from":1,"s":{\#(queue(3))}}"#)
                for frame in commands { channel.applied(frame) }
            case .command(let frame) where commands.count > 2: channel.applied(frame)
            default: break
            }
        }

        try await hold(transport) { hub in
            _ = try await hub.state()
            try await withThrowingTaskGroup { group in
                for _ in 0..<5 { group.addTask { try await hub.next() } }
                try await group.waitForAll()
            }
        }

        let sent = transport.commands
        #expect(sent.map { $0.params["from"] } == ["q1", "q2", "q3"])
        #expect(sent.map { $0.params["n"] } == [nil, nil, 3])
        #expect(Set(sent.map(\.key)).count == 3 && sent.allSatisfy { $0.key != nil })
    }

    @Test func `a new connection knows nothing of the clock that the old one knew`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                if channel.number == 1 { channel.end(1001, "The machine starts anew.") } else { channel.applied(frame) }
            })

        let samples = try await hold(transport) { hub in
            for _ in 0..<4 { _ = try await hub.live().exchangeClocks() }
            _ = try await hub.send(Commands.Pause())
            return try await hub.live().clock.samples.count
        }

        // That of its own welcome, so another `boot` needs no further care.
        #expect(samples == 1)
    }

    @Test func `a connection whose full state never came is followed by one that continues nothing`() async throws {
        var plan = Client.plan
        plan.syncLimit = .milliseconds(20)
        let transport = MemoryTransport { message, channel in
            guard case .hello = message else { return }
            channel.welcome()
            channel.state(5, level: 30)
            if channel.number == 1 { channel.state(9, from: 7, level: 99) }
        }

        try await ReconnectingHub.withHub(plan, over: transport, nowUs: Client.nowUs) { _ in
            #expect(await eventually { transport.channels.count == 2 && transport.channels.last?.heard.isEmpty == false })
        }

        let hellos = transport.channels.flatMap(\.heard).compactMap { if case .hello(let hello) = $0 { hello } else { nil } }
        #expect(hellos.count == 2 && hellos.allSatisfy { $0.resume == nil })
    }

    @Test func `a command that may be repeated needs no key for it`() async throws {
        let transport = forgetful()

        try await hold(transport) { _ = try await $0.send(Commands.VolumeSet(40)) }

        #expect(transport.commands.map(\.method) == [CommandKind.volumeSet, .volumeSet].map(\.rawValue))
    }

    @Test func `the press is told in the hub's clock`() async throws {
        let transport = MemoryTransport(hub: Client.hub())

        try await hold(transport, .brief(ttlMs: 3000)) { _ = try await $0.send(Commands.Pause()) }

        #expect(transport.commands.map(\.ct) == [5000] && transport.commands.map(\.ttl) == [3000])
    }

    @Test func `a press is as old on a new hub's clock as it is here`() throws {
        let press = Press(Commands.Pause(), key: nil, room: nil, atUs: 1_000_000, ttlMs: 5000)

        #expect(press.frame(id: 1, atUs: 3_000_000, hubUs: 90_000_000).ct == 88_000)
        #expect(press.frame(id: 1, atUs: 3_000_000, hubUs: nil).ttl == nil, "without a clock nothing is claimed")
        #expect(press.frame(id: 1, atUs: 3_000_000, hubUs: 500_000).ct == -1500, "it was before the hub's clock began")
    }

    @Test func `an answer that says no is not asked for twice`() async {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                channel.say(#"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"busy","retry":1,"msg":"Wait."}}"#)
            })

        await #expect(throws: WireError.self) { try await hold(transport) { try await $0.send(Commands.Next(), key: "key-1") } }

        #expect(transport.commands.count == 1)
    }

    @Test func `a hub that says how long to wait is asked again with the same key, while the press is valid`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                let isFirst = channel.heard.count { if case .command = $0 { true } else { false } } == 1
                if !isFirst { return channel.applied(frame) }
                channel.say(
                    #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"rate_limited","retry":1,"msg":"Wait.","afterMs":20},"rx":1,"tx":1}"#
                )
            })

        try await hold(transport) { _ = try await $0.send(Commands.Next(), key: "key-1") }
        let late = await #expect(throws: WireError.self) {
            try await hold(
                MemoryTransport(
                    hub: Client.hub { frame, channel in
                        channel.say(
                            #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"busy","retry":1,"msg":"Wait.","afterMs":9000},"rx":1,"tx":1}"#
                        )
                    })
            ) { _ = try await $0.send(Commands.Pause()) }
        }

        #expect(transport.commands.map(\.key) == ["key-1", "key-1"] && late?.known == .busy)
    }

    @Test func `a refusal that is told at once is not asked for twice, whatever it says of waiting`() async {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                channel.say(
                    #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"timeout","retry":1,"msg":"Wait.","afterMs":20},"rx":1,"tx":1}"#)
            })

        await #expect(throws: WireError.self) { try await hold(transport) { try await $0.send(Commands.Next(), key: "key-1") } }

        #expect(transport.commands.count == 1)
    }

    /// The refusal of a command that others run beside.
    private func refusal(_ command: @Sendable () async throws -> Void) async -> WireError? {
        do { try await command() } catch { return error as? WireError }
        return nil
    }

    /// BT-RTY-018
    @Test func `a pause that waits is dropped by a play that does not`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                guard frame.method == CommandKind.pause.rawValue else { return channel.applied(frame) }
                channel.say(
                    #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"busy","retry":1,"msg":"Wait.","afterMs":100},"rx":1,"tx":1}"#)
            })

        try await hold(transport) { hub in
            async let dropped = refusal { _ = try await hub.send(Commands.Pause()) }
            #expect(await eventually { transport.commands.count == 1 })
            _ = try await hub.send(Commands.Play())
            #expect(await dropped?.known == .cancelled)
        }

        #expect(transport.commands.map(\.method) == [CommandKind.pause, .play].map(\.rawValue))
    }

    /// BT-RTY-018
    @Test func `of two levels that could not be sent only the newer one is`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                guard channel.number == 1 else { return channel.applied(frame) }
                if frame.params["level"] == 41 { channel.end(1006, "Cut.") }
            })

        try await hold(transport) { hub in
            async let dropped = refusal { _ = try await hub.send(Commands.VolumeSet(40)) }
            #expect(await eventually { transport.commands.count == 1 })
            _ = try await hub.send(Commands.VolumeSet(41))
            #expect(await dropped?.known == .cancelled)
        }

        #expect(transport.commands.map { $0.params["level"] } == [40, 41, 41])
    }

    @Test func `a hub that says to wait no time is not asked without a pause`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                channel.say(
                    #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"busy","retry":1,"msg":"Wait.","afterMs":0},"rx":1,"tx":1}"#)
            })

        await #expect(throws: (any Error).self) {
            try await hold(transport, .brief(ttlMs: 200)) { _ = try await $0.send(Commands.Pause()) }
        }

        #expect((1...5).contains(transport.commands.count))
    }

    @Test func `a whole queue that changed meanwhile is asked for again at the revision that the hub names`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                guard frame.params["base"] != .int(9) else { return channel.applied(frame) }
                channel.say(
                    #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"queue_conflict","retry":0,"msg":"Changed.","rev":9},"rx":1,"tx":2}"#
                )
            })

        _ = try await hold(transport) { try await $0.send(atRevision: 7) { Commands.QueueClear($0) } }

        let sent = transport.commands
        #expect(sent.map { $0.params["base"] } == [7, 9])
        #expect(Set(sent.map(\.key)).count == 2, "another base is another command")
    }

    @Test func `a queue that changes all the time is given up with the hub's words`() async {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                channel.say(
                    #"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"queue_conflict","retry":0,"msg":"Changed.","rev":\#(100 + frame.id)},"rx":1,"tx":2}"#
                )
            })

        await #expect {
            try await hold(transport) { try await $0.send(atRevision: 7) { Commands.QueueShuffle($0) } }
        } throws: {
            ($0 as? WireError)?.known == .queueConflict
        }
        #expect(transport.commands.count == 4)
    }

    @Test func `a command is given up when it is no longer wanted`() async {
        let transport = MemoryTransport(hub: Client.hub { _, _ in })

        let fault = await #expect(throws: ConnectFault.self) {
            try await hold(transport, .brief(ttlMs: 100)) { try await $0.send(Commands.Next(), key: "key-1") }
        }

        #expect(fault?.code == .timedOut && transport.commands.count == 1)
    }

    @Test func `nobody at the first attempt is told at once`() async {
        let nobody = ConnectFault(.nobody, "Nobody answers.")
        let transport = MemoryTransport(faults: [1: nobody], hub: Client.hub())

        let fault = await #expect(throws: ConnectFault.self) { try await hold(transport, .lasting) { _ in } }

        #expect(fault == nobody && transport.attempts == 1)
    }

    @Test func `nobody at a later attempt is tried again`() async throws {
        let nobody = ConnectFault(.nobody, "Nobody answers.")
        let transport = MemoryTransport(
            faults: [2: nobody, 3: nobody],
            hub: Client.hub { frame, channel in if channel.number == 1 { channel.end(1006, "Cut.") } else { channel.applied(frame) } })

        try await hold(transport) { _ = try await $0.send(Commands.Next(), key: "key-1") }

        #expect(transport.attempts == 4 && transport.commands.count == 2)
    }

    @Test(arguments: [CloseCode.replaced, .malformed, .version, .revokedOrForbidden])
    func `a hub that wants no return gets none`(code: CloseCode) async {
        let transport = forgetful(code.rawValue)

        let fault = await #expect(throws: ConnectFault.self) { try await hold(transport, .lasting) { try await $0.send(Commands.Pause()) } }

        #expect(fault == ConnectFault(.ended(code: code.rawValue), "Cut.") && transport.attempts == 1)
    }

    @Test func `the next connection goes on from what is known`() async throws {
        let transport = MemoryTransport { message, channel in
            guard case .hello(let hello) = message else { return }
            channel.welcome()
            if channel.number == 1 {
                channel.state(4, level: 30)
            } else {
                channel.state(5, from: hello.resume?.revision, level: 31)
            }
        }

        try await hold(transport, .lasting) { hub in
            _ = try await hub.state()
            transport.channels[0].end(1006, "")
            #expect(await eventually { await hub.mirror.volume?.level == 31 })
        }

        let hellos = transport.channels.compactMap { if case .hello(let hello) = $0.heard.first { hello } else { nil } }
        #expect(hellos.map { $0.resume?.revision } == [nil, 4])
        #expect(hellos.map(\.client.run) == ["r1", "r1"], "the hub may close the old connection in its favour")
    }

    @Test func `an open queue is opened again on the next connection, and stays on the screen until it is there`() async throws {
        let transport = MemoryTransport { message, channel in
            switch message {
            case .hello:
                channel.welcome()
                channel.say(#"{"t":"state","full":1,"rev":1,"room":"main","s":{}}"#)
            case .subscribe(let subscription) where subscription.queue != .unchanged:
                let entry = "q\(channel.number)"
                channel.say(
                    """
                    {"t":"res","id":\(subscription.id),"ok":1,"st":"applied","rev":1,"d":{"rev":\(channel.number),"len":1,"cur":"\(entry)","from":0,\
                    "rows":[{"entry":"\(entry)","uri":"file:track/a","kind":"track","title":"A"}]}}
                    """)
            default: break
            }
        }

        try await hold(transport, .lasting) { hub in
            try await hub.openQueue(wanted: 50)
            #expect(await eventually { await hub.queue?.current == EntryID(1) })
            let before = try #require(await hub.queue)
            transport.channels[0].end(1006, "")
            #expect(await eventually { await hub.queue != before })
            #expect(await hub.queue?.current == EntryID(2))
        }

        let opened = transport.channels.map { channel in
            channel.heard.compactMap { if case .subscribe(let subscription) = $0 { subscription.queue } else { nil } }
        }
        #expect(opened == [[.set(.init(from: 0, count: 50))], [.set(.init(from: 0, count: 50))]])
    }

    @Test func `an open queue is that of the room that is followed`() async throws {
        let transport = MemoryTransport { message, channel in
            switch message {
            case .hello:
                channel.welcome()
                channel.say(#"{"t":"state","full":1,"rev":1,"room":"main","s":{}}"#)
            case .subscribe(let subscription) where subscription.queue != .unchanged:
                let isFirst = channel.heard.count { if case .subscribe = $0 { true } else { false } } == 1
                let entry = isFirst ? "q1" : "q7"
                channel.say(
                    """
                    {"t":"res","id":\(subscription.id),"ok":1,"st":"applied","rev":1,"d":{"rev":1,"len":1,"cur":"\(entry)","from":0,\
                    "rows":[{"entry":"\(entry)","uri":"file:track/a","kind":"track","title":"A"}]}}
                    """)
            case .subscribe(let subscription):
                channel.say(#"{"t":"state","full":1,"rev":2,"room":"attic","s":{}}"#)
                channel.say(#"{"t":"res","id":\#(subscription.id),"ok":1,"st":"applied","rev":2}"#)
            default: break
            }
        }

        try await hold(transport, .lasting) { hub in
            try await hub.openQueue(wanted: 50)
            #expect(await eventually { await hub.queue?.current == EntryID(1) })
            try await hub.follow(RoomID("attic"))
            #expect(await eventually { await hub.queue?.current == EntryID(7) })
        }
    }

    @Test func `a watcher hears once that the hub is away, and then its state`() async throws {
        let nobody = ConnectFault(.nobody, "Nobody answers.")
        let transport = MemoryTransport(faults: [2: nobody, 3: nobody], hub: Client.hub())

        try await hold(transport, .lasting) { hub in
            _ = try await hub.state()
            let changes = await hub.changes()
            transport.channels[0].end(1001, "The hub stops.")
            var away = 0
            for await change in changes {
                if case .away(let fault) = change {
                    away += 1
                    #expect(fault.sentence == "The hub stops.")
                }
                if case .hub(.state) = change, away > 0 { break }
            }
            #expect(away == 1 && transport.attempts == 4)
        }
    }

    @Test func `the clock of a screen that stays is kept`() async throws {
        let transport = MemoryTransport(hub: Client.hub())

        try await hold(transport, .lasting) { hub in
            let connection = try await hub.live()
            #expect(await eventually { await connection.clock.samples.count >= 5 })
        }
    }

    @Test func `whoever leaves takes the connection along`() async throws {
        let transport = MemoryTransport(hub: Client.hub())

        #expect(try await hold(transport, .lasting) { try await $0.state().revision } == 1)

        #expect(transport.channels.map(\.isOpen) == [false])
    }
}
