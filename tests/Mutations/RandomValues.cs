using System.Collections;
using System.Globalization;
using System.Numerics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace BlitQueue.Mutations;

/// <summary>Random values of any type that can be packed, null among them.</summary>
public sealed class RandomValues(Random random)
{
    private const int MaxCount = 4;

    // Deeper messages are null: a type that holds itself more than once would otherwise hardly ever end.
    private const int MaxNesting = 4;

    private static readonly IReadOnlyList<TimeZoneInfo> Zones = TimeZoneInfo.GetSystemTimeZones();

    private static readonly MethodInfo SizeOf = typeof(Unsafe).GetMethod(nameof(Unsafe.SizeOf))!;

    private static readonly MethodInfo Cast = typeof(RandomValues).GetMethod(nameof(Read), BindingFlags.NonPublic | BindingFlags.Static)!;

    private static readonly MethodInfo IsReference = typeof(RuntimeHelpers)
        .GetMethod(nameof(RuntimeHelpers.IsReferenceOrContainsReferences))!;

    private static readonly Dictionary<Type, Func<RandomValues, object>> ObjectMakers = new()
    {
        [typeof(BigInteger)] = values => new BigInteger(values.Bytes(values.Next(20))),
        [typeof(Version)] = values => values.Next(3) switch
        {
            0 => new Version(1, values.Next(9)),
            1 => new Version(1, 2, values.Next(9)),
            _ => new Version(1, 2, 3, 4)
        },
        [typeof(Uri)] = values => new Uri(
            values.Next(2) == 0 ? $"https://h/{values.Next(99)}?q=\u00e9" : $"a/{values.Next(99)}", UriKind.RelativeOrAbsolute),
        [typeof(StringBuilder)] = values => new StringBuilder(values.MakeText()),
        [typeof(BitArray)] = values => new BitArray(values.Bytes(values.Next(6))) { Length = values.Next(40) },
        [typeof(CultureInfo)] = _ => CultureInfo.InvariantCulture,
        [typeof(TimeZoneInfo)] = values => values.Next(3) == 0
            ? Zones[values.Next(Zones.Count)]
            : MakeZone(values.Next(112) - 56, values.Next(4)),
    };

    // Objects with identity stand in several places of one root message.
    private readonly List<object> _shared = [];
    private int _nesting;

    public RandomValues(int seed)
        : this(new Random(seed))
    {
    }

    /// <summary>A message that is not null.</summary>
    public object MakeRoot(Type type)
    {
        _shared.Clear();
        return MakeMessage(type);
    }

    public object? Make(Type type)
    {
        if (type == typeof(string) || type == typeof(object))
        {
            return random.Next(4) == 0 ? null : MakeText();
        }

        if (Nullable.GetUnderlyingType(type) is { } underlying)
        {
            return random.Next(3) == 0 ? null : Make(underlying);
        }

        if (type.IsArray)
        {
            return random.Next(4) == 0 ? null : MakeArray(type.GetElementType()!, type.GetArrayRank());
        }

        if (MakeKnown(type) is { } known)
        {
            return known;
        }

        if (ObjectMakers.TryGetValue(type, out Func<RandomValues, object>? make))
        {
            return !type.IsValueType && random.Next(4) == 0 ? null : make(this);
        }

        if (type.IsGenericType && (type.Namespace ?? "").StartsWith("System", StringComparison.Ordinal)
            && type.Namespace != "System.Numerics")
        {
            return !type.IsValueType && random.Next(4) == 0 ? null : RandomContainers.Make(type, this);
        }

        if (typeof(IEnumerable).IsAssignableFrom(type))
        {
            return random.Next(4) == 0 ? null : RandomContainers.Own(type, this);
        }

        if (type.IsInterface && !type.IsDefined(typeof(PackUnionAttribute), inherit: false))
        {
            return MakeObject(CaseOf(type));
        }
        // A struct that is a message may have members of which not every bit pattern is a value.
        return type.IsValueType && !HasReferences(type) && !type.IsDefined(typeof(QueueMessageAttribute))
            ? MakeBlit(type)
            : MakeObject(type);
    }

    /// <summary>An array of up to three elements.</summary>
    public Array MakeArray(Type element) => MakeArray(element, 1);

    private Array MakeArray(Type element, int rank)
    {
        var array = Array.CreateInstance(element, [.. Enumerable.Range(0, rank).Select(_ => random.Next(MaxCount))]);
        int[] index = new int[rank];
        for (int i = 0; i < array.Length; i++)
        {
            array.SetValue(Make(element), index);
            for (int dimension = rank - 1; dimension >= 0 && ++index[dimension] == array.GetLength(dimension); dimension--)
            {
                index[dimension] = 0;
            }
        }

        return array;
    }

    private string MakeText()
    {
        int length = random.Next(12) == 0 ? random.Next(200) : random.Next(9);
        string letters = random.Next(2) == 0 ? "abc" : "ab\u00e9\u4e2d\u20ac";
        string text = string.Concat(Enumerable.Range(0, length).Select(_ => letters[random.Next(letters.Length)]));
        return random.Next(8) == 0 ? text + "\U0001F600" : text;
    }

    private object? MakeKnown(Type type)
        => type == typeof(bool) ? random.Next(2) == 0
        : type == typeof(decimal) ? new decimal(random.Next(), random.Next(), random.Next(), random.Next(2) == 0, (byte)random.Next(29))
        : type == typeof(DateTime) ? new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3))
        : type == typeof(DateTimeOffset)
            ? new DateTimeOffset(
                random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay),
                TimeSpan.FromMinutes(random.Next(-840, 841)))
        : type == typeof(DateOnly) ? DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber))
        : type == typeof(TimeOnly) ? new TimeOnly(random.NextInt64(TimeSpan.TicksPerDay))
        : type == typeof(Rune) ? new Rune(random.Next(0xD800))
        : null;

    private static TimeZoneInfo MakeZone(int quarters, int rules)
    {
        const int Year = 2030;
        var from = TimeZoneInfo.TransitionTime.CreateFloatingDateRule(new DateTime(1, 1, 1, 2, 0, 0), 3, 5, DayOfWeek.Sunday);
        var to = TimeZoneInfo.TransitionTime.CreateFixedDateRule(new DateTime(1, 1, 1, 3, 0, 0), 10, 9);
        IEnumerable<TimeZoneInfo.AdjustmentRule> made = Enumerable.Range(Year, rules)
            .Select(year => TimeZoneInfo.AdjustmentRule.CreateAdjustmentRule(
            new DateTime(year, 1, 1), new DateTime(year, 12, 31), TimeSpan.FromHours(quarters < 0 ? 1 : -1), from, to));
        return TimeZoneInfo.CreateCustomTimeZone(
            "Zone " + quarters, TimeSpan.FromMinutes(15 * quarters), "Made", "Standard", "Summer", [.. made],
            disableDaylightSavingTime: quarters % 4 == 0);
    }

    // Any bit pattern will do.
    private object MakeBlit(Type type)
    {
        int size = type.IsEnum ? Marshal.SizeOf(Enum.GetUnderlyingType(type)) : (int)SizeOf.MakeGenericMethod(type).Invoke(null, null)!;
        return Cast.MakeGenericMethod(type).Invoke(null, [Bytes(size)])!;
    }

    private object? MakeObject(Type type)
        => !type.IsValueType && (random.Next(4) == 0 || _nesting >= MaxNesting) ? null : MakeMessage(type);

    private object MakeMessage(Type type)
    {
        var cases = type.GetCustomAttributes<PackUnionAttribute>(inherit: false).ToList();
        if (cases.Count > 0)
        {
            return MakeMessage(cases[random.Next(cases.Count)].Type);
        }

        bool preservesIdentity = type.GetCustomAttribute<QueueMessageAttribute>()?.Layout == PackLayout.CircularReference;
        if (preservesIdentity && random.Next(3) == 0 && _shared.Find(type.IsInstanceOfType) is { } again)
        {
            return again;
        }

        _nesting++;
        object made = Construct(type);
        if (preservesIdentity)
        {
            _shared.Insert(random.Next(_shared.Count + 1), made);
        }

        foreach (PropertyInfo? property in type.GetProperties(BindingFlags.Instance | BindingFlags.Public)
            .Where(property => property.CanWrite && property.GetIndexParameters().Length == 0))
        {
            property.SetValue(made, Make(property.PropertyType));
        }

        foreach (FieldInfo? field in type.GetFields(BindingFlags.Instance | BindingFlags.Public).Where(field => !field.IsInitOnly))
        {
            field.SetValue(made, Make(field.FieldType));
        }

        _nesting--;
        return made;
    }

    // Its packer knows the cases.
    private Type CaseOf(Type union)
    {
        Type packer = union.Assembly.GetTypes().Single(type => type.GetCustomAttribute<PackUnionOfAttribute>()?.Union == union);
        var cases = packer.GetCustomAttributes<PackUnionAttribute>(inherit: false).ToList();
        return cases[random.Next(cases.Count)].Type;
    }

    private object Construct(Type type)
    {
        ConstructorInfo? constructor = type.GetConstructors()
            .OrderByDescending(candidate => candidate.GetParameters().Length).FirstOrDefault();
        return constructor is null || constructor.GetParameters().Length == 0
            ? Activator.CreateInstance(type)!
            : constructor.Invoke([.. constructor.GetParameters().Select(parameter => Make(parameter.ParameterType))]);
    }

    private byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }

    private int Next(int end) => random.Next(end);

    private static bool HasReferences(Type type) => (bool)IsReference.MakeGenericMethod(type).Invoke(null, null)!;

    private static T Read<T>(byte[] bytes)
        where T : struct => MemoryMarshal.Read<T>(bytes);
}
