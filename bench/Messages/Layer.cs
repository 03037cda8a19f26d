using MemoryPack;

namespace BlitQueue.Bench.Messages;

/// <summary>A layer of a neural network: a matrix of floats, and one more for each output.</summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Layer
{
    public string? Name { get; set; }

    public int Inputs { get; set; }

    public int Outputs { get; set; }

    public float[]? Weights { get; set; }

    public float[]? Biases { get; set; }

    /// <summary>So many inputs and as many outputs, the same each time.</summary>
    public static Layer Create(int size)
    {
        var random = new Random(42);
        return new Layer
        {
            Name = "dense_3",
            Inputs = size,
            Outputs = size,
            Weights = [.. Enumerable.Range(0, size * size).Select(_ => random.NextSingle())],
            Biases = new float[size],
        };
    }
}
