using System.Numerics;
using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Messages;
using MemoryPack;
using MessagePack;

namespace BlitQueue.Bench.Rivals;

/// <summary>MemoryPack's own benchmark, <c>Vector3[10000]</c>, beside ours.</summary>
[MemoryDiagnoser]
public class RivalPackBench
{
    private const int Points = 10_000;

    private readonly System.Buffers.ArrayBufferWriter<byte> _buffer = new(1 << 20);
    private Cloud _cloud = null!;
    private Cloud? _target;
    private byte[] _packed = null!;
    private Vector3[] _points = null!;
    private Vector3[]? _pointsTarget;
    private byte[] _memoryPacked = null!;
    private float[][] _rows = null!;
    private byte[] _messagePacked = null!;

    /// <summary>Makes the messages.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _cloud = Cloud.Create(Points);
        _target = Cloud.Create(Points);
        _packed = Packer.Pack(in _cloud);
        _points = _cloud.Points!;
        _pointsTarget = new Vector3[Points];
        _memoryPacked = MemoryPackSerializer.Serialize(_points);
        _rows = [.. _points.Select(static point => new[] { point.X, point.Y, point.Z })];
        _messagePacked = MessagePackSerializer.Serialize(_rows);
    }

    /// <summary>Ours.</summary>
    [Benchmark(Baseline = true)]
    public int Pack()
    {
        _buffer.ResetWrittenCount();
        Packer.Pack(_buffer, in _cloud);
        return _buffer.WrittenCount;
    }

    /// <summary>Ours, into an instance.</summary>
    [Benchmark]
    public int UnpackInto() => Packer.Unpack(_packed, ref _target);

    /// <summary>MemoryPack, into a buffer.</summary>
    [Benchmark]
    public int MemoryPackSerialize()
    {
        _buffer.ResetWrittenCount();
        MemoryPackSerializer.Serialize(_buffer, _points);
        return _buffer.WrittenCount;
    }

    /// <summary>MemoryPack, into an array.</summary>
    [Benchmark]
    public int MemoryPackDeserializeInto() => MemoryPackSerializer.Deserialize(_memoryPacked, ref _pointsTarget);

    /// <summary>MessagePack, which has no vectors: as arrays of three.</summary>
    [Benchmark]
    public int MessagePackSerialize()
    {
        _buffer.ResetWrittenCount();
        MessagePackSerializer.Serialize(_buffer, _rows);
        return _buffer.WrittenCount;
    }

    /// <summary>MessagePack, new arrays.</summary>
    [Benchmark]
    public float[][] MessagePackDeserialize() => MessagePackSerializer.Deserialize<float[][]>(_messagePacked);
}
