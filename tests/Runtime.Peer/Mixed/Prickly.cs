namespace BlitQueue.Peer.Mixed;

/// <summary>
/// A parcel with code of its own in setters, getters and callbacks, which throws where <see cref="Prick"/> says so. Its
/// schema is that of <see cref="Parcel"/>.
/// </summary>
[QueueMessage]
internal sealed partial class Prickly : IParcel
{
    private int _length;
    private byte[] _body = [];

    public int Producer { get; set; }

    public long Number { get; set; }

    public int Length
    {
        get
        {
            Prick.Touch("a getter");
            return _length;
        }
        set
        {
            Prick.Touch("a setter");
            _length = value;
        }
    }

    public byte[] Body
    {
        get => _body;
        set
        {
            Prick.Touch("the last setter");
            _body = value;
        }
    }

    [OnPacking]
    private void BeforePacking() => Prick.Touch("[OnPacking]");

    [OnPacked]
    private void AfterPacking() => Prick.Touch("[OnPacked]");

    [OnUnpacking]
    private void BeforeUnpacking() => Prick.Touch("[OnUnpacking]");

    [OnUnpacked]
    private void AfterUnpacking() => Prick.TouchUnpacked(Number);
}
