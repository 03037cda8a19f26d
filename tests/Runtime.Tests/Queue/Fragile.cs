namespace BlitQueue.Tests.Queue;

/// <summary>Where code of a message type of one's own runs.</summary>
public enum OwnCode
{
    None,
    OnPacking,
    Getter,
    Enumerable,
    Packer,
    OnPacked,
    Constructor,
    OnUnpacking,
    Setter,
    Unpacker,
    OnUnpacked,
}

/// <summary>What it throws.</summary>
internal sealed class FragileException(OwnCode where) : Exception($"thrown in {where}");

/// <summary>A message that runs all kinds of code of its own, each of which throws when it is told to.</summary>
[QueueMessage]
internal sealed partial class Fragile
{
    private static volatile OwnCode Armed;
    private static long? ArmedId;

    private long _id;

    public Fragile() => Check(OwnCode.Constructor, id: null);

    public long Id
    {
        get
        {
            Check(OwnCode.Getter, _id);
            return _id;
        }

        set
        {
            Check(OwnCode.Setter, value);
            _id = value;
        }
    }

    public IEnumerable<int>? Numbers { get; set; }

    [PackWith(typeof(FragilePacker))]
    public FragilePart Part { get; set; }

    public string? Text { get; set; }

    /// <summary>Has code throw, until <see cref="Disarm"/>.</summary>
    /// <param name="where">Which code.</param>
    /// <param name="id">Of one message alone, where the code can know which it is.</param>
    public static void Arm(OwnCode where, long? id = null) => (ArmedId, Armed) = (id, where);

    public static void Disarm() => Armed = OwnCode.None;

    public static void Check(OwnCode where, long? id)
    {
        if (Armed == where && (ArmedId is null || ArmedId == id))
        {
            throw new FragileException(where);
        }
    }

    public static Fragile Of(long id, int length = 0) =>
        new() { _id = id, Numbers = Count(id), Part = new FragilePart(id), Text = new string('x', length) };

    private static IEnumerable<int> Count(long id)
    {
        yield return 1;
        Check(OwnCode.Enumerable, id);
        yield return 2;
    }

    [OnPacking]
    private void Packing() => Check(OwnCode.OnPacking, _id);

    [OnPacked]
    private void Packed() => Check(OwnCode.OnPacked, _id);

    [OnUnpacking]
    private static void Unpacking() => Check(OwnCode.OnUnpacking, id: null);

    [OnUnpacked]
    private void Unpacked() => Check(OwnCode.OnUnpacked, _id);
}

internal readonly record struct FragilePart(long Id);

internal readonly struct FragilePacker : IPacker<FragilePart>
{
    public static void Pack(ref PackWriter writer, scoped in FragilePart value)
    {
        writer.WriteValue(value.Id);
        Fragile.Check(OwnCode.Packer, value.Id);
    }

    public static void Unpack(ref PackReader reader, scoped ref FragilePart value)
    {
        long id = reader.ReadValue<long>();
        Fragile.Check(OwnCode.Unpacker, id);
        value = new FragilePart(id);
    }
}
