using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq completion bash</c>: a script by which the shell asks the tool itself.</summary>
internal static class CompletionCommand
{
    private const string Bash = """
        # Completion of blitq for bash: eval "$(blitq completion bash)"
        _blitq()
        {
            local IFS=$'\n'
            COMPREPLY=($("${COMP_WORDS[0]}" "[suggest:${COMP_POINT}]" "${COMP_LINE}" 2> /dev/null))
            [[ ${#COMPREPLY[@]} -eq 1 && -d ${COMPREPLY[0]} ]] && compopt -o nospace
        }
        complete -o default -F _blitq blitq
        """;

    public static Command Make()
    {
        var shell = new Argument<string>("shell") { Description = "bash.", HelpName = "shell" };
        shell.AcceptOnlyFromAmong("bash");
        return Shared.Command("completion", "Print a script that completes the tool's commands in a shell.", [shell], _ =>
        {
            Terminal.Line(Bash.ReplaceLineEndings("\n"));
            return ExitCode.Fine;
        });
    }
}
