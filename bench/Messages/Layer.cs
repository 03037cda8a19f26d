using MemoryPack;

namespace BlitQueue.Bench.Messages;

/// <summary>
/// A layer of a neural network, the shape of MemoryPack's <c>NeuralNetworkLayerModel</c>: a matrix of floats, and one more for each output.
/// </summary>
[QueueMessage, MemoryPackable]
internal sealed partial class Layer
{
    public string? Name { get; set; }

    public int Index { get; set; }

    public int Inputs { get; set; }

    public int Outputs { get; set; }

    public float[]? Weights { get; set; }

    public float[]? Biases { get; set; }

    public Activation Activation { get; set; }

    public DateTime Updated { get; set; }

    /// <summary>So many inputs and as many outputs, the same each time.</summary>
    public static Layer Create(int size)
    {
        var random = new Random(42);
        return new Layer
        {
            Name = "dense_3, of four",
            Index = 3,
            Inputs = size,
            Outputs = size,
            Weights = [.. Enumerable.Range(0, size * size).Select(_ => random.NextSingle())],
            Biases = [.. Enumerable.Range(0, size).Select(_ => random.NextSingle())],
            Activation = Activation.Sigmoid,
            Updated = new DateTime(2024, 2, 29, 12, 0, 0, DateTimeKind.Utc),
        };
    }
}

/// <summary>What a <see cref="Layer"/> does to its sums.</summary>
internal enum Activation
{
    None,

    Sigmoid,
}
