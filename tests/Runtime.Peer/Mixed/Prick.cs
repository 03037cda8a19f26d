namespace BlitQueue.Peer.Mixed;

/// <summary>What the messages' own code throws now and then: nothing that the queue knows.</summary>
internal sealed class PrickException(string point) : Exception($"The message's own code threw in {point}.");

/// <summary>Makes code of a message, which the queue runs, throw: at the moment that the thread has asked for.</summary>
internal static class Prick
{
    // Of the messages that no consumer with poison can unpack.
    private const long Poisoned = 211;

    [ThreadStatic]
    private static int _countdown;

    [ThreadStatic]
    private static bool _isPoisoned;

    /// <summary>The given call of the messages' code on this thread, counted from 1, throws; 0: none.</summary>
    public static void Arm(int call, bool poison = false)
    {
        _countdown = call;
        _isPoisoned = poison;
    }

    public static void Disarm() => Arm(0);

    /// <summary>Called by the messages.</summary>
    public static void Touch(string point)
    {
        if (_countdown > 0 && --_countdown == 0)
        {
            throw new PrickException(point);
        }
    }

    /// <summary>Called by a message that has been unpacked: one in many throws each time, for threads that asked for it.</summary>
    public static void TouchUnpacked(long number)
    {
        Touch("[OnUnpacked]");
        if (_isPoisoned && number % Poisoned == Poisoned - 1)
        {
            throw new PrickException("[OnUnpacked], each time");
        }
    }
}
