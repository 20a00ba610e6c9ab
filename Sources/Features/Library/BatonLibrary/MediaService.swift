package import BatonCore
package import BatonKernel
package import BatonProtocol
package import BatonSeams

/// Pictures and items for dialects that serve them.
@Loop
package final class MediaService: MediaAccess {
    private let library: LibraryService
    private let sources: Sources
    private let passes: MediaPasses
    private let clock: HubClock
    private let encoding: any ItemEncoding

    package init(library: LibraryService, sources: Sources, passes: MediaPasses, clock: HubClock, encoding: any ItemEncoding) {
        self.encoding = encoding
        self.library = library
        self.sources = sources
        self.passes = passes
        self.clock = clock
    }

    package var blockingPool: any TaskExecutor { sources.blockingPool }
    package var quietPool: any TaskExecutor { sources.quietPool }

    package func picture(
        _ id: String, width: Int?, height: Int?, format: Picture.Format?, mostBytes: Int?
    ) async throws(SourceFault) -> Picture {
        try await library.picture(id, width: width, height: height, format: format, mostBytes: mostBytes)
    }

    package func playable(of uri: ItemURI, trust: Trust) async throws(SourceFault) -> Playable {
        try await sources.playable(of: uri, trust: trust)
    }

    package func opening(withPass token: String, from device: DeviceID?) async throws(SourceFault) -> MediaOpening? {
        guard let item = passes.item(for: token, from: device, at: clock.now) else { return nil }
        let isGood = passes.watch(item)
        let playable = try await sources.playable(of: item.uri, trust: item.trust)
        guard let coding = item.coding else { return MediaOpening(playable: playable, isGood: isGood) }
        let encoded = await encoding.encoded(playable, of: item.uri, as: coding)
        // Another request with this pass may have got the original meanwhile.
        guard let encoded, passes.item(for: token, from: device, at: clock.now)?.coding != nil else {
            passes.giveOriginal(for: token)
            return MediaOpening(playable: playable, isGood: isGood)
        }
        return MediaOpening(playable: encoded, isGood: isGood)
    }
}
