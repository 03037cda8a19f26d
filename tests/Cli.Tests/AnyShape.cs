using System.Reflection;
using BlitQueue.Mutations;
using BlitQueue.Shapes;

namespace BlitQueue.Tool;

/// <summary>Message types that are known only when the test runs: every shape that the generator's tests know.</summary>
internal static class AnyShape
{
    public static IEnumerable<Type> Types => Target.All(typeof(Values).Assembly).Select(static target => target.Type);

    public static MessageSchema SchemaOf(Type type) => (MessageSchema)Call(nameof(Schema), type, null);

    public static byte[] Pack(Type type, object message) => (byte[])Call(nameof(PackOf), type, message);

    private static object Call(string method, Type type, object? argument) => typeof(AnyShape)
        .GetMethod(method, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(type).Invoke(null, [argument])!;

    private static MessageSchema Schema<T>(object? unused)
        where T : IPackable<T> => T.Schema;

    private static byte[] PackOf<T>(object message)
        where T : IPackable<T> => Packer.Pack((T)message);
}
