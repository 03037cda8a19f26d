using System.Buffers.Binary;
using System.Numerics;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Explorer;

/// <summary>Looks through the files as a schedule has left them, with nothing of the protocol's reading code.</summary>
internal sealed class Audit(Scenario scenario)
{
    private readonly QueueBench _bench = scenario.Bench;

    // Whether somebody has looked at the end, when all others were through.
    private readonly bool _comesLast = scenario.Actors.Any(static actor => actor.ComesLast);
    private readonly Dictionary<long, int> _messages = [];
    private long _inLog;
    private long _end;

    /// <returns>What is wrong; null when nothing is.</returns>
    public string? Judge(WorldState state)
    {
        _bench.Words.ShowAll(state.Memory.Latest);
        string? fault = ReadLog() ?? JudgeAppends(state) ?? JudgeTail(state) ?? JudgeConsumption(state);
        _bench.Words.ShowInitial();
        return fault;
    }

    private string? ReadLog()
    {
        RecordCheck check = _bench.Meta.RecordCheck;
        long batchEnd = 0;
        foreach ((long position, long header, Segment segment) in _bench.Records())
        {
            _end = position;
            RecordKind kind = RecordFormat.Kind(header);
            if (header == 0)
            {
                break;
            }
            ReadOnlySpan<byte> payload = segment.Payload(position, RecordFormat.Length(header));
            if (!check.Fits(header, position, payload))
            {
                return $"the record at {position} has a check that does not fit";
            }
            if (kind.IsInBatch() != position < batchEnd)
            {
                return $"the record at {position} is of a kind that cannot be there";
            }
            if (kind == RecordKind.Batch)
            {
                batchEnd = position + RecordFormat.Extent(payload.Length)
                    + BatchLayout.AnnouncedBytes(BinaryPrimitives.ReadInt64LittleEndian(payload));
            }
            else if (!kind.IsPad() && Add(position, payload) is { } fault)
            {
                return fault;
            }
        }
        return batchEnd > _end ? $"a batch that is to end at {batchEnd} ends at {_end}" : null;
    }

    private string? Add(long position, ReadOnlySpan<byte> payload)
    {
        int message = MessageText.Read(payload);
        if (message < 0)
        {
            return $"the record at {position} is none that was appended";
        }
        if ((_inLog & (1L << message)) != 0)
        {
            return $"message {message} is in the log twice";
        }
        long later = -2L << message & (0xFFFFL << (message & ~15));
        if ((_inLog & later) != 0)
        {
            return $"message {message} comes behind a later one of its producer";
        }
        _inLog |= 1L << message;
        _messages.Add(position, message);
        return null;
    }

    private string? JudgeAppends(WorldState state)
    {
        long lost = state.Ledger.Acknowledged & ~_inLog;
        if (lost != 0)
        {
            return $"message {BitOperations.TrailingZeroCount(lost)} was acknowledged and is not in the log";
        }
        long unknown = _inLog & ~state.Ledger.Acknowledged;
        for (int actor = 0; actor < state.Actors.Length; actor++)
        {
            long open = state.Ledger.OpenOf(actor);
            if (state.Actors[actor] == ActorState.Dead)
            {
                if ((unknown & open) != 0 && (unknown & open) != open)
                {
                    return "of what a dead process was appending together, a part is in the log";
                }
                unknown &= ~open;
            }
        }
        return unknown == 0 ? null : $"message {BitOperations.TrailingZeroCount(unknown)} is in the log, and its append did not succeed";
    }

    private string? JudgeTail(WorldState state)
    {
        long owner = _bench.Control.AppendHolder<MachineMemory>();
        bool isFree = owner == 0;
        if (!isFree && _bench.ProcessOf(owner) is var process && process < state.Actors.Length && state.Actors[process] != ActorState.Dead)
        {
            return $"process {process} has kept the append lock";
        }
        if (_bench.Control.Tail > _end || (isFree && _bench.Control.Tail != _end))
        {
            return $"the tail is {_bench.Control.Tail} and the log ends at {_end}";
        }
        return null;
    }

    private string? JudgeConsumption(WorldState state)
    {
        long next = SubscriptionFormat.Position(_bench.Subscription.Next);
        Dictionary<long, int> held = Held(state);
        int unexplained = 0;
        long waiting = 0, missing = 0;
        foreach ((long position, int message) in _messages)
        {
            int owed = state.Ledger.Owed(message) - (IsMessageAgain(message) ? 1 : 0);
            int cells = held.GetValueOrDefault(position), there = cells + (position >= next ? 1 : 0);
            if (owed < 0)
            {
                return $"letter {message} was consumed, and is a message again";
            }
            if (there > owed)
            {
                return cells > 1
                    ? $"the message at {position} is in {cells} lease cells"
                    : $"message {message} was consumed and will be delivered again";
            }
            waiting |= there > 0 ? 1L << message : 0;
            missing |= owed - there > (int)((state.Ledger.Unknown >> message) & 1) ? 1L << message : 0;
            unexplained += owed - there;
            if (there > 0 && IsAnyAsleep(state))
            {
                return $"message {message} waits, and a consumer sleeps";
            }
        }
        if ((state.Ledger.Consumed & ~_inLog) != 0)
        {
            return "a message was consumed that is not in the log";
        }
        if (waiting != 0 && _comesLast)
        {
            return $"message {BitOperations.TrailingZeroCount(waiting)} was never delivered again, nor found consumed by who looked last";
        }
        if (_comesLast)
        {
            return missing == 0 ? null : $"message {BitOperations.TrailingZeroCount(missing)} is passed, and was consumed by nobody";
        }
        // Who was killed may have consumed one message and not lived to say so.
        return unexplained <= state.Actors.Count(static actor => actor == ActorState.Dead)
            ? null : $"{unexplained} messages are passed and were consumed by nobody";
    }

    private bool IsMessageAgain(int letter) =>
        scenario.AreLetters && letter < Steps.Again && (_inLog & (1L << (letter + Steps.Again))) != 0;

    private static bool IsAnyAsleep(WorldState state) => state.Actors.Contains(ActorState.Asleep);

    // How many lease cells each message stands in.
    private Dictionary<long, int> Held(WorldState state)
    {
        var held = new Dictionary<long, int>();
        long next = _bench.Subscription.Next;
        for (int cell = 1; cell <= SubscriptionFormat.Cells; cell++)
        {
            long message = _bench.Subscription.Message(cell), position = SubscriptionFormat.MessagePosition(message);
            LeaseState leaseState = SubscriptionFormat.State(message);
            if (new LeaseCell(cell, message, _bench.Subscription.Owner(cell), 0) is { State: LeaseState.None, Holder: not 0 and var holder }
                && _bench.ProcessOf(holder) is var process && process < state.Actors.Length && state.Actors[process] != ActorState.Dead)
            {
                state.Fault ??= $"process {process} has kept lease cell {cell}, in which there is nothing";
            }
            bool claimed = leaseState == LeaseState.Claiming && SubscriptionFormat.Cell(next) == cell
                && position < SubscriptionFormat.Position(next);
            if (claimed || leaseState is not (LeaseState.None or LeaseState.Claiming))
            {
                held[position] = held.GetValueOrDefault(position) + 1;
            }
        }
        return held;
    }
}
