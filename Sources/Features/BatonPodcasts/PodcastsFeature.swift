import BatonCore
import BatonSeams

/// Podcasts: their feeds, and copies of their newest episodes.
@Loop
final class PodcastsFeature: Feature {
    let name = FeatureName.podcasts
    let podcasts: PodcastService
    let commands: PodcastCommands

    init(_ kernel: Kernel, wishes: any WishKeeping) {
        podcasts = PodcastService(kernel.sources, wishes, kernel.clock, kernel.log)
        commands = PodcastCommands(podcasts, kernel.ledger)
    }

    func install(in commands: CommandTable) { self.commands.install(in: commands) }

    var closing: [Closing] { [Closing("podcasts", .waiting { await self.podcasts.close() })] }
}
