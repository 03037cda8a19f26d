namespace BlitQueue.Generator.Model;

/// <summary>One case of a union.</summary>
/// <param name="Tag">The number that stands for the type in the bytes.</param>
/// <param name="Type">The case's message.</param>
/// <param name="Union">
/// For a case of only one closed form of a generic union: that form, such as <c>ITree&lt;int&gt;</c>; otherwise empty.
/// </param>
/// <param name="IsExact">Whether no type can derive from the case, so that a type test is exact.</param>
/// <param name="ViewAccess">The accessibility of its method in the union's view; empty where it cannot be there.</param>
internal sealed record CaseModel(int Tag, WireType Type, string Union, bool IsExact, string ViewAccess);
