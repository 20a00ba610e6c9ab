import BatonClient
import BatonCore
import BatonSeams

/// Estimates the hub's clock: series of eight exchanges, of which the best counts, at first in quick succession and
/// then every ten seconds.
enum HubTime {
    private static let exchanges = 8
    private static let pauses: [Duration] = [.milliseconds(300), .seconds(1), .seconds(3)]
    private static let pause = Duration.seconds(10)

    /// Runs while the connection lasts.
    static func follow(_ connection: HubConnection, nowUs: @Sendable () -> Microseconds, _ take: @Loop @Sendable (Exchange) -> Void)
        async throws
    {
        for series in 0... {
            for _ in 0..<exchanges { _ = try await connection.exchangeClocks() }
            if let best = await connection.clock.best(atUs: nowUs()) {
                await take(
                    Exchange(
                        offsetUs: Double(best.offsetUs), errorUs: Double(best.roundTripUs) / 2, atUs: best.atUs,
                        boot: connection.welcome.boot))
            }
            try await Task.sleep(for: series < pauses.count ? pauses[series] : pause)
        }
    }

    struct Exchange: Sendable {
        var offsetUs: Double
        var errorUs: Double
        var atUs: Microseconds
        /// The boot id. Another one means that the hub's clock has restarted.
        var boot: String
    }
}
