/// When a source is asked whether it can be used.
import BatonCore
package import BatonSeams

extension Sources {
    /// Asks a source that is down whether it can be used again, without waiting for its next turn.
    func checkIfDown(_ uri: ItemURI) {
        let source = name(of: uri)
        guard health.problem(of: source) != nil, let connector = connectors.first(where: { $0.source == source }) else { return }
        check(connector)
    }

    /// One question may fail for a reason of its own; a source is down when its own check says so.
    package func suspect(_ connector: any Connector) {
        // It may have been replaced or removed since it was asked.
        guard health.problem(of: connector.source) == nil, let current = connectors.first(where: { $0.source == connector.source })
        else { return }
        check(current)
    }

    /// Asks a source now whether it can be used, and waits for that.
    package func checkNow(_ source: String) async {
        guard let connector = connectors.first(where: { $0.source == source }) else { return }
        check(connector)
        await health.untilChecked(source)
    }

    package func check(_ connector: any Connector) {
        let probe = SourceHealth.Probe { [weak self] in
            guard let self else { return nil }
            return lane(of: connector.source).check(within: Limit.check, sentences(of: connector)) { () async throws(SourceFault) in
                try await connector.check()
            }
        } release: { [weak self] fault in
            self?.lane(of: connector.source).release(fault)
        }
        health.check(connector, by: probe)
    }
}
