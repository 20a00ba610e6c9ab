/// Noise for every place where text of a remote comes near libmpv, ALSA, FFmpeg or a file name, in whatever form it arrives:
/// outputs, addresses and paths, headers, the records of hubs on the network, the names of pictures. What comes out must be
/// of the few forms that are harmless there. The places are listed in Sources/Decisions/0001-strings-of-remotes.md.
///
/// Built by `run` beside this file, together with the sources that no other module can see:
/// with: Sources/Features/Library/BatonLibrary/Local/FileKind.swift Sources/Features/Library/BatonLibrary/Local/FileURI.swift
/// with: Sources/Features/Library/BatonLibrary/Local/Folder.swift Sources/Features/Library/BatonLibrary/Local/LibraryBounds.swift Sources/Features/Library/BatonLibrary/Local/LocalLibrary.swift Sources/Features/Library/BatonLibrary/Local/Playlist.swift
/// with: Sources/Features/Library/BatonLibrary/WebAddresses/WebAddresses.swift Sources/Platform/Player/MPVNode.swift Sources/Platform/Player/Playable+Opening.swift
/// with: Sources/Platform/Player/AudioChoice.swift Sources/Platform/Player/PlayerOption.swift Sources/Platform/Player/Handover/Joint.swift Sources/Platform/Player/Handover/PartedTimeline.swift
/// with: Sources/Platform/Discovery/HubAddress.swift Sources/Platform/Discovery/HubRecord.swift Sources/Platform/Discovery/HubRecord+TXT.swift
import BatonCore
import BatonProtocol
import BatonSeams
import Harness
import Media

@_cdecl("LLVMFuzzerInitialize")
public func prepare(_ count: UnsafeMutablePointer<CInt>, _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>)
    -> CInt
{
    // This thread is the loop and never sleeps, so it need not be woken.
    Loop.jobs.adopt {}
    return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    // The first byte chooses what reads, so that one corpus serves all.
    guard count > 1 else { return 0 }
    let bytes = [UInt8](UnsafeBufferPointer(start: start + 1, count: count - 1))
    switch start[0] % 6 {
    case 0: inLoop { await outputs(bytes) }
    case 1: inLoop { await places(String(decoding: bytes, as: UTF8.self)) }
    case 2: headers(bytes)
    case 3: record(bytes)
    case 4: picture(String(decoding: bytes, as: UTF8.self))
    default: folder(String(decoding: bytes, as: UTF8.self))
    }
    return 0
}

/// Runs on the loop, which is turned until the body is through.
private func inLoop(_ body: @escaping @Loop () async -> Void) {
    let isOver = Flag()
    let task = Task(executorPreference: Loop.jobs) {
        await body()
        await isOver.raise()
    }
    while !isOver.isRaised { Loop.jobs.turn() }
    withExtendedLifetime(task) {}
}

/// Raised and seen on the one thread that is the loop.
private final class Flag: @unchecked Sendable {
    private(set) var isRaised = false
    @Loop func raise() { isRaised = true }
}

private let harmless: Set<String> = ["null", "auto", "alsa/hw:CARD=PCH,DEV=0", "pulse/kitchen"]

/// A name a line, for a new room, for one that is there, and in what an earlier hub has kept.
@Loop
private func outputs(_ bytes: [UInt8]) async {
    let names = bytes.split(separator: 10).prefix(6).map { String(decoding: $0, as: UTF8.self) }
    do {
        let sim = try SimulatedHub(allowedOutputs: names + ["alsa/hw:CARD=PCH,DEV=0"])
        let earlier = try sim.remote(id: "earlier-1")
        for (number, name) in names.enumerated() {
            earlier.send(Commands.RoomCreate("Old \(number)", output: name), key: "old-\(number)")
        }
        sim.allowedOutputs = ["alsa/hw:CARD=PCH,DEV=0"]
        sim.devices = [AudioDevice(name: "pulse/kitchen", label: "Kitchen")]
        try sim.restart()
        let owner = try sim.remote()
        for (number, name) in names.enumerated() {
            _ = await owner.awaitReply(owner.send(Commands.RoomSet(output: .set(name))))
            _ = await owner.awaitReply(
                owner.send(Commands.RoomCreate("New \(number)", output: name), key: "new-\(number)"))
            precondition(harmless.isSuperset(of: sim.outputs.values), "A player was given an output that is not allowed.")
        }
        sim.kill()
    } catch {
        fatalError("\(error)")
    }
}

/// What can be played of an item that was named, and of a playlist's line.
private func places(_ text: String) async {
    if let path = try? FileURI.path(of: ItemURI(text)) {
        precondition(path.hasPrefix("/") && !path.utf8.contains(0), "A path is none, or ends before its end.")
        // Several slashes in front are one for the system.
        let again = (try? FileURI.path(of: FileURI.item(path)))?.utf8.drop { $0 == 47 }
        precondition(again.map(Array.init) == Array(path.utf8.drop { $0 == 47 }), "A path changed when it was written as an item.")
        precondition(Playable(.file(path)).refusal == nil)
    }
    await judge(text)
    switch Playlist.target(text, in: "/music") {
    case .path(let path): precondition(path.hasPrefix("/") && Playable(.file(path)).kind == .file)
    case .url(let address): await judge(address)
    case nil: break
    }
}

/// Only two schemes, and nothing that ends a line of a request.
private func judge(_ named: String) async {
    guard
        let address = (try? await WebAddresses(http: NoNetwork(), radio: NoRadio()).expand(ItemURI(named), trust: .anyPath))?.first?.uri
            .text
    else {
        return
    }
    precondition(address.hasPrefix("http://") || address.hasPrefix("https://"), "Another protocol came through.")
    precondition(address.utf8.allSatisfy { $0 > 32 && $0 != 127 }, "A request could be split.")
    precondition(Playable(.url(address)).refusal == nil)
}

private struct NoRadio: StationHearing {
    func play(_ url: String, title: String, _ policy: AddressPolicy) async throws(SourceFault) -> Playable { throw .cancelled }
    func past(of url: String) async -> (any StationPast)? { nil }
}

private struct NoNetwork: HTTPCalling {
    func call(_ call: HTTPCall) async throws(HTTPCallFault) -> HTTPAnswer { throw HTTPCallFault(.unreachable, "") }
    func open(_ call: HTTPCall) async throws(SourceFault) -> any ByteSource { throw SourceFault(.unavailable, "") }
}

/// A name and a value in turns, one between zeros each, for an address that wants headers.
private func headers(_ bytes: [UInt8]) {
    let words = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    var playable = Playable(.url("http://h/x"))
    for at in stride(from: 0, to: words.count - 1, by: 2) { playable.headers[words[at]] = words[at + 1] }
    for option in playable.options(startUs: 0) {
        guard option.key != "demuxer-lavf-o" else { continue }
        precondition(option.key == "http-header-fields-append", "A header set another option: \(option.key)")
        precondition(option.value.text?.utf8.allSatisfy { $0 != 10 && $0 != 13 && $0 != 0 } == true, "A header became two.")
    }
}

/// The records that a host on the network announces for a hub, strings separated by zeros; the first is its name.
private func record(_ bytes: [UInt8]) {
    let strings = bytes.split(separator: 0, omittingEmptySubsequences: false).map(Array.init)
    let found = HubRecord(name: String(decoding: strings[0], as: UTF8.self), port: 9443, txt: Array(strings.dropFirst()))
    precondition(found.path.hasPrefix("/"), "A path of the network's choice is none.")
    for word in [found.path, found.id ?? "x", found.fingerprint ?? "x"] {
        precondition(word.utf8.allSatisfy { (0x21...0x7e).contains($0) }, "Something that is not printable came through.")
    }
    let isCode = { (code: String) in (2...6).contains(code.utf8.count) && code.utf8.allSatisfy { (0x30...0x7A).contains($0) } }
    precondition(found.features.allSatisfy(isCode), "Something that is no code of a profile came through.")
    precondition(!found.serviceName.isEmpty && found.serviceName.utf8.count <= 63, "DNS-SD cannot carry this name.")
}

/// The name of a picture becomes a part of a file's name.
private func picture(_ id: String) {
    let isPlain = (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { "0123456789abcdefghijklmnopqrstuvwxyz".utf8.contains($0) }
    let made = try? PictureCache(folder: "/nonexistent", reader: OnePicture()).picture(id, width: 1, from: .bytes([]))
    precondition(made != nil || !isPlain, "A good name was not taken.")
    let isSafe = id.utf8.count <= 64 && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/.".utf8.contains($0) }
    precondition(made == nil || isSafe, "A name that leads elsewhere was taken.")
}

/// A real path of a folder that an admin elsewhere would like to add.
private func folder(_ path: String) {
    let bounds = LibraryBounds(roots: ["/nonexistent"], data: ["/nonexistent/data"])
    let isAnywhere = (try? bounds.check(path, as: path, .anyPath)) != nil
    guard (try? bounds.check(path, as: path, .musicFolders)) != nil else { return }
    precondition(isAnywhere, "More may be added from elsewhere than here.")
    precondition(path.utf8.starts(with: "/nonexistent/".utf8), "A folder outside of the roots was taken.")
    precondition(path != "/nonexistent/data" && !path.utf8.starts(with: "/nonexistent/data/".utf8), "The hub's data was taken.")
}

/// Gives the same picture whatever is asked.
private struct OnePicture: MediaReading {
    func read(_ paths: [String]) -> [Result<MediaFacts, SourceFault>] { [] }
    func picture(_ source: PictureSource) throws(SourceFault) -> Picture {
        Picture(id: "a", format: .jpeg, width: 1, height: 1, bytes: [0])
    }
    func scaled(
        _ source: PictureSource, width: Int?, height: Int?, format: Picture.Format, mostBytes: Int?
    ) throws(SourceFault) -> Picture { try picture(source) }
    func colours(of source: PictureSource) throws(SourceFault) -> [Int] { [] }
}
