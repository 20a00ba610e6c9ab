import BatonKernel
import BatonSeams

/// Closing the hub: its parts close in one order, each of them once.
extension Hub {
    /// The parts in closing order. Parts that start work by themselves close first, in one turn of the loop, so that nothing
    /// new begins, and connections end. Then the features close in reverse order of installation. The players close after the
    /// parts that play, and before the parts that store what others still report.
    var closing: [Closing] {
        let ofFeatures = features.all.reversed().flatMap(\.closing)
        return kernel.firstClosing + ofFeatures.filter(\.isAtOnce) + kernel.lastClosing.filter(\.isAtOnce)
            + ofFeatures.filter(\.isWaiting) + kernel.lastClosing.filter(\.isWaiting) + ofFeatures.filter(\.isAfterPlayers)
    }

    /// Tells all clients, writes everything, and closes the players.
    package func close() async { await close(closing) }

    func close(_ parts: [Closing]) async {
        for part in parts {
            switch part.way {
            case .atOnce(let close): close()
            case .waiting(let close), .afterPlayers(let close): await close()
            }
        }
    }
}
