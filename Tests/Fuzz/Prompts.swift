/// Noise for the reader of prompts. The places of faults lie in the text, and a line without faults, written out, reads the same again.
import BatonCore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let line = PromptLine.read(text)
    let length = text.unicodeScalars.count
    for fault in line.faults { precondition(0 <= fault.from && fault.from <= fault.to && fault.to <= length && !fault.sentence.isEmpty) }
    guard line.isFaultless, line.action == .make, line.mode == .track else { return 0 }
    precondition((1...PromptBounds.promptLength).contains(line.prompt.unicodeScalars.count))
    var words = [line.prompt]
    if let value = line.settings.durationS { words.append("/duration \(value)") }
    if let value = line.settings.model { words.append("/model \(value)") }
    if let value = line.settings.cfg { words.append("/cfg \(value)") }
    if let value = line.settings.seed { words.append("/seed \(value)") }
    precondition(PromptLine.read(words.joined(separator: " ")) == line)
    return 0
}
