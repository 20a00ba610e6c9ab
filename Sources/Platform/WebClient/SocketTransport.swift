public import BatonClient
import BatonSeams
package import EventLoop

/// The transport for Linux programs: `BatonClient` over libwebsockets, to a unix socket, over TCP and over TLS.
public struct SocketTransport: Transport {
    private let loop: EventLoop
    private let timeout: Duration

    package init(loop: EventLoop, timeout: Duration = .seconds(5)) {
        self.loop = loop
        self.timeout = timeout
    }

    /// A transport on a loop with its own thread, one for the whole program. The satellite gives its main thread to a loop instead.
    public static func background() async throws(ConnectFault) -> SocketTransport {
        do throws(SocketsError) {
            return SocketTransport(loop: try await EventLoop.background())
        } catch {
            throw ConnectFault(error)
        }
    }

    public func connect(to endpoint: Endpoint) async throws(ConnectFault) -> any Channel {
        do throws(SocketsError) {
            return await SocketChannel(try await Client.connect(to: endpoint, on: loop, timeout: timeout))
        } catch {
            throw ConnectFault(error)
        }
    }
}

/// One connection. Outgoing messages wait in an outbox, so that callers need not be on the loop and messages keep their order.
private final class SocketChannel: Channel {
    let messages: AsyncStream<[UInt8]>
    let pictures: AsyncStream<[UInt8]>
    let security: ChannelSecurity?
    private let link: ClientLink
    private let outbox: AsyncStream<Outgoing>.Continuation
    private let pump: Task<Void, Never>

    private enum Outgoing: Sendable {
        case text([UInt8])
        case close(UInt16)
    }

    @Loop
    init(_ link: ClientLink) {
        self.link = link
        messages = link.messages
        pictures = link.pictures
        security = link.security
        let (stream, outbox) = AsyncStream.makeStream(of: Outgoing.self)
        self.outbox = outbox
        // Waits on the loop too: without a preference a thread of Swift's own pool would be created for it.
        pump = Task(executorPreference: Loop.jobs) { await Self.pass(stream, to: link) }
    }

    @Loop
    private static func pass(_ stream: AsyncStream<Outgoing>, to link: ClientLink) async {
        for await outgoing in stream {
            switch outgoing {
            // The reader of `messages` is told of an overflow or an end.
            case .text(let text): try? link.send(text)
            case .close(let code): return link.close(code)
            }
        }
    }

    deinit { pump.cancel() }

    func send(_ text: [UInt8]) { outbox.yield(.text(text)) }
    func close(_ code: UInt16) { outbox.yield(.close(code)) }

    func ending() async -> Ending {
        let ending = await link.ended()
        return Ending(code: ending.code, sentence: ending.reason)
    }
}

extension ConnectFault {
    fileprivate init(_ error: SocketsError) {
        let code: Code =
            switch error.code {
            case .refused, .notFound: .nobody
            case .timedOut: .timedOut
            case .otherKey: .otherKey
            case .rejected(let status): .refused(status: status)
            case .closed: .ended(code: nil)
            default: .strange
            }
        self.init(code, error.sentence)
    }
}
