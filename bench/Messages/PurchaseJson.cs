using System.Text.Json.Serialization;

namespace BlitQueue.Bench.Messages;

/// <summary>The code that System.Text.Json's generator writes for a <see cref="Purchase"/>.</summary>
[JsonSerializable(typeof(Purchase))]
internal sealed partial class PurchaseJson : JsonSerializerContext;
