import BatonKernel
import BatonSeams

extension CommandTable {
    /// Registers the commands of the kernel and of all features, after the rules for several commands.
    convenience init(_ kernel: Kernel, _ features: AllFeatures, for profiles: HubProfiles) {
        self.init(
            kernel.steps + [
                features.library.privacy, features.users.rules, features.making.presses, features.books.presses, features.joining.commands,
            ],
            kernel.settling, for: profiles)
        kernel.install(in: self)
        for feature in features.all { feature.install(in: self) }
    }
}
