namespace BlitQueue.RabbitMq.Tests;

/// <summary>What a broker's URI may have, and what the text of a wrong one shows.</summary>
public sealed class UriTests
{
    [Fact]
    public void Parameters_are_taken()
    {
        var options = new BrokerOptions();
        options.SetUri("amqp://me:s%3Fecret@rabbit:5673/shop?heartbeat=30&connection_timeout=2500");
        Assert.Equal(("rabbit:5673", "shop", "me", "s?ecret"), (options.Hosts[0], options.VirtualHost, options.UserName, options.Password));
        Assert.Equal((TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(2.5)), (options.Heartbeat, options.ConnectTimeout));
    }

    [Theory]
    [InlineData("amqp://user:?secret@host/vh")]
    [InlineData("amqp://user:12?secret@host/vh")]
    [InlineData("amqp://user:#secret@host/vh")]
    [InlineData("amqp://user:secret@host/vh?cacertfile=/secret")]
    [InlineData("amqp://user:secret@host/vh?heartbeat=secret")]
    [InlineData("http://user:secret@host/vh")]
    public void A_wrong_one_is_refused_and_not_shown(string uri)
    {
        ArgumentException refused = Assert.Throws<ArgumentException>(() => new BrokerOptions().SetUri(uri));
        Assert.DoesNotContain("secret", refused.Message, StringComparison.Ordinal);
    }
}
