import BatonSeams
import CLinux
import Glibc

/// Signals as ordinary events of the loop: no code of ours runs inside a signal handler.
enum Signals {
    static func block(_ numbers: [Int32]) {
        guard !numbers.isEmpty else { return }
        var mask = set(of: numbers)
        unsafe pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    /// Writing to a connection that the peer has closed must not end the process.
    static func ignorePipe() {
        _ = signal(SIGPIPE, SIG_IGN)
    }

    static func set(of numbers: [Int32]) -> sigset_t {
        var mask = sigset_t()
        unsafe sigemptyset(&mask)
        for number in numbers { unsafe sigaddset(&mask, number) }
        return mask
    }
}

extension EventLoop {
    /// The given signals from now on, in order; the newest eight wait for a slow reader. They are blocked in the loop's thread; a
    /// process with other threads blocks them everywhere by passing them to `run`. Ends with the loop.
    package func signals(_ numbers: [Int32]) -> AsyncStream<Int32> {
        Signals.block(numbers)
        var mask = Signals.set(of: numbers)
        let descriptor = unsafe signalfd(-1, &mask, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        let (stream, sink) = AsyncStream<Int32>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let watch = watch(descriptor, mask: EPOLLIN.rawValue) { _ in
            var info = signalfd_siginfo()
            while unsafe read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 { sink.yield(Int32(info.ssi_signo)) }
        }
        // The loop stores the watch under a number, since a termination may come on any thread.
        signalWatches[descriptor] = watch
        sink.onTermination = { _ in
            self.post {
                self.signalWatches.removeValue(forKey: descriptor)?.cancel()
                close(descriptor)
            }
        }
        return stream
    }
}
