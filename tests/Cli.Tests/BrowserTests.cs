using System.Diagnostics;
using System.Globalization;
using Microsoft.Playwright;
using static Microsoft.Playwright.Assertions;

namespace BlitQueue.Tool;

/// <summary>
/// The page of <c>blitq serve</c> in Chromium. With BLITQUEUE_DRAW=1 the tests write the pictures of docs/tool.md.
/// </summary>
public sealed class BrowserTests
{
    private const string Hostile = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">";

    private static readonly bool IsDrawing = Environment.GetEnvironmentVariable("BLITQUEUE_DRAW") == "1";

    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    [ChromiumFact]
    public async Task A_queue_is_shown_and_its_depth_follows_a_producer()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"), Small);
        using var served = Served.Start(folder.Path);
        await using Browser browser = await Browser.StartAsync();
        IPage page = await browser.OpenAsync(served);
        ILocator row = page.Locator("#queues tr");
        await Expect(row).ToHaveCountAsync(1);
        await Expect(row.Locator("td").First).ToHaveTextAsync("0");
        await page.GetByRole(AriaRole.Button, new() { Name = "orders", Exact = true }).ClickAsync();
        for (int number = 0; number < 1500; number++)
        {
            queue.Enqueue(Order.Make(number));
        }

        await Expect(row.Locator("td").First).ToHaveTextAsync("1,500");
        await Expect(page.Locator("#messages tr")).ToHaveCountAsync(20);
        queue.Enqueue(Order.Make(4711));
        await Expect(page.Locator("#messages tr").First).ToContainTextAsync("A-4711");
        MappedQueue<Line>.Open(folder.Of("lines")).Dispose();
        await Expect(row).ToHaveCountAsync(2);
        browser.AssertNothingElse(served);
    }

    [ChromiumFact]
    public async Task A_queue_that_is_full_or_failed_is_marked()
    {
        using var folder = new Folder();
        States.Make("full", Directory.CreateDirectory(folder.Of("a")).FullName, out _);
        States.Make("failed sync", Directory.CreateDirectory(folder.Of("b")).FullName, out _);
        using var served = Served.Start(folder.Path);
        await using Browser browser = await Browser.StartAsync();
        IPage page = await browser.OpenAsync(served);
        ILocator rows = page.Locator("#queues tr");
        await Expect(rows).ToHaveCountAsync(2);
        await Expect(rows.First.Locator("td.bad").Last).ToContainTextAsync(" KiB of 64.0 KiB");
        await Expect(rows.Last.Locator("td.bad").Last).ToContainTextAsync("failed: ");
        await Expect(rows.Last.Locator("td.bad").Last).ToContainTextAsync("the disk has refused a sync");
        browser.AssertNothingElse(served);
    }

    [ChromiumFact]
    public async Task Text_of_messages_is_text()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"), Small);
        queue.Enqueue(new Order { Id = 1, Customer = Hostile });
        queue.Enqueue(new Order { Id = 2, Customer = Hostile });
        using Subscription<Order> audit = queue.Subscribe("audit");
        audit.Receive().DeadLetter(Hostile);
        using var served = Served.Start(folder.Path);
        await using Browser browser = await Browser.StartAsync();
        IPage page = await browser.OpenAsync(served);
        await page.GetByRole(AriaRole.Button, new() { Name = "orders", Exact = true }).ClickAsync();
        await Expect(page.Locator("#messages tr")).ToHaveCountAsync(2);
        await Expect(page.Locator("#messages tr").First).ToContainTextAsync("<script>document.title = 'taken'</script><img src=x");
        await Expect(page.Locator("#letters tbody tr")).ToContainTextAsync(Hostile);
        Assert.Equal(0, await page.Locator("main script, main img").CountAsync());
        Assert.Equal("blitq · 1 queues", await page.TitleAsync());
        browser.AssertNothingElse(served);
    }

    [ChromiumFact]
    public async Task The_keyboard_alone_opens_a_queue_and_changes_it()
    {
        using var folder = new Folder();
        using var queue = MappedQueue<Order>.Open(folder.Of("orders"), Small);
        using var lines = MappedQueue<Line>.Open(folder.Of("lines"), Small);
        Enumerable.Range(0, 3).ToList().ForEach(number => queue.Enqueue(Order.Make(number)));
        using Subscription<Order> audit = queue.Subscribe("audit");
        audit.Receive().DeadLetter("no such customer");
        audit.Receive().DeadLetter("no such street");
        using var served = Served.Start(folder.Path, "--allow-write");
        await using Browser browser = await Browser.StartAsync();
        IPage page = await browser.OpenAsync(served);
        await Expect(page.Locator("#queues tr")).ToHaveCountAsync(2);
        await page.Keyboard.PressAsync("Tab");
        await Expect(page.Locator("#skip")).ToBeFocusedAsync();
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#main")).ToBeFocusedAsync();
        ILocator first = page.GetByRole(AriaRole.Button, new() { Name = "lines" });
        ILocator second = page.GetByRole(AriaRole.Button, new() { Name = "orders", Exact = true });
        await TabToAsync(page, first);
        Assert.NotEqual("none", await first.EvaluateAsync<string>("node => getComputedStyle(node).outlineStyle"));
        await page.Keyboard.PressAsync("ArrowDown");
        await Expect(second).ToBeFocusedAsync();
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#opened-title")).ToBeFocusedAsync();
        await Expect(second).ToHaveAttributeAsync("aria-expanded", "true");
        await Expect(page.Locator("#letters tbody tr")).ToHaveCountAsync(2);

        ILocator drop = page.GetByRole(AriaRole.Button, new() { NameRegex = new("^Drop: the dead letter at") });
        await TabToAsync(page, drop.First);
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#confirm")).ToBeVisibleAsync();
        await page.Keyboard.PressAsync("Escape");
        await Expect(page.Locator("#confirm")).ToBeHiddenAsync();
        await Expect(drop.First).ToBeFocusedAsync();
        Assert.Equal(2, audit.DeadLetters.Count);
        await page.Keyboard.PressAsync("Enter");
        await TabToAsync(page, page.Locator("#confirm-yes"));
        await page.Keyboard.PressAsync("Enter");
        await Expect(page.Locator("#result")).ToHaveTextAsync("1 dead letter dropped");
        await Expect(page.Locator("#letters tbody tr")).ToHaveCountAsync(1);
        await Expect(page.Locator("#letters-title")).ToBeFocusedAsync();
        Assert.Equal(1, audit.DeadLetters.Count);

        await page.Keyboard.PressAsync("Escape");
        await Expect(page.Locator("#opened")).ToBeHiddenAsync();
        await Expect(second).ToBeFocusedAsync();
        browser.AssertNothingElse(served);
    }

    [ChromiumFact]
    public async Task It_is_light_or_dark_and_moves_only_where_that_is_wanted()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Fill(folder);
        using Served served = IsDrawing ? Served.StartSlow(folder.Path) : Served.Start(folder.Path);
        await using Browser browser = await Browser.StartAsync();
        IPage page = await browser.OpenAsync(served);
        await page.GetByRole(AriaRole.Button, new() { Name = "orders", Exact = true }).ClickAsync();
        await Expect(page.Locator("#letters tbody tr")).ToHaveCountAsync(2);
        if (IsDrawing)
        {
            await RunAsync(queue, TimeSpan.FromSeconds(150));
        }

        var colors = new HashSet<string>();
        foreach ((ColorScheme scheme, string name) in new[] { (ColorScheme.Light, "light"), (ColorScheme.Dark, "dark") })
        {
            await page.EmulateMediaAsync(new() { ColorScheme = scheme, ReducedMotion = ReducedMotion.Reduce });
            colors.Add(await page.EvaluateAsync<string>("getComputedStyle(document.body).backgroundColor"));
            Assert.Equal("0s", await page.Locator("#close").EvaluateAsync<string>("node => getComputedStyle(node).transitionDuration"));
            await DrawAsync(page, name);
        }

        Assert.Equal(2, colors.Count);
        browser.AssertNothingElse(served);
    }

    private static MappedQueue<Order> Fill(Folder folder)
    {
        var queue = MappedQueue<Order>.Open(folder.Of("orders"));
        using (Subscription<Order> billing = queue.Subscribe("billing"))
        {
            Enumerable.Range(1, 6).ToList().ForEach(number => queue.Enqueue(Order.Make(number)));
            billing.Receive().DeadLetter("no such customer");
            billing.Receive().DeadLetter("card refused: 51");
        }

        MappedQueue<Line>.Open(folder.Of("stock", "lines")).Dispose();
        States.Make("damaged description", Directory.CreateDirectory(folder.Of("returns")).FullName, out _);
        return queue;
    }

    // A producer, a consumer that comes along, and one that is slower for a while.
    private static async Task RunAsync(MappedQueue<Order> queue, TimeSpan time)
    {
        using Subscription<Order> billing = queue.Subscribe("billing");
        Order? order = null;
        var watch = Stopwatch.StartNew();
        for (int number = 7; watch.Elapsed < time; number++)
        {
            double wave = Math.Sin(watch.Elapsed.TotalSeconds / 15);
            queue.Enqueue(Order.Make(number));
            queue.TryDequeue(ref order);
            for (int taken = 0; taken < 2 && (number % 10 < 10 * (1 + wave)) && billing.TryDequeue(ref order); taken++)
            {
            }

            await Task.Delay(14 + (int)(6 * wave));
        }
    }

    private static async Task DrawAsync(IPage page, string name)
    {
        if (IsDrawing)
        {
            string path = Path.Combine(Blitq.Root(), "docs", "images", $"serve-{name}.png");
            await page.EvaluateAsync("scrollTo(0, 0)");
            await page.ScreenshotAsync(new() { Path = path });
        }
    }

    private static async Task TabToAsync(IPage page, ILocator wanted)
    {
        for (int step = 0; step < 60; step++)
        {
            if (await wanted.EvaluateAsync<bool>("node => node === document.activeElement"))
            {
                return;
            }

            await page.Keyboard.PressAsync("Tab");
        }

        Assert.Fail(string.Create(CultureInfo.InvariantCulture, $"the keyboard does not come to {wanted}"));
    }

    /// <summary>Chromium, and what it asks for and complains of.</summary>
    private sealed class Browser(IPlaywright playwright, IBrowser browser) : IAsyncDisposable
    {
        private readonly List<string> _requests = [], _complaints = [];

        public static async Task<Browser> StartAsync()
        {
            // On a busy machine everything takes its time.
            SetDefaultExpectTimeout(60_000);
            IPlaywright playwright = await Playwright.CreateAsync();
            return new Browser(playwright, await playwright.Chromium.LaunchAsync(new() { ExecutablePath = ChromiumFactAttribute.Program }));
        }

        public async Task<IPage> OpenAsync(Served served)
        {
            IPage page = await browser.NewPageAsync(new() { ViewportSize = new() { Width = 1080, Height = 880 } });
            page.Request += (_, request) => _requests.Add(request.Url);
            page.PageError += (_, error) => _complaints.Add(error);
            page.Console += (_, message) => _complaints.Add($"{message.Type} {message.Text}");
            await page.GotoAsync(served.Url.ToString());
            await Expect(page.Locator("#state")).ToHaveTextAsync("live");
            Assert.Equal(served.Origin + "/", page.Url);
            return page;
        }

        /// <summary>The page has asked nobody else, and the browser has refused it nothing.</summary>
        public void AssertNothingElse(Served served)
        {
            Assert.Empty(_complaints);
            Assert.All(_requests, request => Assert.StartsWith(served.Origin, request, StringComparison.Ordinal));
        }

        public async ValueTask DisposeAsync()
        {
            await browser.DisposeAsync();
            playwright.Dispose();
        }
    }
}
