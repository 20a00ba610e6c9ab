// Writes the files of the page into one Swift source, so that the hub carries them in its binary. SwiftPM runs it during a
// build, through the plugin EmbedPage, when one of the files has changed.
//
// Usage: PageEmbedder OUTPUT FILE...
//
// Each becomes `StaticString`s, which the compiler copies into the binary as they are: a text and its compressed form, or a
// picture. It would need half a minute for an array of bytes of this size.

import Glibc

guard CommandLine.arguments.count > 2 else { refuse("PageEmbedder: usage: PageEmbedder OUTPUT FILE...") }
if let clash = Page.clash(among: Array(CommandLine.arguments.dropFirst(2))) { refuse(clash) }

var texts: [(name: String, text: String)] = []
var pictures: [(name: String, bytes: [UInt8])] = []
for path in CommandLine.arguments.dropFirst(2) {
    let name = Page.name(of: path)
    guard !name.hasSuffix(".png") else {
        pictures.append((name, bytes(of: path)))
        continue
    }
    do throws(PageFile.Refusal) {
        texts.append((name, try PageFile(name: name, text: text(of: path)).served()))
    } catch {
        refuse("\(path):\(error.line): error: \(error.reason).")
    }
}
let page = Page(texts: texts, pictures: pictures)
var source = """
    // Made by PageEmbedder from the files in Sources/Web/WebRemote/page; edit those.
    extension WebRemote {
        /// The fingerprint of all files together, as their addresses name it and as an entity tag.
        package static let version = "\(page.version)"
        static let embedded: [(name: String, content: StaticString, packed: StaticString)] = [

    """
for entry in page.entries {
    source += "        (\(PageFile.literal(entry.name)), \(PageFile.literal(entry.content)), \"\(entry.packed)\"),\n"
}
write(source + "    ]\n}\n", to: CommandLine.arguments[1])
