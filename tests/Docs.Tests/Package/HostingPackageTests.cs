using System.IO.Compression;
using System.Xml.Linq;

namespace BlitQueue.Docs.Package;

/// <summary>The package BlitQueue.Hosting: what is in it, and a user who installs it alone.</summary>
[Collection(PackedPackage.Name)]
public sealed class HostingPackageTests(PackedPackage packed)
{
    private const string Id = "BlitQueue.Hosting";

    [Fact]
    public void It_contains_one_library_and_asks_for_the_queue_of_its_own_version()
    {
        using ZipArchive package = packed.Open(Id);
        Assert.Equal(
            [$"{Id}.nuspec", "README.md", "icon.png", $"lib/net10.0/{Id}.dll", $"lib/net10.0/{Id}.xml"],
            package.Entries.Select(static entry => entry.FullName)
                .Where(static file => file[0] is not ('_' or '[') && !file.StartsWith("package/", StringComparison.Ordinal))
                .Order(StringComparer.Ordinal));
        using Stream content = package.GetEntry($"{Id}.nuspec")!.Open();
        XElement[] asked =
            [.. XDocument.Load(content).Descendants().Where(static element => element.Name.LocalName == "dependency")];
        Assert.Equal(
            ["BlitQueue", "Microsoft.Extensions.Diagnostics.HealthChecks", "Microsoft.Extensions.Hosting"],
            asked.Select(static element => (string)element.Attribute("id")!).Order(StringComparer.Ordinal));
        XElement queue = asked.Single(static element => (string?)element.Attribute("id") == "BlitQueue");
        Assert.Equal(PackedPackage.Version, (string?)queue.Attribute("version"));
        // The generator comes along.
        Assert.DoesNotContain("Analyzers", (string?)queue.Attribute("exclude") ?? "", StringComparison.Ordinal);
    }

    [Fact]
    public void A_worker_that_refers_to_it_alone_is_built_and_handles_a_message()
    {
        using var user = new UserFolder(packed);
        user.Dotnet(".", "new", "console", "-o", "app", "--no-restore");
        string project = user.Of("app", "app.csproj");
        File.WriteAllText(project, File.ReadAllText(project).Replace(
            "</Project>",
            $"<ItemGroup><PackageReference Include=\"{Id}\" Version=\"{PackedPackage.Version}\" /></ItemGroup></Project>",
            StringComparison.Ordinal));
        File.WriteAllText(user.Of("app", "Program.cs"), """
            using BlitQueue;
            using BlitQueue.Hosting;
            using Microsoft.Extensions.DependencyInjection;
            using Microsoft.Extensions.Hosting;

            HostApplicationBuilder builder = Host.CreateApplicationBuilder(args);
            builder.Services.AddBlitQueue<Order>("orders", options => options.Path = "orders").AddConsumer<Billing>();
            IHost host = builder.Build();
            host.Services.GetRequiredService<MappedQueue<Order>>().Enqueue(new Order { Customer = "Ada" });
            host.Run();

            [QueueMessage]
            public partial class Order { public string Customer { get; set; } = ""; }

            public sealed class Billing(IHostApplicationLifetime host) : IQueueHandler<Order>
            {
                public ValueTask HandleAsync(Order message, MessageContext context, CancellationToken cancellationToken)
                {
                    Console.WriteLine($"bill for {message.Customer}");
                    host.StopApplication();
                    return default;
                }
            }
            """);
        Assert.Contains("bill for Ada\n", user.Dotnet("app", "run"), StringComparison.Ordinal);
    }
}
