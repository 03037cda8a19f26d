namespace BlitQueue.Generator.Model;

/// <summary>One case of a union.</summary>
/// <param name="Tag">What stands in the bytes for the type.</param>
/// <param name="Type">The case's message.</param>
/// <param name="Union">
/// The closed form of a generic union that the type is a case of, where it is not one of every form: <c>ITree&lt;int&gt;</c>.
/// </param>
/// <param name="IsExact">Nothing can derive from the case: to be of its type is to be of exactly its type.</param>
/// <param name="ViewAccess">The accessibility of its method in the union's view; empty where it cannot be there.</param>
internal sealed record CaseModel(int Tag, WireType Type, string Union, bool IsExact, string ViewAccess);
