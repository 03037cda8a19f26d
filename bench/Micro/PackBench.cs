using System.Buffers;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Toolchains.InProcess.Emit;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Micro;

/// <summary>Packing without a queue.</summary>
[MemoryDiagnoser]
public class PackBench
{
    private const int Lines = 50, Points = 10_000;

    private readonly ArrayBufferWriter<byte> _buffer = new(256 * 1024);
    private Small _small = null!;
    private Small? _smallTarget;
    private byte[] _smallBytes = null!;
    private Order _order = null!;
    private Order? _orderTarget;
    private byte[] _orderBytes = null!;
    private Cloud _cloud = null!;
    private Cloud? _cloudTarget;
    private byte[] _cloudBytes = null!;

    /// <summary>Makes the messages.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _small = Small.Create();
        _smallTarget = Small.Create();
        _smallBytes = Packer.Pack(in _small);
        _order = Order.Create(Lines);
        _orderTarget = Order.Create(Lines);
        _orderBytes = Packer.Pack(in _order);
        _cloud = Cloud.Create(Points);
        _cloudTarget = Cloud.Create(Points);
        _cloudBytes = Packer.Pack(in _cloud);
    }

    /// <summary>A small class into a buffer.</summary>
    [Benchmark]
    public int PackSmall()
    {
        _buffer.ResetWrittenCount();
        Packer.Pack(_buffer, in _small);
        return _buffer.WrittenCount;
    }

    /// <summary>A small class, new.</summary>
    [Benchmark]
    public object? UnpackSmall() => Packer.Unpack<Small>(_smallBytes);

    /// <summary>A small class, into an instance that holds the same text.</summary>
    [Benchmark]
    public int UnpackSmallInto() => Packer.Unpack(_smallBytes, ref _smallTarget);

    /// <summary>An order with 50 lines into a buffer.</summary>
    [Benchmark]
    public int PackOrder()
    {
        _buffer.ResetWrittenCount();
        Packer.Pack(_buffer, in _order);
        return _buffer.WrittenCount;
    }

    /// <summary>An order with 50 lines, new.</summary>
    [Benchmark]
    public object? UnpackOrder() => Packer.Unpack<Order>(_orderBytes);

    /// <summary>An order with 50 lines, into one with the same texts.</summary>
    [Benchmark]
    public int UnpackOrderInto() => Packer.Unpack(_orderBytes, ref _orderTarget);

    /// <summary>10,000 vectors into a buffer.</summary>
    [Benchmark]
    public int PackCloud()
    {
        _buffer.ResetWrittenCount();
        Packer.Pack(_buffer, in _cloud);
        return _buffer.WrittenCount;
    }

    /// <summary>10,000 vectors, into an instance.</summary>
    [Benchmark]
    public int UnpackCloudInto() => Packer.Unpack(_cloudBytes, ref _cloudTarget);
}

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
        foreach (LineItem.View line in new Order.View(_packed).Items)
        {
            sum += line.Price;
        }

        return sum;
    }
}

/// <summary>
/// Runs in this process: BenchmarkDotNet's own project would be looked for under the assembly's name, which the project file does not have.
/// </summary>
internal static class MicroConfig
{
    public static IConfig Create() =>
        DefaultConfig.Instance.AddJob(Job.Default.WithToolchain(InProcessEmitToolchain.Instance).AsDefault());
}
