using System.Globalization;
using MemoryPack;

namespace BlitQueue.Bench.Messages;

/// <summary>What a search service answers: many small objects of texts, tags and maps, as JSON has them.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class SearchResponse
{
    public int Took { get; set; }

    public bool TimedOut { get; set; }

    public long Total { get; set; }

    public string? Next { get; set; }

    public List<SearchHit>? Hits { get; set; }

    /// <summary>So many hits, the same each time.</summary>
    public static SearchResponse Create(int hits)
    {
        var random = new Random(42);
        return new SearchResponse
        {
            Took = 12,
            Total = 31_415,
            Next = "eyJvZmZzZXQiOjEwMH0",
            Hits = [.. Enumerable.Range(0, hits).Select(hit => SearchHit.Create(hit, random))],
        };
    }
}

/// <summary>One hit of a <see cref="SearchResponse"/>.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class SearchHit
{
    public Guid Id { get; set; }

    public double Score { get; set; }

    public string? Title { get; set; }

    public string? Summary { get; set; }

    public string? Language { get; set; }

    public DateTime Created { get; set; }

    public int? Rating { get; set; }

    public bool? Verified { get; set; }

    public List<string>? Tags { get; set; }

    public Dictionary<string, string>? Fields { get; set; }

    public SearchAuthor? Author { get; set; }

    /// <summary>A hit that the random numbers make.</summary>
    public static SearchHit Create(int number, Random random)
    {
        byte[] id = new byte[16];
        random.NextBytes(id);
        return new SearchHit
        {
            Id = new Guid(id),
            Score = random.NextDouble(),
            Title = $"How queue number {number} was built",
            Summary = string.Join(' ', Enumerable.Repeat("It began with a file that two processes mapped.", 1 + random.Next(6))),
            Language = number % 3 == 0 ? "de" : "en",
            Created = new DateTime(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc).AddMinutes(number),
            Rating = number % 4 == 0 ? null : random.Next(1, 6),
            Verified = number % 5 == 0 ? null : true,
            Tags = [.. Enumerable.Range(0, random.Next(1, 6)).Select(static tag => $"tag-{tag}")],
            Fields = new()
            {
                ["views"] = random.Next(10_000).ToString(CultureInfo.InvariantCulture),
                ["source"] = "archive",
                ["path"] = $"/articles/{number}",
            },
            Author = new SearchAuthor { Name = "Grace Hopper", Mail = $"grace{number}@example.org", Posts = random.Next(500) },
        };
    }
}

/// <summary>Who wrote what a <see cref="SearchHit"/> found.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class SearchAuthor
{
    public string? Name { get; set; }

    public string? Mail { get; set; }

    public int Posts { get; set; }
}
