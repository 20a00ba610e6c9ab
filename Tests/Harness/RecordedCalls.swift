package import BatonSeams
import Synchronization

/// Calls to other servers as they were made, on their way to who carries them out.
package final class RecordedCalls: HTTPCalling {
    private let http: any HTTPCalling
    private let made = Mutex<[HTTPCall]>([])

    package init(_ http: any HTTPCalling) { self.http = http }

    package var calls: [HTTPCall] { made.withLock { $0 } }

    package func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer {
        made.withLock { $0.append(call) }
        return try await http.call(call)
    }

    package func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource {
        made.withLock { $0.append(call) }
        return try await http.open(call)
    }
}
