import BatonCore
import BatonProtocol
import BatonSeams

/// Pictures and items for dialects that hand them out themselves.
@Loop
final class MediaService: MediaAccess {
    private let library: LibraryService
    private let sources: Sources
    private let passes: MediaPasses
    private let clock: HubClock

    init(_ library: LibraryService, _ sources: Sources, _ passes: MediaPasses, _ clock: HubClock) {
        self.library = library
        self.sources = sources
        self.passes = passes
        self.clock = clock
    }

    var blockingPool: any TaskExecutor { sources.blockingPool }

    func picture(
        _ id: String, _ width: Int?, _ height: Int?, _ format: Picture.Format?, mostBytes: Int?
    ) async throws(SourceFault) -> Picture {
        try await library.picture(id, width, height, format, mostBytes: mostBytes)
    }

    func opening(withPass token: String, from device: DeviceID?) async throws(SourceFault) -> MediaOpening? {
        guard let item = passes.item(for: token, from: device, at: clock.now) else { return nil }
        let isGood = passes.watch(item)
        return MediaOpening(playable: try await sources.playable(of: item.uri, trust: item.trust), isGood: isGood)
    }
}
