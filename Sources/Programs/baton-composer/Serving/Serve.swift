import BatonSeams
import Disk
import EventLoop
import Glibc
import MusicWorkers
import Processes
import SocketServer

/// `baton-composer serve`: the composer as a worker over HTTP, for programs on this machine. With `--program` it
/// serves another program instead, as the unit baton-worker@.service does.
enum Serve {
    private struct Settings {
        var port: UInt16 = 8000
        var folder: String?
        /// Another program and its arguments; the composer itself, if empty.
        var program: [String] = []
    }

    private struct Fault: Error { var sentence: String }

    /// Runs the service and returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        do {
            let settings = try read(words)
            let folder = try place(settings.folder)
            // Environment variables may change only while there is a single thread.
            let given = InheritedSocket.take(process: getpid()).first?.descriptor
            let log = Log(threshold: .warning) { complain("\($0.name): \($1)") }
            return try EventLoop.run(log: log, blocking: [SIGTERM, SIGINT]) { loop in
                await serve(settings, given: given, folder: folder, on: loop)
            }
        } catch let fault as Fault {
            complain(fault.sentence)
        } catch {
            complain("\(error)")
        }
        return 1
    }

    private static func read(_ words: [String]) throws(Fault) -> Settings {
        var settings = Settings()
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--program" {
                guard let path = rest.first, path.hasPrefix("/") else {
                    throw Fault(sentence: "--program takes the whole path of a program, and all that follows are its arguments.")
                }
                settings.program = Array(rest)
                return settings
            }
            switch (word, rest.popFirst()) {
            case ("--port", let value?):
                guard let port = UInt16(value) else { throw Fault(sentence: "--port is \"\(value)\". Expected a number up to 65535.") }
                settings.port = port
            case ("--folder", let value?): settings.folder = value
            default: throw Fault(sentence: "serve takes --port PORT, --folder FOLDER and --program PATH. There is no \(word).")
            }
        }
        return settings
    }

    /// The folder for pieces; a new one in /tmp if none is named.
    private static func place(_ named: String?) throws(Fault) -> String {
        if let named {
            guard unsafe mkdir(named, 0o700) == 0 || errno == EEXIST, let whole = unsafe realpath(named, nil) else {
                throw Fault(sentence: "\(named) cannot be used: \(unsafe String(cString: strerror(errno))).")
            }
            defer { unsafe free(whole) }
            return unsafe String(cString: whole)
        }
        var template = Array("/tmp/baton-composer-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Fault(sentence: "There is no room below /tmp.") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Loop
    private static func serve(_ settings: Settings, given: Int32?, folder: String, on loop: EventLoop) async -> Int32 {
        let stop = loop.signals([SIGTERM, SIGINT])
        let service = ComposerService(
            folder: folder, worker(settings.program), program: settings.program.first, loop.blockingPool)
        let routes = ServiceRoutes(service: service, files: Disk(), pool: loop.blockingPool).routes
        let server = Server(loop, reception: LoopbackReception(routes))
        do {
            let port =
                if let given { server.listen(on: given, as: .plain) } else {
                    try server.listen(tcp: "127.0.0.1", port: settings.port)
                }
            print("baton-composer serves http://127.0.0.1:\(port), with its pieces in \(folder)")
            fflush(nil)
        } catch {
            complain("\(error)")
            return 1
        }
        for await _ in stop { break }
        await server.close()
        await service.close()
        return 0
    }

    /// The worker. The composer drops its own privileges; another program has those of its unit.
    private static func worker(_ program: [String]) -> ProgramWorker {
        guard let path = program.first else {
            return ProgramWorker("composer", "/proc/self/exe", kind: .builtIn, isConfined: false, programs: Programs(), files: Disk())
        }
        return ProgramWorker("program", path, Array(program.dropFirst()), isConfined: false, programs: Programs(), files: Disk())
    }

    private static func complain(_ sentence: String) {
        let bytes = Array("baton-composer: \(sentence)\n".utf8)
        _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
    }
}
