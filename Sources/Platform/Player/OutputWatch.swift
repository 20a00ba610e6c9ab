import BatonCore
import BatonSeams

/// Tells the room whether its sound has an output, and restores a lost one.
///
/// If no device can be opened, libmpv continues without output, at normal speed. Then the device is tried again: at once when the list of
/// devices changes, and periodically, because the list comes from a sound server that may itself have disappeared.
@Loop
final class OutputWatch {
    private unowned let player: MPVPlayer
    private var isTroubled = false
    private var devices: [AudioDevice]?
    private var listing: (any Alarm)?
    private var attempts = 0
    private var alarm: (any Alarm)?

    /// Delay of the first list of devices. It takes libmpv a while, which must not delay the first sound, nor come right after it, when
    /// little is buffered.
    private static let listingDelay = Duration.seconds(1)
    private static let delays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]

    /// `player` owns the watch and outlives it.
    init(player: MPVPlayer) { self.player = player }

    /// Requests the devices of a new libmpv after a delay.
    func begin() {
        listing = player.reactor.after(Self.listingDelay) { [weak self] in
            self?.player.order { $0.observe("audio-device-list") }
        }
    }

    /// Called when libmpv goes.
    func stop() {
        listing?.cancel()
        alarm?.cancel()
        alarm = nil
    }

    func driverChanged(_ driver: String?) {
        // No output is open between two files, which is not worth a report.
        guard let driver, let trouble = player.audio.trouble else { return }
        let isSilent = driver == "null"
        guard isSilent != isTroubled else { return }
        isTroubled = isSilent
        attempts = 0
        player.tell(.outputTrouble(isSilent ? trouble : nil))
        tryLater()
    }

    func devicesChanged(_ list: [AudioDevice]) {
        guard list != devices else { return }
        devices = list
        player.tell(.devices(list))
        if isTroubled { tryNow() }
    }

    /// Tries only while something would be heard.
    func tryLater() {
        guard isTroubled, alarm == nil, player.deck.live?.hasBegun == true, !player.isPaused else { return }
        let delay = Self.delays[min(attempts, Self.delays.count - 1)]
        attempts += 1
        alarm = player.reactor.after(delay) { [weak self] in
            self?.alarm = nil
            self?.tryNow()
        }
    }

    private func tryNow() {
        guard isTroubled, player.deck.live?.hasBegun == true, !player.isPaused else { return }
        player.order { [weak self] core in
            core.command([.text("ao-reload")]) { _, _ in self?.tryLater() }
        }
    }
}
