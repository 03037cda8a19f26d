using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>
/// Runs a forwarder or a receiver as long as the host runs. It connects anew by itself; an exception that ends its run is logged, and it
/// runs again later, but for a missing message, which a person must look at. No exception ends the host.
/// </summary>
internal sealed class BridgeService(BridgeRegistration registration, IServiceProvider services, ILogger logger)
    : IHostedLifecycleService, IDisposable
{
    /// <summary>The category of what is logged about forwarders and receivers.</summary>
    public const string Category = "BlitQueue.RabbitMq.Hosting";

    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1), LongestPause = TimeSpan.FromMinutes(1);

    private readonly CancellationTokenSource _stopping = new();
    private IBridge? _bridge;
    private Task? _running;
    private bool _isConnected;

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>Makes it, so that wrong options fail the start.</summary>
    public Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            _bridge = registration.Prepare(services);
        }
        catch (ArgumentException exception)
        {
            throw new OptionsValidationException(
                registration.Name, registration.Kind == BridgeKinds.Forwarder ? typeof(ForwarderOptions) : typeof(ReceiverOptions),
                [
                    $"The {registration.Kind.ToLowerInvariant()} of '{registration.Name}' cannot run as its options say "
                    + $"({registration.Section}, the connection string of its broker, or the callback of Add{registration.Kind}): "
                    + exception.Message,
                ]);
        }
        _bridge.ProblemChanged += (_, problem) => Tell(problem);
        _bridge.ConnectionChanged += (_, _) => TellConnection();
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        logger.BridgeStarted(registration.Kind, registration.Name);
        _running = Task.Run(RunAsync, CancellationToken.None);
        return Task.CompletedTask;
    }

    /// <summary>All forwarders and receivers of the host begin to stop before the first one is waited for.</summary>
    public Task StoppingAsync(CancellationToken cancellationToken) => _stopping.CancelAsync();

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        if (_running is not { } running)
        {
            return;
        }
        await Task.WhenAny(running, Task.Delay(Timeout.Infinite, cancellationToken)).ConfigureAwait(false);
        if (running.IsCompleted)
        {
            logger.BridgeStopped(registration.Kind, registration.Name);
        }
        else
        {
            logger.BridgeStopLate(registration.Kind, registration.Name);
        }
    }

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose()
    {
        _stopping.Cancel();
        _stopping.Dispose();
    }

    private async Task RunAsync()
    {
        CancellationToken stopping = _stopping.Token;
        for (TimeSpan pause = FirstPause; !stopping.IsCancellationRequested; pause = pause * 2 < LongestPause ? pause * 2 : LongestPause)
        {
            try
            {
                registration.Failure = null;
                await _bridge!.RunAsync(stopping).ConfigureAwait(false);
            }
            catch (Exception exception)
                when (stopping.IsCancellationRequested && exception is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
            catch (MessageGapException gap)
            {
                registration.Failure = gap;
                logger.MessageMissing(gap, registration.Name, gap.Message);
                return;
            }
            catch (Exception exception)
            {
                registration.Failure = exception;
                logger.BridgeFailed(exception, registration.Kind, registration.Name, pause);
            }
            await Task.Delay(pause, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private void Tell(BridgeProblemEventArgs problem)
    {
        switch (problem.Problem)
        {
            case BridgeProblem.None:
                logger.BridgeProblemOver(registration.Kind, registration.Name);
                break;
            case BridgeProblem.TooLarge or BridgeProblem.UnsendableMessage or BridgeProblem.UnreadableMessage or BridgeProblem.OutOfOrder:
                logger.MessageSetAside(registration.Kind, registration.Name, problem.Problem, problem.Text);
                break;
            default:
                logger.BridgeProblemMet(registration.Kind, registration.Name, problem.Problem, problem.Text);
                break;
        }
    }

    private void TellConnection()
    {
        bool isConnected = _bridge!.GetState().Connected;
        if (isConnected == _isConnected)
        {
            return;
        }
        _isConnected = isConnected;
        if (isConnected)
        {
            logger.BridgeConnected(registration.Kind, registration.Name);
        }
        else
        {
            logger.BridgeDisconnected(registration.Kind, registration.Name);
        }
    }
}
