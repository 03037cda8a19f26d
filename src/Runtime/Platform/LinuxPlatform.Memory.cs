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

    private sealed class Stretch(nint address, long most) : GrowingMemory(address)
    {
        private long _length;
        private bool _isUnmapped;

        public override bool TryGrow(long length)
        {
            if (length <= _length)
            {
                return true;
            }
            if (length > most)
            {
                return false;
            }
            long grown = Math.Min(most, Math.Max((length + LargePage - 1) & -LargePage, 2 * _length));
            if (LibC.Protect(Address, (nuint)grown, ForReading | ForWriting) != 0)
            {
                return false;
            }
            // A hint: taking 2 MiB at once is several times faster than page by page.
            LibC.AdviseMemory(Address, (nuint)grown, InLargePages);
            _length = grown;
            return true;
        }

        public override void Dispose()
        {
            if (!_isUnmapped)
            {
                _isUnmapped = true;
                LibC.Unmap(Address, (nuint)most);
            }
        }
    }
}
