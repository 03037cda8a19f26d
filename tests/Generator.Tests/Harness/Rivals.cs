namespace BlitQueue.Generator.Tests.Harness;

/// <summary>The attributes of other serializers, as far as they are looked at: by full name.</summary>
internal static class Rivals
{
    public const string Source = """
        namespace MemoryPack
        {
            using System;
            public enum GenerateType { Object, VersionTolerant, CircularReference, Collection, NoGenerate }
            public enum SerializeLayout { Sequential, Explicit }
            public sealed class MemoryPackableAttribute : Attribute
            {
                public MemoryPackableAttribute(
                    GenerateType type = GenerateType.Object, SerializeLayout layout = SerializeLayout.Sequential) { }
                public MemoryPackableAttribute(SerializeLayout layout) { }
            }
            public sealed class MemoryPackIgnoreAttribute : Attribute { }
            public sealed class MemoryPackIncludeAttribute : Attribute { }
            public sealed class MemoryPackOrderAttribute(int order) : Attribute { public int Order => order; }
            public sealed class MemoryPackConstructorAttribute : Attribute { }
            public sealed class MemoryPackAllowSerializeAttribute : Attribute { }
            [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class MemoryPackUnionAttribute(
                ushort tag, Type type) : Attribute { public (ushort, Type) Case => (tag, type); }
            public sealed class MemoryPackOnSerializingAttribute : Attribute { }
            public sealed class MemoryPackOnSerializedAttribute : Attribute { }
            public sealed class MemoryPackOnDeserializingAttribute : Attribute { }
            public sealed class MemoryPackOnDeserializedAttribute : Attribute { }
        }

        namespace MessagePack
        {
            using System;
            public sealed class MessagePackObjectAttribute(bool keyAsPropertyName = false) : Attribute {
                public bool Named => keyAsPropertyName; }
            public sealed class KeyAttribute : Attribute { public KeyAttribute(int key) { } public KeyAttribute(string key) { } }
            public sealed class IgnoreMemberAttribute : Attribute { }
            public sealed class SerializationConstructorAttribute : Attribute { }
            [AttributeUsage(AttributeTargets.All, AllowMultiple = true)] public sealed class UnionAttribute(
                int key, Type type) : Attribute { public (int, Type) Case => (key, type); }
            public interface IMessagePackSerializationCallbackReceiver { void OnBeforeSerialize(); void OnAfterDeserialize(); }
        }
        """;
}
