import Configuration

/// Shell scripts for completion. They call `baton complete`, so that each verb is described only once; the scripts
/// themselves list the options of `batond`.
enum CompletionScripts {
    static let shells = ["bash", "zsh", "fish"]

    static func text(for shell: String) -> String? {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: nil
        }
    }

    private static var flags: [(flag: String, about: String, takesValue: Bool)] {
        [
            ("config", "read this file", true), ("help", "print the options", false), ("help-limits", "print the limits", false),
            ("other-hub", "take over a backup of another hub", false), ("restore", "take over this backup", true),
            ("version", "print the version", false),
        ]
            + SettingAbout.all.map { ($0.flag, sentence(of: $0.help), $0.placeholder != nil) }
    }

    /// The first sentence, without characters that shells interpret.
    private static func sentence(of help: String) -> String {
        let first = help.split(separator: ". ").first.map(String.init) ?? help
        return first.filter { !"'\"`$\\:[]()".contains($0) }
    }

    // `baton complete` prints lines of a word, a tab and its meaning. A word may contain spaces and is quoted for the
    // shell.
    private static var bash: String {
        """
        # Completion of baton and batond for bash, made by: baton completions bash
        _baton() {
            local line word at has_files= current="${COMP_WORDS[COMP_CWORD]}"
            COMPREPLY=()
            compopt +o default +o filenames 2>/dev/null
            while IFS= read -r line; do
                word="${line%%$'\\t'*}"
                if [[ $word == / ]]; then has_files=yes; else COMPREPLY+=("$word"); fi
            done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" "$current" 2>/dev/null)
            # For names of files the shell sets the quotes itself, and then for all words.
            if [[ $has_files ]]; then
                compopt -o filenames -o default 2>/dev/null
            else
                for at in "${!COMPREPLY[@]}"; do printf -v 'COMPREPLY[at]' '%q' "${COMPREPLY[at]}"; done
            fi
            if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *: ]]; then compopt -o nospace; fi
            # The shell ends words at colons, and replaces only what is behind the last of them.
            if [[ $current == *:* && $COMP_WORDBREAKS == *:* ]]; then
                local head="${current%"${current##*:}"}"
                for at in "${!COMPREPLY[@]}"; do COMPREPLY[at]="${COMPREPLY[at]#"$head"}"; done
            fi
        }
        _batond() {
            COMPREPLY=($(compgen -W '\(flags.map { "--" + $0.flag }.joined(separator: " "))' -- "${COMP_WORDS[COMP_CWORD]}"))
        }
        complete -F _baton baton
        complete -o default -F _batond batond

        """
    }

    private static var zsh: String {
        """
        #compdef baton batond
        # Completion of baton and batond for zsh, made by: baton completions zsh
        _baton() {
            local line word
            local -a words_found shown
            while IFS= read -r line; do
                word="${line%%$'\\t'*}"
                if [[ $word == / ]]; then
                    _files
                    continue
                fi
                words_found+=("$word")
                shown+=("${line/$'\\t'/  }")
            done < <("${words[1]}" complete -- "${(Q)words[2,CURRENT-1][@]}" "${(Q)words[CURRENT]}" 2>/dev/null)
            (( ${#words_found} )) && compadd -l -d shown -a words_found
        }
        _batond() {
            local -a flags
            flags=(
        \(flags.map { "        '--\($0.flag)\($0.takesValue ? "=" : "")[\($0.about)]\($0.takesValue ? ":value:_files" : "")'" }.joined(separator: "\n"))
            )
            _arguments $flags
        }
        case "$service" in
            batond) _batond "$@" ;;
            *) _baton "$@" ;;
        esac

        """
    }

    private static var fish: String {
        """
        # Completion of baton and batond for fish, made by: baton completions fish
        function __baton_complete
            set -l words (commandline -opc)
            for line in ($words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
                if test "$line" = /
                    __fish_complete_path (commandline -ct)
                else
                    echo $line
                end
            end
        end
        complete -c baton -f -a '(__baton_complete)'
        \(flags.map { "complete -c batond -l \($0.flag)\($0.takesValue ? " -r" : "") -d '\($0.about)'" }.joined(separator: "\n"))

        """
    }
}
