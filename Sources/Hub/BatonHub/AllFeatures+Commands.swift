import BatonCore
import BatonSeams

extension CommandTable {
    /// The commands of the kernel and of all features.
    convenience init(_ kernel: Kernel, _ features: AllFeatures) {
        self.init(
            [
                SentOutRule(people: kernel.people), kernel.guests, features.library.privacy, features.users.rules,
                EndlessPresses(endless: features.making.endless), PlacePresses(places: features.books.places), features.joining.commands,
            ],
            kernel.settling)
        DeviceRegistry.install(kernel.deviceRegistry, in: self, kernel.ledger)
        QueueCommands(ports: kernel.ports, ledger: kernel.ledger).install(in: self)
        HubCommands(information: kernel.information, hold: kernel.hold, ledger: kernel.ledger).install(in: self)
        for feature in features.all { feature.install(in: self) }
    }
}
