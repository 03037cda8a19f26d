using System.Globalization;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace BlitQueue.Hosting;

/// <summary>Compares a queue's status with limits.</summary>
internal sealed class QueueHealthCheck(
    IServiceProvider services, QueueRegistration queue, BlitQueueHealthOptions options, ConsumerStates states) : IHealthCheck
{
    // Asynchronous: a status may have to count messages that no process has counted yet.
    public Task<HealthCheckResult> CheckHealthAsync(HealthCheckContext context, CancellationToken cancellationToken = default) =>
        Task.Run(() => Check(context.Registration.FailureStatus), cancellationToken);

    private HealthCheckResult Check(HealthStatus unhealthy)
    {
        QueueStatus status;
        long? free;
        try
        {
            status = queue.GetStatus(services);
            free = FreeBytes(status.Path);
        }
        catch (Exception exception)
        {
            return new HealthCheckResult(unhealthy, $"The queue '{queue.Name}' cannot be read: {exception.Message}", exception);
        }
        List<string> bad = [], worse = [];
        var data = new Dictionary<string, object>
        {
            ["path"] = status.Path, ["bytes"] = status.Bytes, ["repairs"] = status.Repairs,
        };
        if (free is { } known)
        {
            data["free disk"] = known;
        }
        Exception? cause = null;
        foreach (SubscriptionStatus one in status.Subscriptions)
        {
            AddFigures(data, one);
            Compare(one.Lag, options.MaxLag, options.UnhealthyLag, $"{one.Name}: {one.Lag:N0} messages wait");
            Compare(
                one.OldestAge, options.MaxOldestAge, options.UnhealthyOldestAge, $"{one.Name}: the oldest message waits {one.OldestAge}");
            Compare(one.DeadLetters, options.MaxDeadLetters, null, $"{one.Name}: {one.DeadLetters:N0} dead letters");
        }
        Compare(-free, -options.MinFreeDisk, -options.UnhealthyFreeDisk, $"{free:N0} bytes are free on the disk");
        if (status.IsFailed)
        {
            worse.Add("the disk has refused a sync, and the queue takes no more messages");
        }
        foreach ((string subscription, Exception failure) in states.Of(queue.Name))
        {
            cause = failure;
            worse.Add($"{subscription}: the consumer cannot take messages: {failure.Message}");
        }
        string text = string.Join("; ", worse.Concat(bad));
        return worse.Count > 0 ? new HealthCheckResult(unhealthy, text, cause, data)
            : bad.Count > 0 ? HealthCheckResult.Degraded(text, data: data)
            : HealthCheckResult.Healthy($"{status.MessageCount.ToString("N0", CultureInfo.InvariantCulture)} messages wait", data);

        void Compare<TValue>(TValue? value, TValue? most, TValue? limit, FormattableString what)
            where TValue : struct, IComparable<TValue>
        {
            if (value is not { } real)
            {
                return;
            }
            if (limit is { } unbearable && real.CompareTo(unbearable) > 0)
            {
                worse.Add(what.ToString(CultureInfo.InvariantCulture));
            }
            else if (most is { } wanted && real.CompareTo(wanted) > 0)
            {
                bad.Add(what.ToString(CultureInfo.InvariantCulture));
            }
        }
    }

    private static void AddFigures(Dictionary<string, object> data, SubscriptionStatus one)
    {
        data[$"{one.Name}: lag"] = one.Lag;
        data[$"{one.Name}: in flight"] = one.InFlight;
        data[$"{one.Name}: dead letters"] = one.DeadLetters;
        data[$"{one.Name}: consumers"] = one.Consumers;
        if (one.OldestAge is { } age)
        {
            data[$"{one.Name}: oldest age"] = age;
        }
    }

    // Null where the system does not tell, as of a ramfs. A full XFS tells of fewer than 0 free blocks, which overflows.
    private static long? FreeBytes(string path)
    {
        var disk = new DriveInfo(path);
        try
        {
            if (disk.TotalSize == 0)
            {
                return null;
            }
        }
        catch (OverflowException)
        {
            return null;
        }
        try
        {
            return disk.AvailableFreeSpace;
        }
        catch (OverflowException)
        {
            return 0;
        }
    }
}
