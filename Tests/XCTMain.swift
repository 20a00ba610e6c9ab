// The program of all Swift tests. A package that brings one is built without the compiler's index, in which SwiftPM looks for tests of
// XCTest; there are none.

import Glibc
import Testing

@main enum TestProgram {
    static func main() async {
        guard CommandLine.arguments.contains("--testing-library") else {
            // `swift test` asks for tests of XCTest first, and would end well without having run anything.
            print("error: these are tests of Swift Testing. Run deploy/test, or swift test --disable-xctest --enable-swift-testing.")
            exit(EXIT_FAILURE)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
