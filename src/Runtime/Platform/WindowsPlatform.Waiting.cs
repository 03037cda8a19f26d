namespace BlitQueue.Platform;

/// <content>
/// Sleeping on words, by events that have names (<see cref="WordEvents"/>), because WaitOnAddress does not reach across processes.
/// </content>
internal sealed partial class WindowsPlatform
{
    private readonly WindowsViews _views = new();

    public override int MostWords => Kernel32.MostHandles;

    public override void Wait(nint address, int expected, TimeSpan timeout) =>
        WaitAny([new ExpectedWord(address, expected, IsOwn: _views.Find(address) is null)], timeout);

    public override void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout)
    {
        if (words.Length > MostWords || !WordSleep.Mine.TrySleep(words, _views, timeout))
        {
            Poll(words.Length, timeout);
        }
    }

    public override void WakeAll(nint address, int left)
    {
        if (_views.Find(address) is { } view)
        {
            view.Wake(address, left);
        }
        else
        {
            WordSleep.WakeOwn(address, left);
        }
    }
}
