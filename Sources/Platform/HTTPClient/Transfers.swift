import BatonSeams
import CCurl
import Glibc

/// The running transfers. Only libcurl's thread uses it, and all callbacks of libcurl run within `perform`.
@safe final class Transfers {
    /// The end of a call, for its caller.
    struct Ending {
        let exchange: Exchange
        let result: Result<Void, HTTPCallFault>
    }

    private let multi: UnsafeMutableRawPointer
    private var transfers: [ObjectIdentifier: Transfer] = [:]
    private let sockets = OpenSockets()
    private var ended: [Ending] = []
    /// True if nothing happened during the last wait.
    private(set) var hasIdled = false

    init(_ multi: UnsafeMutableRawPointer) {
        unsafe self.multi = unsafe multi
        unsafe _ = baton_curl_multi_set(multi, CURLMOPT_MAXCONNECTS, 16)
        // A stream occupies a connection as long as it plays, so a low limit for each server would block requests to it. The requests of
        // each source are limited elsewhere, by its lane.
        unsafe _ = baton_curl_multi_set(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 64)
    }

    var isEmpty: Bool { transfers.isEmpty }

    func follow(_ order: CurlLoop.Order) {
        switch order {
        case .start(let transfer):
            transfers[ObjectIdentifier(transfer.exchange)] = transfer
            begin(transfer)
        case .resume(let exchange): transfers[ObjectIdentifier(exchange)]?.resume()
        case .handOver(let exchange, let reply): reply.resume(returning: handOver(exchange))
        case .cancel(let exchange):
            guard let transfer = transfers[ObjectIdentifier(exchange)] else { return }
            end(transfer, .failure(HTTPCallFault(.cancelled, "The call to \(transfer.url.origin) was cancelled.")))
        }
    }

    func endAll(_ fault: HTTPCallFault) {
        for transfer in transfers.values { end(transfer, .failure(fault)) }
    }

    /// Calls that ended since the last time. They are reported once their places are free, so that a caller can make its next call.
    func takeEnded() -> [Ending] {
        defer { ended = [] }
        return ended
    }

    func perform() {
        var running: Int32 = 0
        unsafe _ = baton_curl_multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = unsafe baton_curl_multi_info_read(multi, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle,
                let context = unsafe baton_curl_context(easy)
            else { continue }
            let transfer = unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
            finished(transfer, unsafe baton_curl_result(message))
        }
        let now = Clock.system.nowUs.count * 1_000
        for transfer in transfers.values {
            transfer.tellOfBytes()
            if let fault = transfer.lateness(atNs: now) { end(transfer, .failure(fault)) }
        }
    }

    /// Waits until libcurl has work, an order arrives, or a deadline passes.
    func wait(idleMs: Int32) {
        let now = Clock.system.nowUs.count * 1_000
        let dueMs = transfers.values.compactMap(\.dueNs).min().map { max(0, ($0 - now + 999_999) / 1_000_000) }
        let before = transfers.isEmpty
        var ready: Int32 = 0
        let waitMs = dueMs.map { min(Int64(idleMs), $0) } ?? Int64(idleMs)
        unsafe _ = baton_curl_multi_poll(multi, nil, 0, Int32(waitMs), &ready)
        let passedNs = Clock.system.nowUs.count * 1_000 - now
        hasIdled = before && ready == 0 && passedNs >= Int64(idleMs) * 1_000_000
    }

    // MARK: -

    private func begin(_ transfer: Transfer) {
        transfer.sockets = sockets
        do throws(HTTPCallFault) {
            let easy = try unsafe transfer.open()
            guard unsafe baton_curl_multi_add_handle(multi, easy) == CURLM_OK else {
                throw HTTPCallFault(.unavailable, "The call to \(transfer.url.origin) could not be started.")
            }
        } catch {
            end(transfer, .failure(error))
        }
    }

    /// Ends the transfer for libcurl; its connection continues without it.
    private func handOver(_ exchange: Exchange) -> HandedSocket? {
        guard let transfer = transfers[ObjectIdentifier(exchange)], let socket = transfer.handOver() else { return nil }
        end(transfer, .success(()))
        return socket
    }

    private func finished(_ transfer: Transfer, _ code: CURLcode) {
        do throws(HTTPCallFault) {
            guard let redirect = try transfer.finished(code) else { return end(transfer, .success(())) }
            remove(transfer)
            transfer.follow(redirect)
            begin(transfer)
        } catch {
            end(transfer, .failure(error))
        }
    }

    private func end(_ transfer: Transfer, _ result: Result<Void, HTTPCallFault>) {
        guard transfers.removeValue(forKey: ObjectIdentifier(transfer.exchange)) != nil else { return }
        remove(transfer)
        ended.append(Ending(exchange: transfer.exchange, result: result))
    }

    private func remove(_ transfer: Transfer) {
        if let easy = unsafe transfer.easy { unsafe _ = baton_curl_multi_remove_handle(multi, easy) }
        transfer.close()
    }
}
