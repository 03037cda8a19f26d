namespace BlitQueue.Generator.Tests.Properties;

/// <summary>How a member gets its value.</summary>
internal enum MemberWay
{
    Set,
    Init,
    Required,
    Field,
    Constructor,
}
