/// Commands about what a person has typed to have music made.
public enum PromptRequest: Equatable, Sendable {
    /// Settings, earlier prompts and presets.
    case list
    /// Carries out a line that changes the settings, for the worker of this name.
    case set(String, worker: String?)
    /// Keeps a line under a name; without a line, removes it.
    case preset(String, String?)
    /// Forgets an earlier prompt; without one, all of them.
    case forget(String?)
}
