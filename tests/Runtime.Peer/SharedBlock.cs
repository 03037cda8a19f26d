using System.Runtime.CompilerServices;

namespace BlitQueue.Peer;

/// <summary>4 KiB, of which every part follows from its number: parts of two writes do not fit together.</summary>
public struct SharedBlock
{
    public long Number;
    public SharedBlockBody Body;

    public static SharedBlock Of(long number)
    {
        var block = new SharedBlock { Number = number };
        for (int i = 0; i < SharedBlockBody.Length; i++)
        {
            block.Body[i] = number + i;
        }
        return block;
    }

    public bool IsWhole()
    {
        for (int i = 0; i < SharedBlockBody.Length; i++)
        {
            // All zeros before the first write.
            if (Body[i] != (Number == 0 ? Body[0] : Number + i))
            {
                return false;
            }
        }
        return true;
    }
}

[InlineArray(Length)]
public struct SharedBlockBody
{
    public const int Length = 511;

    private long _first;
}
