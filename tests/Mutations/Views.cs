using System.Reflection;
using BlitQueue.Views;

namespace BlitQueue.Mutations;

/// <summary>Looks at a view: reads all that it offers, and compares it with what was packed where that is known.</summary>
/// <remarks>Views cannot be boxed, so each kind of view has a delegate, made once by <see cref="Views{TView}"/>.</remarks>
internal delegate void Look<TView>(ref TView view, object? value, ViewWatch watch)
    where TView : allows ref struct;

internal delegate TMember ViewGetter<TView, TMember>(ref TView view)
    where TView : allows ref struct
    where TMember : allows ref struct;

internal delegate void ViewCopier<TView, T>(ref TView view, ref T? target)
    where TView : allows ref struct;

internal delegate bool ViewCase<TView, TCase>(ref TView view, out TCase found)
    where TView : allows ref struct
    where TCase : allows ref struct;

internal delegate TView ViewFactory<TView>(ReadOnlySpan<byte> packed)
    where TView : allows ref struct;

/// <summary>How a type of view is looked at.</summary>
internal static class Views<TView>
    where TView : allows ref struct
{
    public static readonly Look<TView> Look = (Look<TView>)Views.Make(typeof(TView));
}

/// <summary>Makes the delegates.</summary>
internal static partial class Views
{
    private static readonly Dictionary<Type, string> Generic = new()
    {
        [typeof(ValueView<>)] = nameof(LookAtFixed),
        [typeof(NullableValueView<>)] = nameof(LookAtNullable),
        [typeof(SpanView<>)] = nameof(LookAtSpan),
        [typeof(NullableSpanView<>)] = nameof(LookAtNullables),
        [typeof(ListView<>)] = nameof(LookAtList),
        [typeof(MapView<,>)] = nameof(LookAtMap),
        [typeof(EntryView<,>)] = nameof(LookAtEntry),
        [typeof(GridView<,>)] = nameof(LookAtGrid),
        [typeof(ObjectView<>)] = nameof(LookAtObject),
        [typeof(PackedView<>)] = nameof(LookAtPacked),
    };

    public static Delegate Make(Type view)
        => view == typeof(StringView) ? (Look<StringView>)LookAtString
        : view == typeof(VariableView) ? (Look<VariableView>)LookAtVariable
        : !IsView(view) ? Bind(nameof(LookAtValue), view, view)
        : !view.IsGenericType || view.Namespace != typeof(IPackView<>).Namespace ? MakeMessage(view)
        : view.Name.StartsWith("TupleView", StringComparison.Ordinal) ? MakeTuple(view)
        : Generic.TryGetValue(view.GetGenericTypeDefinition(), out string? method) ? Bind(method, view, view.GetGenericArguments())
        : throw new NotSupportedException($"{view} is not known here: add it to {nameof(Views)}.");

    public static bool IsView(Type type)
        => Array.Exists(
            type.GetInterfaces(), contract => contract.IsGenericType && contract.GetGenericTypeDefinition() == typeof(IPackView<>));

    private static MethodInfo Method(string name, params Type[] types)
        => typeof(Views).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types);

    private static Delegate Bind(string method, Type view, params Type[] types)
        => Method(method, types).CreateDelegate(typeof(Look<>).MakeGenericType(view));

    private static void LookAtValue<V>(ref V view, object? value, ViewWatch watch) => watch.Same(view, value);

    // Inside what is null it is the default.
    private static void LookAtFixed<V>(ref ValueView<V> view, object? value, ViewWatch watch)
        where V : unmanaged
    {
        watch.Same(view.Value, value ?? default(V));
        watch.Same<V>(view, value ?? default(V));
    }

    private static void LookAtNullable<V>(ref NullableValueView<V> view, object? value, ViewWatch watch)
        where V : unmanaged
    {
        watch.Same(view.Value, value);
        watch.Same<V?>(view, value);
    }

    private static void LookAtString(ref StringView view, object? value, ViewWatch watch)
    {
        string? text = value as string;
        _ = view == "Ada";
        _ = view == "Ad\u00e9"u8;
        _ = view.IsUtf16 ? view.Utf16.Length : view.Utf8.Length;
        watch.Same(view.IsNull, text is null);
        watch.Same(view.Length, text?.Length ?? 0);
        watch.Same(view == text, true);
        watch.Same(view.ToString(), text);
    }

    private static void LookAtVariable(ref VariableView view, object? value, ViewWatch watch)
    {
        watch.HasLostCount = true;

        // Null of fixed size, which stands for a type parameter, is zeros and not the null mark.
        if (value is null)
        {
            watch.Same(view.Bytes.IndexOfAnyExcept((byte)0) < 0, true);
        }
        else if (!value.GetType().IsValueType)
        {
            watch.Same(view.IsNull, false);
        }
    }

    private static void LookAtObject<T>(ref ObjectView<T> view, object? value, ViewWatch watch)
    {
        watch.Same(view.IsNull, value is null);
        _ = view.Bytes.Length;
        if (typeof(T) == typeof(Uri) || typeof(T) == typeof(System.Text.StringBuilder)
            || typeof(T) == typeof(System.Globalization.CultureInfo) || typeof(T) == typeof(TimeZoneInfo))
        {
            watch.Same(view.Text.ToString(), TextOf(value));
        }

        T? whole = watch.Make(ref view, static (ref ObjectView<T> from) => from.ToObject());
        if (value is not null || !typeof(T).IsValueType)
        {
            watch.Same(whole, value);
        }
    }

    private static string? TextOf(object? value) => value switch
    {
        Uri address => address.OriginalString,
        TimeZoneInfo zone => zone.Id,
        System.Globalization.CultureInfo culture => culture.Name,
        _ => value?.ToString(),
    };
}
