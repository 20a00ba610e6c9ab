/// Checks of sources.
import BatonCore
package import BatonSeams

extension Sources {
    /// Checks a source that is down, without waiting for its next scheduled check.
    func checkIfDown(_ uri: ItemURI) {
        let source = name(of: uri)
        guard health.problem(of: source) != nil, let connector = connectors.first(where: { $0.source == source }) else { return }
        check(connector)
    }

    /// Checks a source after a failed question. The question may have failed for another reason, so only the check decides.
    package func checkAfterFailure(_ connector: any Connector) {
        // It may have been replaced or removed meanwhile.
        guard health.problem(of: connector.source) == nil, let current = connectors.first(where: { $0.source == connector.source })
        else { return }
        check(current)
    }

    /// Checks a source now, and waits for the result.
    package func checkNow(_ source: String) async {
        guard let connector = connectors.first(where: { $0.source == source }) else { return }
        check(connector)
        await health.untilChecked(source)
    }

    /// Begins a check of the source unless one is running, and does not wait for it.
    package func check(_ connector: any Connector) {
        let probe = SourceHealth.Probe { [weak self] in
            guard let self else { return nil }
            let sentences = SourceLane.Sentences(connector: connector)
            return lane(of: connector.source).check(within: Limit.check, sentences) { () async throws(SourceFault) in
                try await connector.check()
            }
        } release: { [weak self] fault in
            self?.lane(of: connector.source).release(fault)
        }
        health.check(connector, by: probe)
    }
}
