namespace BlitQueue.Bench.Messages;

/// <summary>Eight texts.</summary>
[QueueMessage]
internal sealed partial class Address
{
    public string? Name { get; set; }

    public string? Company { get; set; }

    public string? Street { get; set; }

    public string? City { get; set; }

    public string? Region { get; set; }

    public string? PostCode { get; set; }

    public string? Country { get; set; }

    public string? Phone { get; set; }

    /// <summary>An address of texts of usual length.</summary>
    public static Address Create(string name) => new()
    {
        Name = name,
        Company = "Analytical Engines Ltd",
        Street = "12 St James's Square",
        City = "London",
        Region = "Greater London",
        PostCode = "SW1Y 4JH",
        Country = "United Kingdom",
        Phone = "+44 20 7946 0991",
    };
}
