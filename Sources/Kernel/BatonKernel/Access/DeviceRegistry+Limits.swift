package import BatonProtocol
import BatonSeams

/// The limits on wrong keys.
extension DeviceRegistry {
    /// True while a connection from this address is worth a TLS handshake.
    package func receives(_ address: String) -> Bool { limiter.receives(address, atUs: reactor.nowUs) }

    /// Throws while this device or address has to wait. Checked before anything is computed for the key.
    package func mayTry(_ id: DeviceID?, from address: String) throws(ProtocolFault) {
        guard let refill = limiter.wait(address, known(id), atUs: reactor.nowUs) else { return }
        var fault = ProtocolFault(.rateLimited, "Too many wrong keys came. Wait a moment.")
        fault.retryAfterMs = refill.afterMs
        throw fault
    }

    /// Counts a wrong key. `shown` is the key itself where the same one may be sent again, as by a browser with an old
    /// cookie.
    package func failed(_ id: DeviceID?, from address: String, showing shown: String?) {
        let nowUs = reactor.nowUs
        let couldTry = limiter.wait(address, known(id), atUs: nowUs) == nil
        limiter.fail(address, known(id), shown: shown?.hashValue, atUs: nowUs)
        guard couldTry, limiter.wait(address, known(id), atUs: nowUs) != nil else { return }
        log(.notice, "Too many wrong keys come from \(address); further ones are refused for some seconds.")
    }

    private func known(_ id: DeviceID?) -> DeviceID? { id.flatMap { table[$0]?.id } }
}
