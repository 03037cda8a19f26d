namespace BlitQueue.Cli.Wire;

/// <summary>The position in the bytes of a message that is being read. It trusts no length: each is compared with what is left.</summary>
internal ref struct PackedInput(ReadOnlySpan<byte> data)
{
    private const uint Null = 0xFFFF_FFFF, Hole = 0xFFFF_FFFE;
    private const int MostVariables = 512;

    // The types of the objects with identity, by their numbers.
    private List<int>? _objects;
    private int _open;

    public readonly ReadOnlySpan<byte> Data = data;

    /// <summary>Where the next byte is.</summary>
    public int At;

    /// <summary>Where the innermost variable ends.</summary>
    public int End = data.Length;

    /// <summary>How many messages are inside each other here.</summary>
    public int Depth;

    /// <summary>How many bytes the compressed members had before compression, weighted.</summary>
    public long Decompressed;

    public readonly int Left => End - At;

    public readonly PackedFaultException Fault(string what) => new(At, what);

    public readonly void Need(int bytes)
    {
        if (bytes > Left)
        {
            throw Fault($"{bytes} bytes are needed and {Left} are left");
        }
    }

    /// <summary>Takes so many bytes.</summary>
    public ReadOnlySpan<byte> Take(int bytes)
    {
        Need(bytes);
        At += bytes;
        return Data.Slice(At - bytes, bytes);
    }

    public ReadOnlySpan<byte> TakeRest() => Take(Left);

    public uint U32() => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint)));

    /// <summary>The length of a variable, all of whose content is there; -1 for null.</summary>
    public int Length()
    {
        uint length = U32();
        return length <= (uint)Left ? (int)length
            : length == Null ? -1
            : throw Fault($"{length} bytes are needed and {Left} are left");
    }

    /// <summary>Takes the mark of a member that is not there, if it is here.</summary>
    public bool TryTakeHole()
    {
        Need(sizeof(uint));
        bool isHole = BinaryPrimitives.ReadUInt32LittleEndian(Data[At..]) == Hole;
        At += isHole ? sizeof(uint) : 0;
        return isHole;
    }

    /// <summary>Begins a variable: gives the end of the one around it, for <see cref="Finish"/>; -1 for null.</summary>
    public int Begin()
    {
        int length = Length();
        if (length < 0)
        {
            return -1;
        }
        if (++_open > MostVariables)
        {
            throw Fault($"more than {MostVariables} variables are inside each other");
        }
        int outer = End;
        End = At + length;
        return outer;
    }

    /// <summary>Ends a variable, all of which was read.</summary>
    public void Finish(int outer)
    {
        if (At != End)
        {
            throw Fault($"{Left} bytes are left over behind the last value");
        }
        _open--;
        End = outer;
    }

    /// <summary>The number of elements that are variables.</summary>
    public int Count()
    {
        uint count = U32();
        return count <= (uint)Left ? (int)count : throw Fault($"{count} elements cannot be in the {Left} bytes left");
    }

    /// <summary>Gives the next object with identity its number.</summary>
    public int AddObject(int type)
    {
        (_objects ??= []).Add(type);
        return _objects.Count - 1;
    }

    /// <summary>Whether an object with this number, of this type, is in front.</summary>
    public readonly bool HasObject(uint number, int type)
        => _objects is not null && number < _objects.Count && _objects[(int)number] == type;
}
