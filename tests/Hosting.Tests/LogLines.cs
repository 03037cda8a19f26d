using Microsoft.Extensions.Logging;

namespace BlitQueue.Hosting.Tests;

/// <summary>What was logged.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    private readonly List<LogLine> _lines = [];

    public LogLine[] All
    {
        get
        {
            lock (_lines)
            {
                return [.. _lines];
            }
        }
    }

    public LogLine[] Of(string name) => [.. All.Where(line => line.Event.Name == name)];

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        lock (_lines)
        {
            _lines.Add(new LogLine(eventId, logLevel, formatter(state, exception)));
        }
    }

    public void Dispose()
    {
    }
}

internal sealed record LogLine(EventId Event, LogLevel Level, string Text);
