namespace BlitQueue.Platform;

/// <content>Memory that grows in place.</content>
internal sealed partial class WindowsPlatform
{
    private const uint MakeUsable = 0x1000, KeepFree = 0x2000, GiveAllBack = 0x8000;
    private const uint NoAccess = 1, ForReadingAndWriting = 4;

    // What is reserved counts against no limit but that of addresses; what is made usable counts against the system's commit limit.
    public override GrowingMemory? TryReserve(long most)
    {
        nint address = Kernel32.Reserve(0, (nuint)most, KeepFree, NoAccess);
        return address == 0 ? null : new Stretch(address, most);
    }

    private sealed class Stretch(nint address, long most) : GrowingMemory(address, most)
    {
        // To ask once more for what is usable already is no error.
        protected override bool TryMakeUsable(long length) =>
            Kernel32.Reserve(Address, (nuint)length, MakeUsable, ForReadingAndWriting) != 0;

        protected override void GiveBack(long length) => Kernel32.Release(Address, 0, GiveAllBack);
    }
}
