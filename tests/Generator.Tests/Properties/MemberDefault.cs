namespace BlitQueue.Generator.Tests.Properties;

/// <summary>Where a new message's member gets an instance from that others use as well.</summary>
internal enum MemberDefault
{
    None,
    Initializer,
    Constructor,
    Getter,
}
