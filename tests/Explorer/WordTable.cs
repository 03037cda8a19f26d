using System.Runtime.CompilerServices;

namespace BlitQueue.Explorer;

/// <summary>
/// The words that some process of the scenario writes, by number. All others never change: who loads one is told what was there at the
/// beginning, and nobody else need know that it did. Which words are written is found out on the way; a new one restarts the exploration.
/// </summary>
internal sealed unsafe class WordTable
{
    private readonly List<Region> _regions = [];
    private readonly List<(nint Address, int Size)> _words = [];

    public int Count => _words.Count;

    /// <summary>Whether a word was added since this was last set to false.</summary>
    public bool HasGrown { get; set; }

    /// <summary>Makes a stretch of memory part of what is simulated; its present content is what everything starts from.</summary>
    public void Add(Span<byte> bytes, Func<long, string> name)
    {
        nint start = (nint)Unsafe.AsPointer(ref bytes[0]);
        int[] numbers = new int[(bytes.Length / sizeof(int)) + 1];
        Array.Fill(numbers, -1);
        _regions.Add(new Region(start, bytes.Length, bytes.ToArray(), numbers, name));
    }

    public bool Contains(nint address) => TryFind(address, out _);

    /// <summary>The word's number, or -1 when nobody writes it.</summary>
    public int Find(nint address) => NumberOf(address);

    /// <summary>The word's number; from now on it is one that is written.</summary>
    public int FindWritten(nint address, int size)
    {
        ref int number = ref NumberOf(address);
        if (number < 0)
        {
            number = _words.Count;
            _words.Add((address, size));
            HasGrown = true;
        }
        return number;
    }

    /// <summary>What a word was at the beginning.</summary>
    public long Initial(nint address, int size)
    {
        Region region = RegionOf(address);
        fixed (byte* initial = region.Initial)
        {
            byte* at = initial + (address - region.Start);
            return size == sizeof(int) ? *(int*)at : *(long*)at;
        }
    }

    public long InitialOf(int number) => Initial(_words[number].Address, _words[number].Size);

    public int SizeOf(int number) => _words[number].Size;

    /// <summary>Puts a value where plain instructions of the running process find it.</summary>
    public static void Show(nint address, int size, long value)
    {
        if (size == sizeof(int))
        {
            *(int*)address = (int)value;
        }
        else
        {
            *(long*)address = value;
        }
    }

    /// <summary>Makes the real memory what the simulated one is.</summary>
    public void ShowAll(Func<int, long> value)
    {
        for (int number = 0; number < _words.Count; number++)
        {
            Show(_words[number].Address, _words[number].Size, value(number));
        }
    }

    /// <summary>Makes the real memory what it was at the beginning.</summary>
    public void ShowInitial()
    {
        foreach (Region region in _regions)
        {
            region.Initial.CopyTo(new Span<byte>((void*)region.Start, (int)region.Length));
        }
    }

    /// <summary>Which words these are: a schedule has a move for each access to one, so it can only be followed with the same.</summary>
    public string Export() => string.Join(',', _words.Select(word =>
        TryFind(word.Address, out int region) ? $"{region}.{word.Address - _regions[region].Start}.{word.Size}" : ""));

    /// <summary>Makes them so again.</summary>
    public void Import(string words)
    {
        foreach (string word in words.Split(','))
        {
            int[] parts = [.. word.Split('.').Select(int.Parse)];
            FindWritten(_regions[parts[0]].Start + parts[1], parts[2]);
        }
    }

    public string Name(int number)
    {
        nint address = _words[number].Address;
        return TryFind(address, out int region) ? _regions[region].Name(address - _regions[region].Start) : "?";
    }

    private ref int NumberOf(nint address)
    {
        Region region = RegionOf(address);
        return ref region.Numbers[(address - region.Start) / sizeof(int)];
    }

    private Region RegionOf(nint address) => TryFind(address, out int region)
        ? _regions[region] : throw new InvalidOperationException("The protocol reached a word outside of the simulated memory.");

    private bool TryFind(nint address, out int region)
    {
        for (region = 0; region < _regions.Count; region++)
        {
            if ((ulong)(address - _regions[region].Start) < (ulong)_regions[region].Length)
            {
                return true;
            }
        }
        return false;
    }

    // The numbers of its words stand at their offsets, in steps of 4 bytes.
    private sealed record Region(nint Start, long Length, byte[] Initial, int[] Numbers, Func<long, string> Name);
}
