namespace BlitQueue.Generator.Tests.Properties;

/// <summary>The sorts of types that messages are.</summary>
internal enum TypeForm
{
    Class,
    SealedClass,
    Record,
    PositionalRecord,
    Struct,
    RecordStruct,
}
