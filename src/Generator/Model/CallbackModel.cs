namespace BlitQueue.Generator.Model;

/// <summary>A method of the user's that packing or unpacking calls.</summary>
/// <param name="Phase">When.</param>
/// <param name="Method">The method's name, as C# writes it.</param>
/// <param name="Owner">The type of a static method; empty for a method of the instance.</param>
/// <param name="IsObsolete">To call it is an error, except in what is itself out of use.</param>
internal sealed record CallbackModel(CallbackPhase Phase, string Method, string Owner, bool IsObsolete);
