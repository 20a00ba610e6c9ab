import BatonCore
package import BatonKernel
package import BatonSeams

/// Podcasts: their feeds, and copies of their newest episodes.
@Loop
package final class PodcastsFeature: Feature {
    package let name = FeatureName.podcasts
    package let podcasts: PodcastService
    let commands: PodcastCommands

    package init(_ kernel: Kernel, wishes: any WishKeeping) {
        podcasts = PodcastService(sources: kernel.sources, wishes: wishes, clock: kernel.clock, log: kernel.log)
        commands = PodcastCommands(podcasts: podcasts, ledger: kernel.ledger)
    }

    package var profiles: Set<HubProfile> { [.podcasts] }

    package func install(in commands: CommandTable) { self.commands.install(in: commands) }

    package var closing: [Closing] { [Closing("podcasts", .waiting { await self.podcasts.close() })] }
}

extension FeatureName {
    package static let podcasts = FeatureName("podcasts")
}
