package import BatonCore

/// The store of people's settings, earlier prompts and presets. Every call may wait for the disk.
package protocol PromptStorage: OwnerStorage {
    /// The data of an owner, without the presets of the hub.
    func prompts(of owner: String) throws(SourceFault) -> PersonPrompts
    /// The defaults of an owner; empty ones where there are none.
    func settings(of owner: String) throws(SourceFault) -> PromptSettings
    /// Replaces the defaults of an owner; empty ones remove them.
    func put(_ settings: PromptSettings, of owner: String) throws(SourceFault)
    /// Adds an earlier prompt. The oldest are forgotten.
    func note(_ prompt: UsedPrompt, of owner: String) throws(SourceFault)
    /// Forgets one earlier prompt, or all with `nil`. Returns false when there was none.
    func forget(_ text: String?, of owner: String) throws(SourceFault) -> Bool
    /// Stores a preset, replacing one with its name. Returns false when nothing changes.
    func put(_ preset: PromptPreset, of owner: String) throws(SourceFault) -> Bool
    /// Returns false when there was none.
    func removePreset(_ name: String, of owner: String) throws(SourceFault) -> Bool
}
