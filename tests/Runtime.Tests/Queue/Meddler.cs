namespace BlitQueue.Tests.Queue;

/// <summary>A message during whose reading something else happens, once, on the thread that says so.</summary>
[QueueMessage]
internal sealed partial class Meddler
{
    [ThreadStatic]
    private static Action? _meanwhile;

    private long _id;

    public static Action? Meanwhile
    {
        set => _meanwhile = value;
    }

    public long Id
    {
        get => _id;
        set
        {
            Action? meanwhile = _meanwhile;
            _meanwhile = null;
            meanwhile?.Invoke();
            _id = value;
        }
    }
}
