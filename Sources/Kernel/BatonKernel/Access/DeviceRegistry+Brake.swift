package import BatonProtocol
import BatonSeams

/// What wrong keys bring upon those who show them.
extension DeviceRegistry {
    /// Whether a connection from there is worth the handshake of TLS.
    package func receives(_ address: String) -> Bool { brake.receives(address, atUs: reactor.nowUs) }

    /// Wrong keys are slowed down before anything is computed for them.
    package func mayTry(_ id: DeviceID?, from address: String) throws(ProtocolFault) {
        guard let refill = brake.wait(address, known(id), atUs: reactor.nowUs) else { return }
        var fault = ProtocolFault(.rateLimited, "Too many wrong keys came. Wait a moment.")
        fault.retryAfterMs = refill.afterMs
        throw fault
    }

    /// A key was wrong. `shown` is the key itself, where the same one may come again and again.
    package func failed(_ id: DeviceID?, from address: String, showing shown: String?) {
        let nowUs = reactor.nowUs
        let couldTry = brake.wait(address, known(id), atUs: nowUs) == nil
        brake.fail(address, known(id), shown: shown?.hashValue, atUs: nowUs)
        guard couldTry, brake.wait(address, known(id), atUs: nowUs) != nil else { return }
        log(.notice, "Too many wrong keys come from \(address); further ones are refused for some seconds.")
    }

    private func known(_ id: DeviceID?) -> DeviceID? { id.flatMap { table[$0]?.id } }
}
