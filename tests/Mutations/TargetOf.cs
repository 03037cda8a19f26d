using System.Reflection;

namespace BlitQueue.Mutations;

/// <inheritdoc/>
internal sealed class Target<T>(Type type) : Target(type)
    where T : IPackable<T>
{
    private static readonly Action<byte[], object?, ViewWatch>? LookAtView = MakeLook();

    private T? _value;
    private bool _isRead;

    public override byte[] Pack(object message) => Packer.Pack((T)message);

    public override void Pack(System.Buffers.IBufferWriter<byte> destination, object message) => Packer.Pack(destination, (T)message);

    public override void Try(byte[] bytes, byte[] used)
    {
        _value = default;
        Watched(bytes, Unpack);
        if (_isRead)
        {
            PackAgain(_value);
        }

        _value = Packer.Unpack<T>(used);
        Watched(bytes, Unpack);
        if (_isRead)
        {
            PackAgain(_value);
        }
        else
        {
            UseAgain(used);
        }

        _value = default;
        if (LookAtView is not null)
        {
            WatchedLook(bytes, LookAtView);
        }
    }

    public override void Bear(byte[] bytes)
    {
        _value = default;
        Watched(bytes, Unpack);
        if (_isRead)
        {
            PackSwollen(bytes);
        }

        _value = default;
    }

    // Of elements that are equal a set keeps one. The fewer bytes may not warrant the memory that the other members take.
    private void PackSwollen(byte[] bytes)
    {
        try
        {
            Packer.Pack(in _value);
        }
        catch (PackException refused) when (refused.Offset < bytes.Length && refused.Message.Contains("do not warrant"))
        {
            Overweight++;
        }
    }

    public override bool Accepts(byte[] bytes)
    {
        try
        {
            Packer.Unpack<T>(bytes);
            return true;
        }
        catch (PackException)
        {
            return false;
        }
    }

    public override void RoundTrip(object message, byte[] used)
    {
        byte[] bytes = Pack(message);
        string text = ValueText.Of(message);
        Same(text, Packer.Unpack<T>(bytes), "unpacked");

        T? over = Packer.Unpack<T>(used);
        if (Packer.Unpack(bytes, ref over) != bytes.Length)
        {
            throw new InvalidOperationException($"{Type.Name}: not all bytes were read.");
        }

        Same(text, over, "unpacked over another");
        LookAtView?.Invoke(bytes, message, new ViewWatch { Compares = true });
    }

    public override object UnpackNew(byte[] bytes) => Packer.Unpack<T>(bytes)!;

    public override void ComeBack(IReadOnlyList<object> messages)
    {
        byte[][] packed = [.. messages.Select(Pack)];
        T?[] fresh = packed.Select(bytes => Packer.Unpack<T>(bytes)).ToArray();
        T?[] over = packed.Select((_, index) => Packer.Unpack<T>(packed[(index + 1) % packed.Length])).ToArray();
        for (int i = 0; i < packed.Length; i++)
        {
            Packer.Unpack(packed[i], ref over[i]);
        }

        for (int i = 0; i < packed.Length; i++)
        {
            CameBack(messages[i], packed[i], fresh[i], "unpacked");
            CameBack(messages[i], packed[i], over[i], "unpacked over another");
        }
    }

    public override void Reads(byte[] bytes, object message) => Same(ValueText.Of(message), Packer.Unpack<T>(bytes), "read");

    private void Unpack(byte[] bytes)
    {
        _isRead = false;
        try
        {
            Packer.Unpack(bytes, ref _value);
            _isRead = true;
            Messages++;
        }
        catch (PackException)
        {
            Faults++;
        }
    }

    // Whatever came out is valid: it packs, and what was packed comes back equal.
    private void PackAgain(T? value)
    {
        if (value is null)
        {
            return;
        }

        byte[] bytes = Packer.Pack(in value);
        T? again = Packer.Unpack<T>(bytes);
        if (!Packer.Pack(in again).AsSpan().SequenceEqual(bytes))
        {
            Same(ValueText.Of(value), again, "packed again");
        }
    }

    // An instance that a PackException came out of can be used on.
    private void UseAgain(byte[] used)
    {
        Packer.Unpack(used, ref _value);
        if (!Packer.Pack(in _value).AsSpan().SequenceEqual(used))
        {
            Same(ValueText.Of(Packer.Unpack<T>(used)), _value, "used again");
        }
    }

    // The same bytes are the same message; what has no order may come in another one.
    private void CameBack(object message, byte[] packed, T? come, string how)
    {
        if (!Packer.Pack(in come).AsSpan().SequenceEqual(packed))
        {
            Same(ValueText.Of(message), come, how);
        }
    }

    private void Same(string expected, T? value, string how)
    {
        string actual = ValueText.Of(value);
        if (actual != expected)
        {
            throw new InvalidOperationException($"{Type.Name} {how} is {actual}, not {expected}.");
        }
    }

    private static Action<byte[], object?, ViewWatch>? MakeLook()
        => typeof(T).GetNestedTypes().FirstOrDefault(Views.IsView) is { } view
            ? (Action<byte[], object?, ViewWatch>)typeof(Target<T>).GetMethod(nameof(LookAs), BindingFlags.NonPublic | BindingFlags.Static)!
                .MakeGenericMethod(view).Invoke(null, [])!
            : null;

    private static Action<byte[], object?, ViewWatch> LookAs<TView>()
        where TView : allows ref struct
    {
        ViewFactory<TView> make = typeof(TView).GetMethod("From")!.CreateDelegate<ViewFactory<TView>>();
        return (bytes, value, watch) =>
        {
            try
            {
                TView? view = make(bytes);
                Views<TView>.Look(ref view, value, watch);
            }
            catch (PackException) when (watch.ExpectsFaults)
            {
                watch.Faults++;
            }
        };
    }
}
