namespace BlitQueue.Cli.Codecs;

/// <summary>A message without a length in front.</summary>
internal abstract class BodyCodec : Codec
{
    /// <summary>The most that the header of a message can say.</summary>
    public const int MostPart = 65_534;

    private const int MostMessages = 64, HeaderSize = 4;

    /// <summary>Reads the header of a message, and goes behind its fixed block.</summary>
    /// <returns>false for null.</returns>
    protected static bool TryBegin(ref PackedInput input, out int start, out int length, out int count)
    {
        ReadOnlySpan<byte> header = input.Take(HeaderSize);
        (start, length) = (input.At, BinaryPrimitives.ReadUInt16LittleEndian(header));
        count = BinaryPrimitives.ReadUInt16LittleEndian(header[2..]);
        if (length > MostPart && count > MostPart)
        {
            return false;
        }
        if (length > MostPart || count > MostPart)
        {
            throw input.Fault($"0x{count:X4}{length:X4} is no header of a message");
        }
        if (input.Depth >= MostMessages)
        {
            throw input.Fault($"more than {MostMessages} messages are inside each other");
        }
        input.Take(length);
        input.Depth++;
        return true;
    }

    protected static void Begin(ref JsonInput json, PackedOutput output, string what = "an object")
    {
        json.Require(JsonTokenType.StartObject, what);
        if (++output.Depth > MostMessages)
        {
            throw json.Fault($"more than {MostMessages} messages are inside each other");
        }
    }

    /// <summary>Finds the members of an object.</summary>
    /// <param name="json">At the object's beginning; afterwards at its end.</param>
    /// <param name="members">The members that there may be.</param>
    /// <param name="marks">Called for names that begin with a dollar sign, at the value.</param>
    /// <returns>Where the value of each is; the default if it is not there.</returns>
    protected static Range[] Find(ref JsonInput json, IReadOnlyList<StoredMember> members, ReadMark? marks = null)
    {
        var found = new Range[members.Count];
        int next = 0;
        while (json.TryNextMember(out string name))
        {
            if (name.StartsWith('$') && marks?.Invoke(name, ref json) == true)
            {
                continue;
            }
            int index = next < members.Count && members[next].Name == name ? next : IndexOf(members, name);
            found[index < 0 ? throw json.Fault($"the message has no member '{name}'") : index] = json.Skip();
            next = index + 1;
        }
        return found;
    }

    /// <summary>Reads a member of the object that is not a member of the message.</summary>
    /// <returns>false if its name is not known.</returns>
    protected delegate bool ReadMark(string name, ref JsonInput json);

    protected static bool IsThere(Range found) => !found.Equals(default);

    /// <summary>Packs the value that was found, and says in which member it was if it is wrong.</summary>
    protected static void EncodePart(in JsonInput json, Range found, StoredMember member, Codec codec, PackedOutput output)
    {
        try
        {
            JsonInput part = json.Part(found);
            codec.Encode(ref part, output);
        }
        catch (JsonFaultException fault)
        {
            throw new JsonFaultException($"{member.Name}: {fault.Message}");
        }
    }

    private static int IndexOf(IReadOnlyList<StoredMember> members, string name)
    {
        for (int index = 0; index < members.Count; index++)
        {
            if (members[index].Name == name)
            {
                return index;
            }
        }
        return -1;
    }
}
