package import BatonSeams
import CCurl
import Synchronization

/// HTTP calls through libcurl, all on one thread of their own (`CurlLoop`), but for quiet ones: those have a second thread, before
/// which everything else goes.
///
/// libcurl is opened at the first call, since a hub without sources on the network needs none of the libraries that it brings
/// along. Calls may come from any thread except the loop's, because opening the library blocks.
package final class HTTPClient: HTTPCalling {
    package struct Options: Sendable {
        /// What servers are told about the program.
        package var agent = "Baton"
        package var proxies = Proxies()
        /// A file of certificates to trust instead of the system's, in PEM.
        package var certificates: String?
        /// Servers that every call may reach.
        package var allowed: [AllowedHost] = []
        /// More calls at once than this are refused.
        package var mostCalls = 256
        /// After so long without a call the thread ends, and its connections with it.
        package var idle: Duration = .seconds(30)

        package init() {}
    }

    private let options: Options
    private let loop: CurlLoop
    private let quietLoop: CurlLoop

    package init(_ options: Options = Options()) {
        self.options = options
        loop = CurlLoop(mostCalls: options.mostCalls, idle: options.idle, isQuiet: false)
        quietLoop = CurlLoop(mostCalls: options.mostCalls, idle: options.idle, isQuiet: true)
    }

    package func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer {
        try Library.open()
        let url = try URLParts(call.url)
        try HeaderLines.check(call.headers, to: url)
        let loop = call.limits.isQuiet ? quietLoop : loop
        let exchange = Exchange(loop)
        let outgoing = call.content.map { content in OutgoingBody(content) { loop.resume(exchange) } }
        let transfer = try Transfer(call, url, exchange, outgoing, options)
        guard loop.start(transfer) else {
            throw HTTPCallFault(.unavailable, "The hub makes too many calls to other servers just now, so \(url.place) was not asked.")
        }
        let body = ExchangeBody(exchange, outgoing)
        let head = try await exchange.head()
        return HTTPAnswer(status: head.status, headers: head.headers, body: body, movedTo: head.movedTo)
    }

    package func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource {
        try await RemoteBytes.open(call, with: self)
    }

    /// Calls that are under way, and whether a thread runs: for diagnostics and tests.
    package var activity: (calls: Int, isRunning: Bool) {
        let (loud, quiet) = (loop.activity, quietLoop.activity)
        return (loud.calls + quiet.calls, loud.isRunning || quiet.isRunning)
    }

    /// Ends all calls; each is told that it was cancelled. Later calls are refused.
    package func close() {
        loop.close()
        quietLoop.close()
    }
}

/// libcurl as a library of this process.
enum Library {
    private static let status = Mutex<Int32?>(nil)

    /// Blocks for some tens of milliseconds the first time.
    static func open() throws(HTTPCallFault) {
        let result = status.withLock { status in
            let result = status ?? baton_curl_open()
            // A library that is installed later is found by the next call.
            if result == 0 { status = 0 }
            return result
        }
        guard result == 0 else {
            throw HTTPCallFault(.unavailable, "libcurl is not installed, so no other server can be asked. Install it: apt install libcurl4")
        }
    }
}
