import BatonClient
import BatonProtocol
import BatonWire
import Testing

/// One connection, from hello to its end.
@Suite struct `A connection is greeted, follows and commands` {
    private func connect<Result: Sendable>(
        _ hub: @escaping MemoryTransport.Hub, with plan: HubConnection.Plan = Client.plan,
        _ body: @escaping @Sendable (HubConnection) async throws -> Result
    ) async throws -> Result {
        try await HubConnection.withHub(plan, over: MemoryTransport(hub: hub), nowUs: Client.nowUs, body)
    }

    private func fault(_ hub: @escaping MemoryTransport.Hub) async -> (any Error)? {
        do {
            try await connect(hub) { _ in }
            return nil
        } catch { return error }
    }

    // MARK: Greeting

    @Test func `the state, the clock and the welcome are there`() async throws {
        try await connect(Client.hub()) { hub in
            let state = try await hub.state()
            #expect(state.volume?.level == 30)
            #expect(hub.welcome.epoch == "e1")
            #expect(await hub.clock.hubUs(atUs: 1_000_000) == 5_000_000)
        }
    }

    @Test func `a hub that ends the greeting is quoted`() async {
        let fault = await fault { _, channel in channel.end(4400, "The first message must be hello.") }

        #expect(fault as? ConnectFault == ConnectFault(.ended(code: 4400), "The first message must be hello."))
    }

    @Test func `a hub of another version says which ones it speaks`() async {
        let fault = await fault { _, channel in
            channel.say(#"{"t":"err","err":{"code":"unsupported_version","retry":0,"msg":"This hub speaks Core 2.0.","core":"2.0"}}"#)
            channel.end(4406, "This hub speaks Core 2.0.")
        }

        let error = fault as? WireError
        #expect(error?.known == .unsupportedVersion && error?.core == "2.0" && error?.message == "This hub speaks Core 2.0.")
    }

    @Test func `somebody who greets otherwise is no hub`() async {
        let fault = await fault { _, channel in channel.say(#"{"t":"bye"}"#) }

        #expect((fault as? ConnectFault)?.code == .strange)
    }

    @Test func `a hub that never greets is given up, and the connection closed`() async {
        var plan = Client.plan
        plan.greetingLimit = .milliseconds(50)
        let transport = MemoryTransport { _, _ in }

        let fault = await #expect(throws: ConnectFault.self) {
            try await HubConnection.withHub(plan, over: transport, nowUs: Client.nowUs) { _ in }
        }

        #expect(fault?.code == .timedOut)
        #expect(transport.channels.map(\.isOpen) == [false])
    }

    @Test func `a kept copy counts for the same store only`() async throws {
        var lastMirror = Mirror()
        guard
            case .state(let update) = try HubMessage.decode(
                Array(#"{"t":"state","full":1,"rev":9,"room":"main","s":{"vol":{"level":9,"mute":false}}}"#.utf8))
        else { return }
        _ = try lastMirror.apply(update)
        for (epoch, level) in [("e1", 9), ("e2", nil)] as [(String, Int?)] {
            var plan = Client.plan
            plan.lastMirror = lastMirror
            plan.hello.resume = lastMirror.resume(epoch: epoch)

            try await connect({ message, channel in if case .hello = message { channel.welcome() } }, with: plan) { hub in
                #expect(await hub.mirror.volume?.level == level)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a command that is sent while the connection ends fails, and does not wait for ever`() async throws
    {
        for _ in 0..<500 {
            let transport = MemoryTransport(hub: Client.hub { _, _ in })
            try? await HubConnection.withHub(Client.plan, over: transport, nowUs: Client.nowUs) { hub in
                // At the same time: the end of the connection, and commands.
                async let end: Void = Task { transport.channels.first?.end(1001, "The hub is stopping.") }.value
                for _ in 0..<8 { await #expect(throws: ConnectFault.self) { try await hub.send(Commands.VolumeSet(31)) } }
                await end
            }
        }
    }

    // MARK: Following

    @Test func `after a gap everything is asked for again`() async throws {
        let hub: MemoryTransport.Hub = { message, channel in
            switch message {
            case .hello:
                channel.welcome()
                channel.state(5, level: 30)
                channel.state(9, from: 7, level: 99)
            case .sync: channel.state(9, level: 40)
            default: break
            }
        }

        try await connect(hub) { hub in
            #expect(await eventually { await hub.mirror.revision == 9 })
            #expect(await hub.mirror.volume?.level == 40)
        }
    }

    /// BT-STA-018
    @Test func `a full state that does not come is asked for three times, and then the connection is given up`() async throws {
        var plan = Client.plan
        plan.syncLimit = .milliseconds(50)
        let transport = MemoryTransport { message, channel in
            guard case .hello = message else { return }
            channel.welcome()
            channel.state(5, level: 30)
            channel.state(9, from: 7, level: 99)
        }
        let start = ContinuousClock.now

        let fault = await #expect(throws: ConnectFault.self) {
            try await HubConnection.withHub(plan, over: transport, nowUs: Client.nowUs) { hub in
                for await _ in await hub.changes() {}
                if let fault = await hub.fault { throw fault }
            }
        }

        #expect(fault?.code == .ended(code: nil) && ContinuousClock.now - start >= .milliseconds(150))
        #expect(transport.channels.first?.heard.count { $0 == .sync } == 3)
    }

    @Test func `a watcher gets the state of now and each later one`() async throws {
        try await connect(
            Client.hub { frame, channel in
                channel.state(2, from: 1, level: 31)
                channel.applied(frame)
            }
        ) { hub in
            _ = try await hub.state()
            var changes = await hub.changes().makeAsyncIterator()
            try await hub.send(Commands.VolumeSet(31))

            guard case .state(let first) = await changes.next(), case .state(let second) = await changes.next() else {
                return #expect(Bool(false), "two states were due")
            }
            #expect([first.volume?.level, second.volume?.level] == [30, 31])
        }
    }

    @Test func `what cannot be read is passed over`() async throws {
        let hub: MemoryTransport.Hub = { message, channel in
            guard case .hello = message else { return }
            channel.welcome()
            channel.say("not JSON")
            channel.say(#"{"t":"aurora","x":[1,2]}"#)
            channel.state(1, level: 12)
        }

        let state = try await connect(hub) { try await $0.state() }

        #expect(state.volume?.level == 12)
    }

    @Test func `a state is not waited for when the connection has ended`() async {
        await #expect(throws: ConnectFault.self) {
            try await connect({ message, channel in
                channel.welcome()
                channel.end(1001, "The hub is stopping.")
            }) { hub in _ = try await hub.state() }
        }
    }

    // MARK: Commanding

    @Test func `a command that the hub does not know names the profile that it lacks`() async throws {
        let hub = Client.hub { frame, channel in
            channel.say(#"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"unknown_command","retry":0,"msg":"None."},"rx":1,"tx":1}"#)
        }

        try await connect(hub) { hub in
            #expect(hub.features.has(.roomCreate) && hub.features.has(.pause) && !hub.features.has(.radioList))
            let missing = await #expect(throws: MissingProfile.self) { try await hub.send(Commands.RadioList()) }
            #expect(missing?.profile == "radio")
        }
    }

    @Test func `each reply finds its command, in whatever order they come`() async throws {
        let hub = Client.hub { frame, channel in
            if frame.id == 1 { return }
            for id in [2, 1] { channel.say(#"{"t":"res","id":\#(id),"ok":1,"st":"noop","why":"same","rev":\#(id)}"#) }
        }

        try await connect(hub) { hub in
            async let first = hub.send(Commands.Pause())
            #expect(await eventually { await hub.waitingCommands == 1 })
            let second = try await hub.send(Commands.Stop())

            #expect(try await first.reply.revision == 1 && second.reply.revision == 2)
        }
    }

    @Test func `the state is right when the reply is there`() async throws {
        try await connect(
            Client.hub { frame, channel in
                channel.state(2, from: 1, level: 55)
                channel.applied(frame)
            }
        ) { hub in
            try await hub.send(Commands.VolumeSet(55))
            #expect(await hub.mirror.volume?.level == 55)
        }
    }

    @Test func `a reply that says no is thrown`() async {
        let error = await #expect(throws: WireError.self) {
            try await connect(
                Client.hub { frame, channel in
                    channel.say(#"{"t":"res","id":\#(frame.id),"ok":0,"err":{"code":"forbidden","retry":0,"msg":"You may not."}}"#)
                }
            ) { try await $0.send(Commands.Next()) }
        }

        #expect(error?.known == .forbidden && error?.message == "You may not.")
    }

    @Test func `a command that waits when the connection ends fails with the hub's sentence`() async {
        let fault = await #expect(throws: ConnectFault.self) {
            try await connect(Client.hub { _, channel in channel.end(1012, "The hub restarts.") }) {
                try await $0.send(Commands.Next(), key: "abcd")
            }
        }

        #expect(fault == ConnectFault(.ended(code: 1012), "The hub restarts."))
    }

    @Test func `the code of a hub's goodbye counts where the library reports another one`() async {
        let fault = await #expect(throws: ConnectFault.self) {
            try await connect(
                Client.hub { _, channel in
                    channel.say(#"{"t":"bye","code":1012,"why":"The hub restarts."}"#)
                    channel.end(1013, "The hub restarts.")
                }
            ) { try await $0.send(Commands.Next(), key: "abcd") }
        }

        #expect(fault == ConnectFault(.ended(code: 1012), "The hub restarts."))
    }

    @Test func `a command on a connection that has ended fails at once`() async throws {
        try await connect(Client.hub { _, channel in channel.end(nil, "") }) { hub in
            for _ in 0..<2 {
                let fault = await #expect(throws: ConnectFault.self) { try await hub.send(Commands.Pause()) }
                #expect(fault?.sentence == "The hub ended the connection.")
            }
        }
    }

    @Test func `a command that is given up ends, and so does its connection`() async throws {
        try await connect(Client.hub { _, _ in }) { hub in
            let task = Task { try await hub.send(Commands.Pause()) }
            #expect(await eventually { await hub.waitingCommands == 1 })
            task.cancel()

            await #expect(throws: ConnectFault.self) { try await task.value }
            #expect(await hub.waitingCommands == 0)
        }
    }

    @Test func `a command that takes too long is given up`() async {
        let fault = await #expect(throws: ConnectFault.self) {
            try await connect(Client.hub { _, _ in }) { hub in
                try await limited(to: .milliseconds(50), sentence: "Too long.") { _ = try await hub.send(Commands.Pause()) }
            }
        }

        #expect(fault == ConnectFault(.timedOut, "Too long."))
    }

    @Test func `clocks are exchanged on request`() async throws {
        try await connect(Client.hub()) { hub in
            let tripUs = try await hub.exchangeClocks()
            #expect(tripUs == 0)
            #expect(await hub.clock.samples.count == 2)
        }
    }

    @Test func `an error in the body closes the connection`() async {
        struct Mine: Error {}
        let transport = MemoryTransport(hub: Client.hub())

        await #expect(throws: Mine.self) {
            try await HubConnection.withHub(Client.plan, over: transport, nowUs: Client.nowUs) { _ in throw Mine() }
        }

        #expect(transport.channels.map(\.isOpen) == [false])
    }
}
