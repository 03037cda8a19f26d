using System.Text;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>The one text that says where a message is from; without a broker.</summary>
public sealed class OriginTests
{
    [Theory]
    [InlineData("0123456789abcdef0123456789abcdef", 0, -1)]
    [InlineData("0123456789abcdef0123456789abcdef", long.MaxValue, long.MaxValue - 1)]
    [InlineData("source/key/with/7/6", 8, 0)]
    public void What_is_written_is_read(string source, long position, long previous)
    {
        var origin = new Origin(source, position, previous);
        Assert.Equal(origin, Origin.Parse(origin.ToString()));
        Assert.Equal($"{source}/{position}", origin.MessageId);
    }

    /// <summary>Each would make messages of another program ones of a source, which are dropped as duplicates.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("shop")]
    [InlineData("shop/2/1")]
    [InlineData("blitqueue/")]
    [InlineData("blitqueue/1/0")]
    [InlineData("blitqueue//1/0")]
    [InlineData("blitqueue/me/1")]
    [InlineData("blitqueue/me/1/1")]
    [InlineData("blitqueue/me/-1/-1")]
    [InlineData("blitqueue/me/1/-2")]
    [InlineData("blitqueue/me/1/0/")]
    [InlineData("blitqueue/me/one/0")]
    [InlineData("blitqueue/me/9223372036854775808/0")]
    [InlineData("Blitqueue/me/1/0")]
    public void Another_app_id_is_none(string? appId) => Assert.Null(Origin.Parse(appId));

    [Fact]
    public void A_long_routing_key_fits_and_is_told_from_others()
    {
        string queue = Guid.NewGuid().ToString("N"), key = new('\u00e9', 127);
        string source = Origin.SourceOf(queue, key), other = Origin.SourceOf(queue, key[..^1]);
        Assert.NotEqual(source, other);
        Assert.InRange(Encoding.UTF8.GetByteCount(new Origin(source, long.MaxValue, long.MaxValue - 1).ToString()), 1, 255);
        Assert.Equal($"{queue}/short", Origin.SourceOf(queue, "short"));
    }

    [Fact]
    public void The_longest_key_that_is_not_hashed_fits()
    {
        string source = Origin.SourceOf(Guid.NewGuid().ToString("N"), new string('k', 150));
        Assert.EndsWith("kk", source, StringComparison.Ordinal);
        Assert.InRange(new Origin(source, long.MaxValue, long.MaxValue - 1).ToString().Length, 1, 255);
    }
}
