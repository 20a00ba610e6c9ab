// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as yours would be. Elsewhere, name this project's address in place of the path.
let package = Package(
    name: "swift-remote",
    dependencies: [.package(name: "baton", path: "../..")],
    targets: [
        .executableTarget(
            name: "swift-remote",
            dependencies: [.product(name: "BatonClient", package: "baton"), .product(name: "BatonSockets", package: "baton")],
            path: "Sources"),
        .executableTarget(name: "own-transport", dependencies: [.product(name: "BatonClient", package: "baton")], path: "OwnTransport"),
    ],
    swiftLanguageModes: [.v6]
)
