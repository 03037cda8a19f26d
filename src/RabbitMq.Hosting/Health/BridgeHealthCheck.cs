using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>Says whether a forwarder or a receiver does its work, and what stands in its way.</summary>
internal sealed class BridgeHealthCheck(BridgeRegistration registration, BridgeHealthOptions options) : IHealthCheck
{
    // Asynchronous: a state may have to count messages that no process has counted yet.
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.Run(() => Check(context.Registration.FailureStatus), cancellationToken);

    private HealthCheckResult Check(HealthStatus unhealthy)
    {
        if (registration.Bridge is not { } bridge)
        {
            return new HealthCheckResult(unhealthy, $"The {registration.Kind.ToLowerInvariant()} has not started.");
        }
        BridgeState state;
        try
        {
            state = bridge.GetState();
        }
        catch (Exception exception)
        {
            return new HealthCheckResult(unhealthy, $"The queue '{registration.Queue}' cannot be read: {exception.Message}", exception);
        }
        List<string> bad = [], worse = [];
        Exception? failure = registration.Failure;
        if (failure is not null)
        {
            worse.Add($"{(failure is MessageGapException ? "Gap, stopped" : "failed")}: {failure.Message}");
        }
        else if (state.Problem != BridgeProblem.None)
        {
            (IsWaiting(state.Problem) || IsYoung(state) ? bad : worse).Add($"{state.Problem}: {state.LastError}");
        }
        else if (!state.Connected)
        {
            bad.Add("not connected yet");
        }
        Compare(state.Lag, options.MaxLag, options.UnhealthyLag, "messages wait", bad, worse);
        Compare(state.SetAside, options.MaxSetAside, null, $"messages were set aside, the last one: {state.LastError}", bad, worse);
        string text = string.Join("; ", worse.Concat(bad));
        Dictionary<string, object> data = DataOf(state);
        return worse.Count > 0 ? new HealthCheckResult(unhealthy, text, failure, data)
            : bad.Count > 0 ? HealthCheckResult.Degraded(text, data: data)
            : HealthCheckResult.Healthy(
                string.Create(CultureInfo.InvariantCulture, $"connected; {state.Lag:N0} messages wait, {state.Window:N0} in the window"),
                data);
    }

    // Another process works, or a limit that was set: nothing is broken.
    private static bool IsWaiting(BridgeProblem problem) =>
        problem is BridgeProblem.InUse or BridgeProblem.LocalQueueFull or BridgeProblem.Blocked;

    private bool IsYoung(BridgeState state) => state.ProblemSince is { } since && DateTime.UtcNow - since < options.Grace;

    private static void Compare(long value, long? most, long? limit, string what, List<string> bad, List<string> worse)
    {
        string text = string.Create(CultureInfo.InvariantCulture, $"{value:N0} {what}");
        if (value > limit)
        {
            worse.Add(text);
        }
        else if (value > most)
        {
            bad.Add(text);
        }
    }

    private static Dictionary<string, object> DataOf(BridgeState state)
    {
        var data = new Dictionary<string, object>
        {
            ["connected"] = state.Connected,
            ["problem"] = state.Problem.ToString(),
            ["problem since"] = state.ProblemSince?.ToString("O", CultureInfo.InvariantCulture) ?? "",
            ["window"] = state.Window,
            ["lag"] = state.Lag,
            ["messages"] = state.Messages,
            ["duplicates"] = state.Duplicates,
            ["set aside"] = state.SetAside,
            ["connections"] = state.Connections,
        };
        if (state.LastError is { } error)
        {
            (data["last problem"], data["last error"]) = (state.LastProblem.ToString(), error);
        }
        return data;
    }
}
