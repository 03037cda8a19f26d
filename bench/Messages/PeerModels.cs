using MemoryPack;

namespace BlitQueue.Bench.Messages;

/// <summary>Three numbers and two texts, of which one is Japanese: the shape of the class by which MemoryPack compares encodings.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Writer
{
    public int X { get; set; }

    public int Y { get; set; }

    public int Z { get; set; }

    public string? Name { get; set; }

    public string? Title { get; set; }

    /// <summary>Fourteen letters and ten kana.</summary>
    public static Writer Create() => new() { X = 100, Y = 99_999_999, Z = 4444, Name = "Lady Murasaki.", Title = "むらさきしきぶにっき" };
}

/// <summary>The same, whose texts are packed as UTF-16.</summary>
[QueueMessage(Strings = StringEncoding.Utf16)]
internal sealed partial class WideWriter
{
    public int X { get; set; }

    public int Y { get; set; }

    public int Z { get; set; }

    public string? Name { get; set; }

    public string? Title { get; set; }

    /// <summary>What <see cref="Writer.Create"/> makes.</summary>
    public static WideWriter Create()
    {
        var same = Writer.Create();
        return new() { X = same.X, Y = same.Y, Z = same.Z, Name = same.Name, Title = same.Title };
    }
}

/// <summary>A page of a service's answer, the shape of MemoryPack's <c>JsonResponseModel</c>: fifty items, each with many texts.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class ItemPage
{
    private const int ItemsOfAPage = 50;

    public string? Id { get; set; }

    public string? Type { get; set; }

    public int Count { get; set; }

    public DateTime Created { get; set; }

    public DateTime Updated { get; set; }

    public DateTime Expires { get; set; }

    public string? Previous { get; set; }

    public string? Following { get; set; }

    public List<PagedItem>? Items { get; set; }

    /// <summary>A page of fifty items, the same each time.</summary>
    public static ItemPage Create()
    {
        var chance = new Chance(42);
        return new ItemPage
        {
            Id = chance.Text(6),
            Type = nameof(ItemPage),
            Count = chance.Number(),
            Created = chance.Time(),
            Updated = chance.Time(),
            Expires = chance.Time(),
            Previous = chance.Text(6),
            Following = chance.Text(6),
            Items = [.. Enumerable.Range(0, ItemsOfAPage).Select(_ => PagedItem.Create(chance))],
        };
    }
}

/// <summary>An item of an <see cref="ItemPage"/>.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class PagedItem
{
    public string? Id { get; set; }

    public string? Type { get; set; }

    public Post? Post { get; set; }

    public static PagedItem Create(Chance chance) => new() { Id = chance.Text(6), Type = nameof(ItemPage), Post = Post.Create(chance) };
}

/// <summary>What an item is about.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Post
{
    public string? Id { get; set; }

    public string? Type { get; set; }

    public string? Parent { get; set; }

    public string? Author { get; set; }

    public string? Title { get; set; }

    public string? Text { get; set; }

    public string? Address { get; set; }

    public string? Html { get; set; }

    public int Ups { get; set; }

    public int Downs { get; set; }

    public float UpsToDowns { get; set; }

    public int Views { get; set; }

    public int Clicks { get; set; }

    public float ViewsToClicks { get; set; }

    public int Comments { get; set; }

    public DateTime Created { get; set; }

    public DateTime Updated { get; set; }

    public DateTime Expires { get; set; }

    public bool Flag1 { get; set; }

    public bool Flag2 { get; set; }

    public bool Flag3 { get; set; }

    public bool Flag4 { get; set; }

    public bool Flag5 { get; set; }

    public string? Extra1 { get; set; }

    public string? Extra2 { get; set; }

    public string? Extra3 { get; set; }

    public Album? Album { get; set; }

    public static Post Create(Chance chance)
    {
        bool hasText = chance.IsHeads();
        return new Post
        {
            Id = chance.Text(6),
            Type = nameof(Post),
            Parent = chance.Text(6),
            Author = chance.Text(6),
            Title = chance.Text(40, 120),
            Text = hasText ? chance.Text(80, 400) : null,
            Address = hasText ? null : chance.Text(80, 120),
            Html = hasText ? chance.Text(100, 600) : null,
            Ups = chance.Number(),
            Downs = chance.Number(),
            UpsToDowns = 0.75f,
            Views = chance.Number(),
            Clicks = chance.Number(),
            ViewsToClicks = 1.5f,
            Comments = chance.Number(),
            Created = chance.Time(),
            Updated = chance.Time(),
            Expires = chance.Time(),
            Flag1 = chance.IsHeads(),
            Flag2 = chance.IsHeads(),
            Flag3 = chance.IsHeads(),
            Flag4 = chance.IsHeads(),
            Flag5 = chance.IsHeads(),
            Extra1 = chance.IsHeads() ? chance.Text(6, 20) : null,
            Extra2 = chance.IsHeads() ? chance.Text(6, 20) : null,
            Extra3 = chance.IsHeads() ? chance.Text(6, 20) : null,
            Album = chance.IsHeads() ? Album.Create(chance) : null,
        };
    }
}

/// <summary>Pictures of a <see cref="Post"/>.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Album
{
    public string? Id { get; set; }

    public string? Address { get; set; }

    public bool IsPublic { get; set; }

    public List<Picture>? Pictures { get; set; }

    public static Album Create(Chance chance) => new()
    {
        Id = chance.Text(6),
        Address = chance.Text(100),
        IsPublic = chance.IsHeads(),
        Pictures = [.. Enumerable.Range(0, 1 + (chance.Number() % 4)).Select(_ => Picture.Create(chance))],
    };
}

/// <summary>One picture of an <see cref="Album"/>.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Picture
{
    public string? Address { get; set; }

    public int Width { get; set; }

    public int Height { get; set; }

    public float WidthToHeight { get; set; }

    public static Picture Create(Chance chance) => new()
    {
        Address = chance.Text(140, 200),
        Width = chance.Number(),
        Height = chance.Number(),
        WidthToHeight = 1.25f,
    };
}

/// <summary>Values that random numbers make, the same each time.</summary>
internal sealed class Chance(int seed)
{
    private const int FirstCharacter = '!', LastCharacter = '~', Minutes = 525_600;
    private static readonly DateTime Start = new(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc);

    private readonly Random _random = new(seed);

    public bool IsHeads() => _random.Next(2) == 1;

    public int Number() => _random.Next();

    public DateTime Time() => Start.AddMinutes(_random.Next(Minutes));

    /// <summary>ASCII, so many characters.</summary>
    public string Text(int length) => string.Create(length, _random, static (chars, random) =>
    {
        for (int i = 0; i < chars.Length; i++)
        {
            chars[i] = (char)random.Next(FirstCharacter, LastCharacter + 1);
        }
    });

    /// <summary>ASCII, from so many characters up to fewer than so many.</summary>
    public string Text(int least, int most) => Text(_random.Next(least, most));
}
