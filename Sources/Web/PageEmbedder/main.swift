// Writes the files of the page into one Swift source, so that the hub carries them in its binary. SwiftPM runs it during a
// build, through the plugin EmbedPage, when one of the files has changed.
//
// Usage: PageEmbedder OUTPUT FILE...
//
// The texts become `StaticString`s, which the compiler copies into the binary as they are. It would need half a minute for
// an array of bytes of this size.

import Glibc

guard CommandLine.arguments.count > 2 else { refuse("PageEmbedder: usage: PageEmbedder OUTPUT FILE...") }

var source = """
    // Made by PageEmbedder from the files in Sources/Web/WebRemote/page; edit those.
    extension WebRemote {
        static let embedded: [(name: String, text: StaticString)] = [

    """
for path in CommandLine.arguments.dropFirst(2) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    do throws(PageFile.Refusal) {
        source += try PageFile(name: name, text: contents(of: path)).element()
    } catch {
        refuse("\(path):\(error.line): error: \(error.reason).")
    }
}
write(source + "    ]\n}\n", to: CommandLine.arguments[1])
