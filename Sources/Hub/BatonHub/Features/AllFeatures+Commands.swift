import BatonCore
import BatonSeams

extension CommandTable {
    /// The commands of the kernel and of all features.
    convenience init(_ kernel: Kernel, _ features: AllFeatures) {
        self.init(
            [
                SentOutRule(kernel.people), kernel.guests, features.library.privacy, features.users.rules,
                EndlessPresses(features.making.endless), PlacePresses(features.books.places), features.joining.commands,
            ],
            kernel.settling)
        DeviceRegistry.install(kernel.deviceRegistry, in: self, kernel.ledger)
        HubCommands(information: kernel.information, hold: kernel.hold, ledger: kernel.ledger).install(in: self)
        for feature in features.all { feature.install(in: self) }
        installShared(kernel, features)
    }

    /// The commands that ask parts of several features, of which some are made later than others.
    private func installShared(_ kernel: Kernel, _ features: AllFeatures) {
        let (library, playback, books, radio) = (features.library, features.playing.playback, features.books, features.radio)
        QueueCommands(keeping: features.copies.commands, ledger: kernel.ledger).install(in: self)
        SavedQueueCommands(kernel.sources, playback, features.servers.savedQueues, kernel.ledger, kernel.clock).install(in: self)
        LibraryCommands(
            kernel.sources, library.library, radio.radio, books.places, kernel.media, kernel.rooms, kernel.changes, kernel.clock
        ).install(in: self)
        RadioCommands(radio.radio, radio.pasts, playback, kernel.ledger).install(in: self)
        PrivateRoomCommands(
            features.listening.privateRooms, kernel.changes, library.items, books.places, queueLength: kernel.limits.queueLength
        ).install(in: self)
    }
}
