using BlitQueue.Shapes;

namespace BlitQueue.Generator.Tests.Properties;

/// <summary>A share of the mutations; <c>dotnet run -c Release --project tests/Mutations -- 1000000</c> runs as many as wanted.</summary>
public class MutationTests
{
    private const int Mutations = 8_000;

    [Fact]
    public void Changed_bytes_are_a_value_or_a_PackException()
    {
        var campaign = new Campaign(20240229, typeof(Values).Assembly);
        campaign.Run(0, Mutations);
        (long messages, long faults) = campaign.Outcome;
        Assert.True(messages > Mutations / 4 && faults > Mutations / 4, $"{messages} messages, {faults} faults");
    }

    [Fact]
    public void No_message_takes_more_memory_than_its_bytes_warrant()
    {
        var swelling = new Swelling(20240229);
        swelling.Run(0, 3_000);
        (long messages, long faults) = swelling.Outcome;
        Assert.True(messages > 500 && faults > 500, $"{messages} messages, {faults} faults");
    }

    [Fact]
    public void A_mutation_is_known_by_seed_and_number()
    {
        var outcomes = Enumerable.Range(0, 2).Select(_ =>
        {
            var campaign = new Campaign(7, typeof(Values).Assembly);
            campaign.Run(300, 100);
            return campaign.Outcome;
        }).ToList();
        Assert.Equal(outcomes[0], outcomes[1]);
    }

    [Fact]
    public void Every_shape_comes_back_in_every_way()
    {
        var values = new RandomValues(5);
        foreach (Target target in Target.All(typeof(Values).Assembly))
        {
            for (int i = 0; i < 20; i++)
            {
                target.RoundTrip(values.MakeRoot(target.Type), target.Pack(values.MakeRoot(target.Type)));
            }
        }
    }
}
