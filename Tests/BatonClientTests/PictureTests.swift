import BatonClient
import BatonProtocol
import BatonWire
import Testing

@Suite struct `Pictures come over the connection itself` {
    private static let whole: [UInt8] = (0..<40_000).map { UInt8($0 % 251) }

    private static func reply(_ frame: CommandFrame, _ channel: MemoryChannel, number: Int) {
        channel.say(
            #"{"t":"res","id":\#(frame.id),"ok":1,"st":"applied","rev":1,"d":{"xfer":\#(number),"total":40000,"fmt":"png","w":96,"h":96}}"#)
    }

    private static func send(_ number: Int, _ channel: MemoryChannel) {
        let pieces = stride(from: 0, to: whole.count, by: ArtFrame.mostData).map {
            Array(whole[$0..<min(whole.count, $0 + ArtFrame.mostData)])
        }
        for (at, piece) in pieces.enumerated() {
            let head = at == 0 ? ArtFrame.Head(total: whole.count, format: 2, width: 96, height: 96) : nil
            channel.say(picture: ArtFrame(transfer: number, head: head, isLast: at == pieces.count - 1, data: piece))
        }
    }

    @Test(arguments: [true, false]) func `whether the answer or the frames come first`(answerFirst: Bool) async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                if answerFirst { Self.reply(frame, channel, number: 3) }
                Self.send(3, channel)
                if !answerFirst { Self.reply(frame, channel, number: 3) }
            })

        let file = try await ReconnectingHub.withHub(Client.plan, over: transport, nowUs: Client.nowUs) { hub in
            try await hub.picture("91c3f0", width: 96, height: 96)
        }

        #expect(file == Self.whole)
        #expect(transport.commands.map(\.method) == [CommandKind.artGet.rawValue])
    }

    @Test func `a picture that the hub gives up is a sentence`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                Self.reply(frame, channel, number: 4)
                channel.say(picture: ArtFrame(transfer: 4, isCancelled: true))
            })

        await #expect(throws: ConnectFault(.strange, "The hub gave the picture up.")) {
            try await HubConnection.withHub(Client.plan, over: transport, nowUs: Client.nowUs) { hub in
                try await hub.picture("91c3f0", width: 96)
            }
        }
    }

    @Test func `a connection that ends in the middle of a picture is made again, and the picture asked for anew`() async throws {
        let transport = MemoryTransport(
            hub: Client.hub { frame, channel in
                Self.reply(frame, channel, number: 5)
                if channel.number == 1 { channel.end(1001, "") } else { Self.send(5, channel) }
            })

        let file = try await ReconnectingHub.withHub(Client.plan, over: transport, nowUs: Client.nowUs) { hub in
            try await hub.picture("91c3f0", width: 96)
        }

        #expect(file == Self.whole)
    }
}
