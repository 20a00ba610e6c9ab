import BatonCore
import BatonSeams

/// Radio stations: presets, recordings, and titles of the past of a station.
@Loop
final class RadioFeature: Feature {
    let name = FeatureName.radio
    let radio: RadioService
    let pasts: StationPasts

    init(_ kernel: Kernel, library: LibraryFeature) {
        radio = RadioService(kernel.sources, library.library, kernel.publisher, kernel.clock, kernel.log)
        pasts = StationPasts(radio: radio, clock: kernel.clock)
    }

    func open(_ recordings: RecordingParts) {
        radio.recordings.open(recordings)
        radio.saving.open(recordings)
    }

    var closing: [Closing] {
        [
            Closing("radio.recordings", .waiting { await self.radio.recordings.close() }),
            Closing("radio.saving", .waiting { await self.radio.saving.close() }),
        ]
    }
}
