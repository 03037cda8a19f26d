namespace BlitQueue.Docs.Package;

/// <summary>Tests of the one package, one after the other: each builds a project.</summary>
[CollectionDefinition(PackedPackage.Name)]
public sealed class PackageGroup : ICollectionFixture<PackedPackage>;
