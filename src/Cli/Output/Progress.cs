using Spectre.Console;

namespace BlitQueue.Cli.Output;

/// <summary>A bar for work that takes long, on standard error; only if that is a terminal.</summary>
internal static class Progress
{
    /// <summary>Does work that reports how much of it is done, from 0 to 1.</summary>
    public static T Show<T>(string what, Func<Action<double>, T> work)
    {
        if (Console.IsErrorRedirected)
        {
            return work(static _ => { });
        }
        IAnsiConsole console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(Console.Error) });
        return console.Progress().AutoClear(true).Start(context =>
        {
            ProgressTask task = context.AddTask(Markup.Escape(what), maxValue: 1);
            return work(part => task.Value = part);
        });
    }
}
