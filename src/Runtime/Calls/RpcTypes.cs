namespace BlitQueue.Calls;

/// <summary>The types of a channel as its file says them: two types are the same where their schemas are.</summary>
internal static class RpcTypes<TRequest, TReply>
    where TRequest : IPackable<TRequest>
    where TReply : IPackable<TReply>
{
    public static readonly string Layout = string.Create(
        CultureInfo.InvariantCulture,
        $"requests {TRequest.Schema.Fingerprint:x16} and replies {TReply.Schema.Fingerprint:x16}: "
            + $"{TRequest.Schema.Text} answered by {TReply.Schema.Text}");
}
