/// Lists of stations that never come to their end.
import BatonCore
import BatonSeams
import Synchronization
import Testing

@testable import BatonRadio

@Suite struct SlowListTests {
    /// Sends a line of a playlist a second, by a clock of its own.
    private final class Dripping: HTTPCalling, HTTPBody {
        let seconds = Mutex<Int64>(0)
        let isCancelled = Mutex(false)
        var clock: Clock { Clock(nowUs: { [self] in Microseconds(seconds.withLock { $0 }) * 1_000_000 }, wallUs: { 0 }) }

        func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer {
            HTTPAnswer(status: 200, headers: [HTTPCall.Header("content-type", "audio/x-mpegurl")], body: self)
        }
        func next() async throws(HTTPCallFault) -> [UInt8]? {
            guard !isCancelled.withLock({ $0 }) else { throw HTTPCallFault(.cancelled, "It was cancelled.") }
            return Array(
                (seconds.withLock {
                    $0 += 1; return $0
                } == 1 ? "#EXTM3U\n" : "#\n").utf8)
        }
        func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.unsupported, "Nothing is opened.") }
        func cancel() { isCancelled.withLock { $0 = true } }
    }

    @Test func `a playlist that comes line by line without end is given up by its deadline`() async throws {
        let server = Dripping()
        let address = try #require(WebAddress("http://radio.example/list.m3u"))
        let calls = StationCalls(http: server, policy: .publicOnly, host: "radio.example", clock: server.clock)
        let fault: SourceFault? = await {
            do throws(SourceFault) { _ = try await StationOpening(calls: calls, address: address).open() } catch { return error }
            return nil
        }()
        #expect(fault?.sentence.contains("takes too long") == true)
        #expect(server.seconds.withLock { $0 } < 60 && server.isCancelled.withLock { $0 })
    }
}
