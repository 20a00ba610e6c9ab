package import BatonCore

/// Keeps what people have typed: settings, earlier prompts and presets, for each person. Every call may wait for the disk.
package protocol PromptKeeper: OwnerKeeper {
    /// Without the presets of the hub.
    func prompts(of owner: String) throws(SourceFault) -> PersonPrompts
    func settings(of owner: String) throws(SourceFault) -> PromptSettings
    func put(_ settings: PromptSettings, of owner: String) throws(SourceFault)
    /// One more earlier prompt. The oldest are forgotten.
    func note(_ prompt: UsedPrompt, of owner: String) throws(SourceFault)
    /// False when there was none. `nil` means all of the person's.
    func forget(_ text: String?, of owner: String) throws(SourceFault) -> Bool
    /// False when it was so before. A preset of that name is replaced.
    func put(_ preset: PromptPreset, of owner: String) throws(SourceFault) -> Bool
    /// False when there was none.
    func removePreset(_ name: String, of owner: String) throws(SourceFault) -> Bool
}
