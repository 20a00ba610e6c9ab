// A trait for tests on the loop. A build without tests has no test library, and leaves it out.
#if canImport(Testing)
    import EventLoop
    package import Testing

    /// Has the loop running before a test begins: one that is isolated to it would otherwise wait for
    /// the loop that it is about to start.
    package struct LoopTrait: TestTrait, SuiteTrait, TestScoping {
        package var isRecursive: Bool { true }

        package func provideScope(for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void) async throws {
            _ = try await EventLoop.background()
            try await body()
        }
    }

    extension Trait where Self == LoopTrait {
        package static var loop: Self { LoopTrait() }
    }
#endif
