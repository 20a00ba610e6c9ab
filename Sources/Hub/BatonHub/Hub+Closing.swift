import BatonKernel
import BatonSeams

/// How the hub ends: its parts stop in one order, and each of them once.
extension Hub {
    /// First, in one turn of the loop, what begins something by itself; so nothing new comes, and connections end. Then the features stop in the
    /// reverse order of their installation, with the players between those that play and those that keep what the others still tell.
    var closing: [Closing] {
        let ofFeatures = features.all.reversed().flatMap(\.closing)
        return kernel.firstClosing + ofFeatures.filter(\.isAtOnce) + kernel.lastClosing.filter(\.isAtOnce)
            + ofFeatures.filter(\.isWaiting) + kernel.lastClosing.filter(\.isWaiting) + ofFeatures.filter(\.isAfterPlayers)
    }

    /// Tells all clients, keeps everything, lets the players go.
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
