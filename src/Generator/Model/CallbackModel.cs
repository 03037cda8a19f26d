namespace BlitQueue.Generator.Model;

/// <summary>A user's method that packing or unpacking calls.</summary>
/// <param name="Phase">When.</param>
/// <param name="Method">The method's name, as C# writes it.</param>
/// <param name="Owner">The type of a static method; empty for a method of the instance.</param>
/// <param name="IsObsolete">Whether the compiler reports a call as an error, except in obsolete code.</param>
internal sealed record CallbackModel(CallbackPhase Phase, string Method, string Owner, bool IsObsolete);
