import BatonCore
import BatonSeams

/// Keeps the room told whether its sound can be heard, and brings it back.
///
/// When no device can be opened libmpv plays on into nothing, in time. Then the device is tried
/// again: at once when the list of devices changes, and by and by, because the list comes from a
/// sound server that may itself have been the thing that went away.
@Loop
final class OutputWatch {
    private unowned let player: MPVPlayer
    private var isTroubled = false
    private var devices: [AudioDevice]?
    private var listing: (any Alarm)?
    private var attempts = 0
    private var alarm: (any Alarm)?

    /// Listing the devices takes libmpv a while, which belongs neither before the first sound nor
    /// right behind it, where little is buffered yet.
    private static let listingDelay = Duration.seconds(1)
    private static let delays: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(8)]

    /// `player` owns the watch and outlives it.
    init(player: MPVPlayer) { self.player = player }

    /// libmpv is there, and its devices are wanted once there is time.
    func begin() {
        listing = player.reactor.after(Self.listingDelay) { [weak self] in
            self?.player.order { $0.observe("audio-device-list") }
        }
    }

    /// libmpv goes; the next one is listened to anew.
    func stop() {
        listing?.cancel()
        alarm?.cancel()
        alarm = nil
    }

    func driverChanged(_ driver: String?) {
        // Between two files no output is open, which is no news.
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

    /// Nothing is tried while nothing would be heard.
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
