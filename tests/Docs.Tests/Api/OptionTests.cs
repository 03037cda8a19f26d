using System.Reflection;
using BlitQueue.Docs.Mistakes;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace BlitQueue.Docs.Api;

/// <summary>Options of every package can be set after they were made, as <c>services.Configure</c> does.</summary>
public sealed class OptionTests
{
    [Fact]
    public void A_host_s_services_configure_them()
    {
        DirectoryInfo folder = Directory.CreateTempSubdirectory("blitqueue-options-");
        try
        {
            using ServiceProvider services = new ServiceCollection()
                .Configure<QueueOptions>(static options => options.Capacity = 1 << 20)
                .Configure<SubscriptionOptions>(static options => options.MaxAttempts = 2).BuildServiceProvider();
            using var orders = MappedQueue<Order>.Open(
                Path.Combine(folder.FullName, "orders"), services.GetRequiredService<IOptions<QueueOptions>>().Value);
            Assert.Equal(1 << 20, orders.GetStatus().Capacity);
            using Subscription<Order> billing = orders.Subscribe(
                "billing", services.GetRequiredService<IOptions<SubscriptionOptions>>().Value);
            orders.Enqueue(new Order());
            billing.Receive().Abandon();
            billing.Receive().Abandon();
            Assert.False(billing.TryReceive(out _));
            Assert.Equal(1, billing.DeadLetters.Count);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    public static TheoryData<Type> Groups { get; } = [.. PublicApi.Options];

    [Theory]
    [MemberData(nameof(Groups))]
    public void Every_option_can_be_set(Type group)
    {
        Assert.NotNull(group.GetConstructor([]));
        PropertyInfo[] options = group.GetProperties(BindingFlags.Public | BindingFlags.Instance);
        Assert.NotEmpty(options);
        Assert.All(options, static option =>
        {
            Assert.True(option.SetMethod?.IsPublic == true, $"{option.DeclaringType}.{option.Name} cannot be set.");
            Assert.DoesNotContain(
                option.SetMethod.ReturnParameter.GetRequiredCustomModifiers(), static modifier => modifier.Name == "IsExternalInit");
        });
    }
}
