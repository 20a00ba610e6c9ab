// Writes the files of the page into a Swift source, so that the hub's binary contains them. SwiftPM runs it during a
// build through the plugin EmbedPage, when a file has changed.
//
// Usage: PageEmbedder OUTPUT FILE...
//
// Each file becomes `StaticString`s, which the compiler copies into the binary as they are: a text with its
// compressed form, or a picture. A byte array of this size would take half a minute.

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
let design = Set(CommandLine.arguments.dropFirst(2).filter(Page.isOfDesign).map(Page.name(of:)))
let page = Page(texts: texts, pictures: pictures, design: design)

/// The array's entries in the source.
func literals(_ entries: [Page.Entry]) -> String {
    entries.map { "        (\(PageFile.literal($0.name)), \(PageFile.literal($0.content)), \"\($0.packed)\"),\n" }.joined()
}
var source = """
    // Made by PageEmbedder from the files in Sources/Web/WebRemote/page; edit those.
    extension WebRemote {
        /// The fingerprint of all files together, as their addresses name it and as an entity tag.
        package static let version = "\(page.version)"
        static let embedded: [(name: String, content: StaticString, packed: StaticString)] = [

    """
source += literals(page.entries.filter { !design.contains($0.name) })
source += """
        ]
        #if DEBUG
        /// The sheet of all parts, for those who work on the page.
        static let design: [(name: String, content: StaticString, packed: StaticString)] = [

    """
source += literals(page.entries.filter { design.contains($0.name) })
source += """
        ]
        #else
        static let design: [(name: String, content: StaticString, packed: StaticString)] = []
        #endif
    }

    """
write(source, to: CommandLine.arguments[1])
