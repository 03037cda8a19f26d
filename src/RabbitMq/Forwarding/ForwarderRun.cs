using System.Buffers.Binary;
using System.Diagnostics;
using System.Security.Cryptography;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>
/// One run of a forwarder: the window outlasts connections. One thread at a time works in it.
/// </summary>
internal sealed class ForwarderRun<T>(
    MappedQueue<T> queue, Subscription<T> subscription, SourceFile source, ForwarderOptions options, BodyFormat<T>? format,
    BridgeStatus status, RetryDelay delay)
    where T : IPackable<T>
{
    // How long the local queue is left alone before the next look, where its next message is damaged or it has no room.
    private static readonly TimeSpan LookPause = TimeSpan.FromSeconds(1);

    // A broker that has confirmed nothing for so long is not going to, though its connection lives: a queue that had no leader just then
    // may have forgotten what it got. But a large message may take longer on a slow link: so the patience doubles each time that it was for
    // nothing, up to a quarter of an hour. How often that is looked at.
    private static readonly TimeSpan ConfirmPatience = TimeSpan.FromSeconds(15), LongestConfirmPatience = 64 * ConfirmPatience,
        ConfirmLook = TimeSpan.FromSeconds(1);

    // So many confirmed messages are consumed together, or fewer after so many milliseconds.
    private const int CommitAtOnce = 64, CommitPause = 5;

    // While messages are being confirmed, and until nothing has been for so many milliseconds, the queue is looked at after each pause: a
    // sleeper would cost each producer a call of the system. Where many are on their way, their confirms, too, are taken after a pause
    // only: each alone would cost a change of threads. A full window waits for confirms alone, and a pause would be time lost.
    private const int FlowPause = 1, FlowEnd = 100;

    private const int LongestSchemaText = 16 << 10;

    private readonly ForwardWindow<T> _window = new(
        subscription, source, new ForwardEpochs(queue.Epochs), new ForwardLetters<T>(queue, status), options.Window,
        NumberOfDestination(options));

    private readonly MessageProperties _properties = new();
    private readonly CancellationTokenSource _ending = new();

    // Of the message that was published last.
    private long _epoch;
    private string _epochSource = Origin.SourceOf(source.Source, epoch: 0);

    // A frame of the broker has an end, and properties are one frame: the text of a huge type stays here.
    private readonly EnvelopeWriter _envelopes = new(
        T.Schema,
        options.SendSchema && format is null && T.Schema.Text.Length <= LongestSchemaText ? Encoding.UTF8.GetBytes(T.Schema.Text) : null,
        format?.ContentType, options.ExpireAtBroker);

    private readonly BodyWriter<T> _bodies = new(format);

    // As bytes, which the client would else make for each message.
    private readonly CachedString _exchange = new(options.Exchange), _routingKey = new(options.RoutingKey);

    // A wait for the next message, which goes on across connections: when it ends, it has taken the message.
    private Task<Lease<T>>? _coming;

    // After the broker refused a message for its size: one publish at a time shows which one it was.
    private bool _isCareful;
    private long _carefulUntil;
    private long _pausedUntil;

    // No other consumer can skip it while this one consumes. So what is before it is confirmed, the rest is given back, and the run ends.
    private QueueCorruptException? _damage;

    // Nothing from here on is published. The highest position: damage was met where no message was taken any more.
    private long _damagedAt = long.MaxValue;

    // What the broker said when it took nothing more; null while it takes messages.
    private string? _blocked;

    private long _lastConfirm;
    private TimeSpan _patience = ConfirmPatience;
    private long _lastCommit;
    private Task? _look;

    // A small window is not to stand still until all of it is confirmed.
    private readonly int _commitAtOnce = Math.Clamp(options.Window / 4, 1, CommitAtOnce);

    /// <summary>What ends the run, where a message is damaged.</summary>
    public QueueCorruptException? Damage => _damage;

    private bool HasMetDamage => _damage is not null;

    /// <summary>Publishes, and consumes what is confirmed, until something goes wrong with the channel.</summary>
    public async Task PumpAsync(BrokerSession session, CancellationToken cancellationToken)
    {
        var signals = new BrokerSignals(session);
        _envelopes.Begin(session.Connection.FrameMax);
        using var publishing = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        CommitWhatIsConfirmed();
        status.AddDuplicates(_window.Rewind());
        (_blocked, _lastConfirm) = (null, Environment.TickCount64);
        for (; ; )
        {
            cancellationToken.ThrowIfCancellationRequested();
            Settle(signals, isIdle: false);
            WriteLetters();
            EndAtDamage();
            if (_window.NextToPublish is { } next && next.Position < _damagedAt
                && _window.Published < (_isCareful ? 1 : options.Window))
            {
                if (Publish(session, next, publishing.Token) is { } publish)
                {
                    await AwaitPublishAsync(publish, signals, publishing).ConfigureAwait(false);
                }
            }
            else
            {
                session.Send();
                if (!TryFill() && !Settle(signals, isIdle: true))
                {
                    await WaitAsync(session, signals, cancellationToken).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>After a failure: what it says about the message that was published last.</summary>
    public void NoteFailure(Exception failure)
    {
        BridgeProblem problem = _window.HasFastReply && Problems.IsInternalError(failure)
            ? BridgeProblem.UnsendableMessage
            : Problems.Of(failure);
        if (problem is not (BridgeProblem.TooLarge or BridgeProblem.UnsendableMessage))
        {
            return;
        }
        if (_isCareful && _window.Published > 0)
        {
            SetAside(_window.First, problem, Problems.TextOf(failure));
            _isCareful = false;
        }
        else
        {
            _isCareful = true;
            _carefulUntil = _window.LastTaken;
        }
    }

    /// <summary>Gives back what is not confirmed.</summary>
    public async Task EndAsync()
    {
        await _ending.CancelAsync().ConfigureAwait(false);
        try
        {
            await GiveBackComingAsync().ConfigureAwait(false);
            CommitWhatIsConfirmed();
        }
        catch (Exception exception) when (exception is BridgeException or QueueException or InvalidOperationException)
        {
            // It is published once more, and the receiver drops it.
        }
        finally
        {
            _window.GiveBack();
            _window.Letters.GiveBack();
            status.Window = 0;
        }
        _ending.Dispose();
    }

    private async Task GiveBackComingAsync()
    {
        if (_coming is null)
        {
            return;
        }
        try
        {
            (await _coming.ConfigureAwait(false)).TryAbandonUncounted();
        }
        catch (Exception exception) when (exception is OperationCanceledException or QueueException or ObjectDisposedException)
        {
            // Nothing was taken.
        }
    }

    // Many at once share a note and a commit: fewer are consumed when nothing more is on its way, or after a pause.
    private bool Settle(BrokerSignals signals, bool isIdle)
    {
        while (signals.TryRead(out BrokerSignal signal))
        {
            Take(signal);
        }
        int least = Math.Min(_commitAtOnce, _window.Published);
        if (_window.Confirmed == 0 || (_window.Confirmed < least && !(isIdle && Environment.TickCount64 - _lastCommit >= CommitPause)))
        {
            return false;
        }
        Commit();
        return true;
    }

    private void Commit()
    {
        int committed = _window.CommitConfirmed();
        status.AddMessages(committed);
        status.Window = _window.Published;
        _lastCommit = Environment.TickCount64;
        delay.Reset();
        _isCareful &= _window.LastConfirmed < _carefulUntil;
        // What was on its way is confirmed after the broker has said that it takes nothing more.
        if (!HasMetDamage && _blocked is null && Environment.TickCount64 >= _pausedUntil && _window.Letters.Count == 0)
        {
            status.Clear();
        }
    }

    private void WriteLetters()
    {
        // Also where damage was met: what is in front of it is in the way of others who would step over it.
        bool isOver = _window.Letters.TryWriteWaiting(isQuiet: HasMetDamage);
        if (_window.Damage is { } damage && damage != _damage)
        {
            MeetDamage(damage, _window.Letters.Oldest!.Value.Position);
        }
        if (!isOver || HasMetDamage)
        {
            return;
        }
        status.ClearLocal();
        if (_blocked is not null)
        {
            status.Note(BridgeProblem.Blocked, _blocked);
        }
    }

    private void Take(in BrokerSignal signal)
    {
        switch (signal.Kind)
        {
            case SignalKind.Confirmed:
                int before = _window.Confirmed;
                if (_window.Confirm(signal.Number, signal.IsMultiple) is { } returned)
                {
                    GiveUp(returned);
                }
                if (_window.Confirmed > before)
                {
                    (_lastConfirm, _patience) = (Environment.TickCount64, ConfirmPatience);
                }
                break;
            case SignalKind.Returned:
                status.AddReturned();
                _window.Find((long)signal.Number)?.ReturnText = signal.Text;
                break;
            case SignalKind.Refused:
                status.AddRefused();
                CommitWhatIsConfirmed();
                throw new BridgeException(
                    BridgeProblem.Refused,
                    $"The broker refused a message of {queue.Path} (basic.nack): its queue is full, or has failed. It is published again.");
            case SignalKind.Closed:
                CommitWhatIsConfirmed();
                throw signal.Failure!;
            case SignalKind.Blocked:
                _blocked = $"The broker takes nothing until it has memory and disk again: {signal.Text}";
                status.Note(BridgeProblem.Blocked, _blocked);
                break;
            case SignalKind.Unblocked:
                (_blocked, _lastConfirm) = (null, Environment.TickCount64);
                status.ClearBlocked();
                break;
        }
    }

    private void CommitWhatIsConfirmed() => status.AddMessages(_window.CommitConfirmed());

    // The exchange has no queue for the message.
    private void GiveUp(ForwardEntry<T> returned)
    {
        CommitWhatIsConfirmed();
        string key = returned.Key ?? options.RoutingKey;
        string text = $"Exchange '{options.Exchange}' has no queue for the routing key '{key}' ({returned.ReturnText}).";
        if (options.OnUnroutable == UnroutableMode.DeadLetter)
        {
            SetAside(returned, BridgeProblem.Unroutable, text);
            // Those behind it named it as their predecessor.
            throw new BridgeException(BridgeProblem.Unroutable, $"{text} The message becomes a dead letter.");
        }
        throw new BridgeException(BridgeProblem.Unroutable, $"{text} Bind a queue to it: messages wait, and are published again.");
    }

    private void SetAside(ForwardEntry<T> entry, BridgeProblem problem, string text)
    {
        // Without room for its letter it waits there, and those behind it are sent.
        _window.Remove(entry);
        _window.Letters.Add(entry.Lease, entry.Point, problem, text);
    }

    private bool TryFill()
    {
        if (!_window.HasSpace || HasMetDamage || Environment.TickCount64 < _pausedUntil)
        {
            return false;
        }
        try
        {
            _window.SortIn();
            if (_coming is null)
            {
                int taken = _window.Fill();
                if (taken == 0 && _window.IsEmpty)
                {
                    // What was in the way of a message is over, also where no later one is confirmed that would show it.
                    status.ClearMessages();
                }
                return taken > 0;
            }
            if (!_coming.IsCompleted)
            {
                return false;
            }
            Task<Lease<T>> coming = _coming;
            _coming = null;
            _window.Add(coming.GetAwaiter().GetResult());
            return true;
        }
        catch (QueueCorruptException exception) when (exception != _window.Letters.OwnDamage)
        {
            MeetDamage(exception, long.MaxValue);
            return true;
        }
        catch (QueueException exception) when (exception is QueueFullException or QueueStalledException
            || exception.Reason == QueueError.TooManyLeases)
        {
            // Only messages are left that are to become dead letters, for which the disk has no room, or which a stopped process delays; as
            // MessageProcessor has it.
            status.Note(Problems.Of(exception), exception.Message);
            Pause();
            return false;
        }
    }

    // Those before the damaged message are confirmed first, or set aside. A letter that finds no room is tried again in the next run.
    private void EndAtDamage()
    {
        if (_damage is { } damage && _window.Published == 0 && !_window.HasBefore(_damagedAt))
        {
            // Once more: meanwhile the broker or a letter may have had something to tell.
            Tell(damage);
            throw damage;
        }
    }

    private void MeetDamage(QueueCorruptException exception, long position)
    {
        (_damage, _damagedAt) = (exception, position);
        Tell(exception);
    }

    private void Tell(QueueCorruptException damage)
    {
        string first = _window.Letters.Oldest is { Damage: null } oldest && oldest.Position < _damagedAt
            ? $" In front of it the message at {oldest.Position} is to become a dead letter, and has to go first. {oldest.Obstacle}" : "";
        status.Note(
            BridgeProblem.DamagedMessage,
            $"{damage.Message} Nothing more is forwarded until Subscription.SkipCorrupt or a repair steps over it: for five seconds at "
            + $"a time the forwarder consumes nothing, so that others can.{first}");
    }

    private void Pause() => _pausedUntil = Environment.TickCount64 + (long)LookPause.TotalMilliseconds;

    private async Task WaitAsync(BrokerSession session, BrokerSignals signals, CancellationToken cancellationToken)
    {
        status.Window = _window.Published;
        status.LookForProof();
        RequireConfirms();
        if (_window.Published > 0 && Environment.TickCount64 - _lastConfirm > ConfirmLook.TotalMilliseconds)
        {
            session.SendAll();
        }
        if (_window.HasSpace && _window.Published >= CommitAtOnce && AreConfirmsComing)
        {
            await Task.Delay(FlowPause, cancellationToken).ConfigureAwait(false);
            return;
        }
        List<Task> any = [signals.WaitAsync(cancellationToken)];
        if (Environment.TickCount64 < _pausedUntil)
        {
            any.Add(Task.Delay(LookPause, cancellationToken));
        }
        else if (_window.HasSpace && !HasMetDamage)
        {
            any.Add(NextMessage(cancellationToken));
        }
        if (_window.Letters.Count > 0)
        {
            any.Add(Task.Delay(_window.Letters.TimeLeft, cancellationToken));
        }
        if (_window.Confirmed > 0)
        {
            any.Add(Task.Delay(CommitPause, cancellationToken));
        }
        if (status.ProofLeft is { } left)
        {
            any.Add(Task.Delay(left, cancellationToken));
        }
        if (_window.Published > 0)
        {
            any.Add(_look = _look is { IsCompleted: false } ? _look : Task.Delay(ConfirmLook, CancellationToken.None));
        }
        await Task.WhenAny(any).ConfigureAwait(false);
    }

    private Task NextMessage(CancellationToken cancellationToken) => _coming is null && AreConfirmsComing
        ? Task.Delay(FlowPause, cancellationToken)
        : _coming ??= subscription.ReceiveAsync(_ending.Token).AsTask();

    private bool AreConfirmsComing => _window.Published > 0 && Environment.TickCount64 - _lastConfirm < FlowEnd;

    private void RequireConfirms()
    {
        if (_window.Published > 0 && _blocked is null && Environment.TickCount64 - _lastConfirm > _patience.TotalMilliseconds)
        {
            string text = $"The broker has confirmed none of {_window.Published:N0} messages for {_patience.TotalSeconds} s. They are "
                + "published again on a new connection.";
            _patience = TimeSpan.FromTicks(Math.Min(2 * _patience.Ticks, LongestConfirmPatience.Ticks));
            throw new BridgeException(BridgeProblem.Unreachable, text);
        }
    }

    // A connection that takes nothing more holds a publish up for as long as it lives. So a publish is awaited no longer than a confirm.
    private ValueTask AwaitPublishAsync(ValueTask publish, BrokerSignals signals, CancellationTokenSource publishing) =>
        publish.IsCompletedSuccessfully ? publish : new ValueTask(AwaitPublishAsync(publish.AsTask(), signals, publishing));

    private async Task AwaitPublishAsync(Task sent, BrokerSignals signals, CancellationTokenSource publishing)
    {
        try
        {
            while (!await HasEndedAsync(sent, publishing.Token).ConfigureAwait(false))
            {
                status.Window = _window.Published;
                Settle(signals, isIdle: true);
                RequireConfirms();
            }
        }
        catch when (!sent.IsCompleted)
        {
            // It reads bytes that the next publish overwrites, so it has to end first.
            await publishing.CancelAsync().ConfigureAwait(false);
            await sent.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
    }

    private static async Task<bool> HasEndedAsync(Task sent, CancellationToken cancellationToken)
    {
        try
        {
            await sent.WaitAsync(ConfirmLook, cancellationToken).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            if (!sent.IsCompleted)
            {
                return false;
            }
            // It has ended since. If this time was its own, that is thrown.
            await sent.ConfigureAwait(false);
        }
        return true;
    }

    // Returns the publish, which may go on; null where the message became a dead letter, or is damaged.
    private ValueTask? Publish(BrokerSession session, ForwardEntry<T> entry, CancellationToken cancellationToken)
    {
        ReadOnlyMemory<byte> body;
        MessageProperties? properties;
        try
        {
            body = _bodies.Write(entry.Lease);
            properties = entry.Lease.ReadProperties(_properties) ? _properties : null;
        }
        catch (QueueCorruptException exception)
        {
            MeetDamage(exception, entry.Position);
            return null;
        }
        catch (BridgeException unwritable)
        {
            SetAside(entry, unwritable.Problem, unwritable.Message);
            return null;
        }
        if (body.Length > options.MaxMessageSize)
        {
            SetAside(
                entry, BridgeProblem.TooLarge,
                $"It has {body.Length:N0} bytes, and ForwarderOptions.MaxMessageSize is {options.MaxMessageSize:N0}.");
            return null;
        }
        return Publish(session, entry, body, properties, cancellationToken);
    }

    private ValueTask? Publish(
        BrokerSession session, ForwardEntry<T> entry, ReadOnlyMemory<byte> body, MessageProperties? properties,
        CancellationToken cancellationToken)
    {
        entry.Key = KeyOf(properties);
        // Messages with another key may go to the same queue, in whatever order after a refusal: a source of their own.
        _window.NoteUnsent();
        string source = SourceOf(entry);
        var origin = new Origin(source, entry.Position, _window.PredecessorOf(entry.Key));
        BasicProperties envelope = _envelopes.Write(in origin, properties);
        if (_envelopes.WhyTooLong(entry.Key, session.Connection.FrameMax) is { } reason)
        {
            SetAside(entry, BridgeProblem.TooLarge, reason);
            return null;
        }
        Activity? before = Activity.Current;
        entry.Span = BridgeTracing.StartPublish(options, queue.Path, properties);
        entry.Span?.SetTag(BridgeTags.MessageId, envelope.MessageId ?? origin.MessageId);
        BridgeTracing.Carry(entry.Span, envelope.Headers!);
        _lastConfirm = _window.Published == 0 ? Environment.TickCount64 : _lastConfirm;
        // Before the call: what it has begun to send may be confirmed before it returns.
        _window.NotePublished();
        status.AddPublished();
        session.BeginPublish();
        CachedString key = entry.Key is null ? _routingKey : new CachedString(entry.Key);
        try
        {
            return session.Channel.BasicPublishAsync(_exchange, key, mandatory: true, envelope, body, cancellationToken);
        }
        finally
        {
            // The client's own span is a part of this one; the next message's is not.
            Activity.Current = before;
        }
    }

    private static long NumberOfDestination(ForwarderOptions options)
    {
        string key = options.RoutingKeyHeader is { } header ? $"\n{header}" : options.RoutingKey,
            host = options.Broker.CreateFactory().VirtualHost;
        string text = host == ConnectionFactory.DefaultVHost ? $"{options.Exchange}\n{key}" : $"{host}\n\n{options.Exchange}\n{key}";
        return BinaryPrimitives.ReadInt64LittleEndian(SHA256.HashData(Encoding.UTF8.GetBytes(text))) | 1;
    }

    private string SourceOf(ForwardEntry<T> entry)
    {
        if (entry.Epoch != _epoch)
        {
            (_epoch, _epochSource) = (entry.Epoch, Origin.SourceOf(source.Source, entry.Epoch));
        }
        return entry.Key is null ? _epochSource : Origin.SourceOf(_epochSource, entry.Key);
    }

    private string? KeyOf(MessageProperties? properties) => options.RoutingKeyHeader is not { } header ? null
        : properties is not null && properties.Headers.TryGetValue(header, out string? key) ? key
        : options.RoutingKey;
}
