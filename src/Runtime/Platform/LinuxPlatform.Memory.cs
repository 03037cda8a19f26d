namespace BlitQueue.Platform;

/// <content>Memory that grows in place.</content>
internal partial class LinuxPlatform
{
    private const int InLargePages = 14;

    public GrowingMemory? TryReserve(long most)
    {
        // Without access rights none of it counts against the system's commit limit, also if the system does not overcommit.
        nint address = LibC.Reserve(0, (nuint)most, NoAccess, Private | OfNoFile | Unbacked, -1, 0);
        return address == LibC.NoMapping ? null : new Stretch(address, most);
    }

    private sealed class Stretch(nint address, long most) : GrowingMemory(address, most)
    {
        protected override bool TryMakeUsable(long length)
        {
            if (LibC.Protect(Address, (nuint)length, ForReading | ForWriting) != 0)
            {
                return false;
            }
            // A hint: taking 2 MiB at once is several times faster than page by page.
            LibC.AdviseMemory(Address, (nuint)length, InLargePages);
            return true;
        }

        protected override void GiveBack(long length) => LibC.Unmap(Address, (nuint)length);
    }
}
