namespace BlitQueue.Bench.Links;

/// <summary>Sends nothing: what is measured of it is the machine.</summary>
internal readonly struct NothingSender : ISender
{
    public void Send(long number)
    {
    }

    public void Dispose()
    {
    }
}
