namespace BlitQueue.Log;

/// <summary>
/// What the append lock's word says: 0 while it is free, the holder's owner word, or, while it is biased, the owner word of the participant
/// that it is biased to, with marks above it.
/// </summary>
internal static class LockWord
{
    // The marks: how many times the lock was biased to this participant, and whether that is being revoked.
    private const int GrantShift = 48;
    private const long Revoked = 1L << 62;

    /// <summary>
    /// A participant gets no further bias after so many. So no two biases have one word, and who was stopped while it revoked one takes no
    /// later one for it.
    /// </summary>
    public const long MostGrants = (1L << 14) - 1;

    public static long Biased(long owner, long grant) => owner | (grant << GrantShift);

    public static bool IsBiased(long word) => word >> GrantShift != 0;

    /// <summary>For which time the lock is biased to the participant; 0 in a damaged word.</summary>
    public static long GrantOf(long word) => (word >> GrantShift) & MostGrants;

    public static bool IsRevoked(long word) => (word & Revoked) != 0;

    /// <summary>The word of a bias that is being revoked.</summary>
    public static long Revoke(long word) => word | Revoked;

    /// <summary>The owner word alone.</summary>
    public static long OwnerOf(long word) => word & ((1L << GrantShift) - 1);
}
