import BatonCore
package import BatonKernel
package import BatonSeams

/// Radio stations: presets, recordings, and the recorded past of a station.
@Loop
package final class RadioFeature: Feature {
    package let name = FeatureName.radio
    package let radio: RadioService
    let pasts: StationPastService
    private let commands: RadioCommands

    package init(_ kernel: Kernel, playback: PlaybackCommands) {
        radio = RadioService(sources: kernel.sources, publisher: kernel.publisher, clock: kernel.clock, log: kernel.log)
        pasts = StationPastService(radio, kernel.clock)
        commands = RadioCommands(radio: radio, pasts: pasts, playback: playback, ledger: kernel.ledger)
        kernel.ports.stations = pasts
    }

    package var profiles: Set<HubProfile> { [.radio] }

    package func install(in commands: CommandTable) { self.commands.install(in: commands) }

    package func open(_ recordings: RecordingParts) {
        radio.recordings.open(recordings)
        radio.saving.open(recordings)
    }

    package var closing: [Closing] {
        [
            Closing("radio", .waiting { await self.radio.close() }),
            Closing("radio.recordings", .waiting { await self.radio.recordings.close() }),
            Closing("radio.saving", .waiting { await self.radio.saving.close() }),
        ]
    }
}

extension FeatureName {
    package static let radio = FeatureName("radio")
}
