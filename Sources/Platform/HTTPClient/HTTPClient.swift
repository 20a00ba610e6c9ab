package import BatonSeams
import CCurl
import Synchronization

/// HTTP calls through libcurl, all on one thread (`CurlLoop`). Quiet calls have a second thread, which yields to everything else.
///
/// libcurl is opened at the first call, since a hub without network sources needs none of the libraries that it loads. Any thread but the
/// loop may make calls, because opening the library blocks.
package final class HTTPClient: HTTPCalling {
    package struct Options: Sendable {
        /// The `User-Agent` that servers get.
        package var agent = "Baton"
        package var proxies = Proxies()
        /// A file of certificates, in PEM, that replaces the system's.
        package var certificates: String?
        /// Servers that every call may connect to.
        package var allowed: [AllowedHost] = []
        /// Limit of simultaneous calls; more are refused.
        package var mostCalls = 256
        /// Time without calls after which the thread and its connections end.
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
        let transfer = try Transfer(call, to: url, for: exchange, sending: outgoing, options: options)
        guard loop.start(transfer) else {
            throw HTTPCallFault(.unavailable, "The hub makes too many calls to other servers just now, so \(url.origin) was not asked.")
        }
        let body = ExchangeBody(exchange, outgoing)
        let head = try await exchange.head()
        return HTTPAnswer(status: head.status, headers: head.headers, body: body, movedTo: head.movedTo)
    }

    package func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource {
        try await RemoteBytes.open(call, with: self)
    }

    /// Number of running calls, and whether a thread runs; for diagnostics and tests.
    package var activity: (calls: Int, isRunning: Bool) {
        let (loud, quiet) = (loop.activity, quietLoop.activity)
        return (loud.calls + quiet.calls, loud.isRunning || quiet.isRunning)
    }

    /// Cancels all calls and refuses later ones.
    package func close() {
        loop.close()
        quietLoop.close()
    }
}

/// libcurl, loaded into this process.
enum Library {
    private static let status = Mutex<Int32?>(nil)

    /// Blocks for some tens of milliseconds at first use.
    static func open() throws(HTTPCallFault) {
        let result = status.withLock { status in
            let result = status ?? baton_curl_open()
            // A library that is installed later works at the next call.
            if result == 0 { status = 0 }
            return result
        }
        guard result == 0 else {
            throw HTTPCallFault(.unavailable, "libcurl is not installed, so no other server can be asked. Install it: apt install libcurl4")
        }
    }
}
