using Spectre.Console;

namespace BlitQueue.Cli.Output;

/// <summary>A bar for work that takes long, on standard error; only if that is a terminal.</summary>
internal static class Progress
{
    /// <summary>Does work that reports how much of it is done, from 0 to 1; NaN where that is not known.</summary>
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
            return work(part => (task.Value, task.IsIndeterminate) = double.IsNaN(part) ? (0, true) : (part, false));
        });
    }

    /// <summary>Does work of which it is not known how much is done.</summary>
    public static T Show<T>(string what, Func<T> work) => Show(what, report =>
    {
        report(double.NaN);
        return work();
    });
}
