using System.Globalization;

namespace BlitQueue.Peer;

/// <summary>
/// What this process was told: the command, the queue's directory, the file for its log, and options as <c>name=value</c>.
/// </summary>
internal sealed class Arguments(string[] texts)
{
    private readonly Dictionary<string, string> _options = texts.Skip(3).Select(static text => text.Split('=', 2))
        .ToDictionary(static parts => parts[0], static parts => parts[1]);

    public string Command => texts[0];

    public string Directory => texts[1];

    public string LogPath => texts[2];

    public long Number(string name, long otherwise) =>
        _options.TryGetValue(name, out string? text) ? long.Parse(text, CultureInfo.InvariantCulture) : otherwise;

    public string Text(string name) => _options[name];

    public string Text(string name, string otherwise) => _options.GetValueOrDefault(name, otherwise);

    /// <summary>The lanes that stand beside the queue.</summary>
    public MappedLanes<Parcel> OpenLanes() => MappedLanes<Parcel>.Open(Directory + "-lanes");

    public MappedQueue<Parcel> Open() => Open<Parcel>();

    public MappedQueue<T> Open<T>()
        where T : IPackable<T> => MappedQueue<T>.Open(Directory, new QueueOptions
        {
            SegmentSize = _options.ContainsKey("segment") ? Number("segment", 0) : null,
            Capacity = _options.ContainsKey("capacity") ? Number("capacity", 0) : null,
            UseChecksums = _options.ContainsKey("checksum") ? Number("checksum", 0) != 0 : null,
            FullMode = Enum.Parse<FullMode>(_options.GetValueOrDefault("full", nameof(FullMode.Wait))),
            Durability = Enum.Parse<Durability>(_options.GetValueOrDefault("durability", nameof(Durability.PageCache))),
            StallTimeout = TimeSpan.FromMilliseconds(Number("stall", 10_000)),
        });
}
