using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Micro;

/// <summary>Single members through a view, from an order with few or many lines.</summary>
[MemoryDiagnoser]
public class ViewBench
{
    private byte[] _packed = null!;
    private byte[] _invoice = null!;

    /// <summary>How many lines the order has.</summary>
    [Params(1, 50, 5000)]
    public int Lines { get; set; }

    /// <summary>Packs the order.</summary>
    [GlobalSetup]
    public void Setup()
    {
        var order = Order.Create(Lines);
        _packed = Packer.Pack(in order);
        var invoice = new Invoice { Order = order, Total = 1234.56m };
        _invoice = Packer.Pack(in invoice);
    }

    /// <summary>One decimal, view and all.</summary>
    [Benchmark]
    public decimal Total() => new Invoice.View(_invoice).Total;

    /// <summary>A number of a nested message.</summary>
    [Benchmark]
    public long NestedId() => new Invoice.View(_invoice).Order.Id;

    /// <summary>A string compared with a literal.</summary>
    [Benchmark]
    public bool IsAda() => new Order.View(_packed).Customer == "Ada Lovelace";

    /// <summary>A value of every line.</summary>
    [Benchmark]
    public double SumOfLines()
    {
        double sum = 0;
        foreach (var line in new Order.View(_packed).Items)
            sum += line.Price;
        return sum;
    }
}
