using System.Collections;
using System.Reflection;

namespace BlitQueue.Mutations;

/// <summary>Looks at a view: reads all that it offers, and compares it with what was packed where that is known.</summary>
/// <remarks>Views cannot be boxed, so each kind of view has a delegate, made once by <see cref="Views{TView}"/>.</remarks>
internal delegate void Look<TView>(ref TView view, object? value, ViewWatch watch)
    where TView : allows ref struct;

internal delegate TMember ViewGetter<TView, TMember>(ref TView view)
    where TView : allows ref struct
    where TMember : allows ref struct;

internal delegate TView ViewFactory<TView>(ReadOnlySpan<byte> packed)
    where TView : allows ref struct;

/// <summary>How a type of view is looked at.</summary>
internal static class Views<TView>
    where TView : allows ref struct
{
    public static readonly Look<TView> Look = (Look<TView>)Views.Make(typeof(TView));
}

/// <summary>Makes the delegates.</summary>
internal static class Views
{
    public static Delegate Make(Type view)
        => view == typeof(StringView) ? (Look<StringView>)LookAtString
        : view == typeof(VariableView) ? (Look<VariableView>)LookAtVariable
        : !IsView(view) ? Bind(nameof(LookAtValue), view, view)
        : !view.IsGenericType || view.Namespace != "BlitQueue" ? MakeMessage(view)
        : view.GetGenericTypeDefinition() == typeof(SpanView<>) ? Bind(nameof(LookAtSpan), view, view.GetGenericArguments())
        : view.GetGenericTypeDefinition() == typeof(NullableSpanView<>) ? Bind(nameof(LookAtNullables), view, view.GetGenericArguments())
        : view.GetGenericTypeDefinition() == typeof(ListView<>) ? Bind(nameof(LookAtList), view, view.GetGenericArguments())
        : view.GetGenericTypeDefinition() == typeof(PackedView<>) ? Bind(nameof(LookAtPacked), view, view.GetGenericArguments())
        : throw new NotSupportedException($"{view} is not known here: add it to {nameof(Views)}.");

    public static bool IsView(Type type)
        => type.IsByRefLike && type.GetInterfaces().Any(contract => contract.IsGenericType && contract.GetGenericTypeDefinition() == typeof(IPackView<>));

    private static MethodInfo Method(string name, params Type[] types)
        => typeof(Views).GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(types);

    private static Delegate Bind(string method, Type view, params Type[] types)
        => Method(method, types).CreateDelegate(typeof(Look<>).MakeGenericType(view));

    private static Delegate MakeMessage(Type view)
    {
        var properties = view.GetProperties(BindingFlags.Instance | BindingFlags.Public).Where(property => property.Name != "IsNull").ToList();
        return (Delegate)Method(nameof(Message), view).Invoke(null, [
            view.GetProperty("IsNull")!,
            properties.Select(property => Method(nameof(Member), view, property.PropertyType).Invoke(null, [property])).ToArray(),
            Method(nameof(Whole), view, view.GetMethod("ToObject")!.ReturnType).Invoke(null, [view.GetMethod("ToObject")]),
        ])!;
    }

    private static Look<TView> Message<TView>(PropertyInfo isNull, object[] members, Look<TView> whole)
        where TView : allows ref struct
    {
        var getIsNull = isNull.GetMethod!.CreateDelegate<ViewGetter<TView, bool>>();
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            var isNullNow = getIsNull(ref view);
            watch.Same(isNullNow, value is null);
            whole(ref view, value, watch);
            if (isNullNow && watch.Depth > 0)
                return;

            watch.Depth++;
            foreach (Look<TView> member in members)
                member(ref view, value, watch);
            watch.Depth--;
        };
    }

    private static Look<TView> Member<TView, TMember>(PropertyInfo property)
        where TView : allows ref struct
        where TMember : allows ref struct
    {
        var get = property.GetMethod!.CreateDelegate<ViewGetter<TView, TMember>>();
        var name = property.Name;
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            try
            {
                var member = get(ref view);
                Views<TMember>.Look(ref member, value is null ? null : watch.MemberOf(value, name), watch);
            }
            catch (PackException fault) when (watch.Expects(fault))
            {
                watch.Faults++;
            }
        };
    }

    private static Look<TView> Whole<TView, T>(MethodInfo toObject)
        where TView : allows ref struct
    {
        var get = toObject.CreateDelegate<ViewGetter<TView, T>>();
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            // Inside others it is read by them.
            if (watch.Depth > 1)
                return;
            try
            {
                var whole = get(ref view);

                // Of null, a struct's view makes the default.
                if (value is not null || !typeof(T).IsValueType)
                    watch.Same(whole, value);
            }
            catch (PackException fault) when (watch.Expects(fault))
            {
                watch.Faults++;
            }
        };
    }

    private static void LookAtValue<V>(ref V view, object? value, ViewWatch watch) => watch.Same(view, value);

    private static void LookAtString(ref StringView view, object? value, ViewWatch watch)
    {
        var text = value as string;
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
        _ = view.Bytes.Length;
        if (value is null || !value.GetType().IsValueType)
            watch.Same(view.IsNull, value is null);
    }

    private static void LookAtSpan<V>(ref SpanView<V> view, object? value, ViewWatch watch)
        where V : unmanaged
    {
        watch.Same(view.ToArray(), value);
        foreach (var item in view)
            _ = item;
        if (IsBlittable<V>())
            watch.Same(view.Span.Length, (value as ICollection)?.Count ?? 0);
    }

    private static void LookAtNullables<V>(ref NullableSpanView<V> view, object? value, ViewWatch watch)
        where V : unmanaged
    {
        watch.Same(view.ToArray(), value);
        foreach (var item in view)
            _ = item;
    }

    private static void LookAtList<TView>(ref ListView<TView> view, object? value, ViewWatch watch)
        where TView : IPackView<TView>, allows ref struct
    {
        var list = value as IList;
        watch.Same(view.IsNull, value is null);
        watch.Same(view.Count, list?.Count ?? 0);
        if (view.Count > 0)
            _ = view[view.Count - 1];

        var place = 0;
        foreach (var item in view)
        {
            var element = item;
            Views<TView>.Look(ref element, list?[place++], watch);
        }
    }

    private static void LookAtPacked<T>(ref PackedView<T> view, object? value, ViewWatch watch)
        where T : IPackable<T>
    {
        var whole = view.ToObject();
        watch.Same(view.IsNull, value is null);
        if (value is not null || !typeof(T).IsValueType)
            watch.Same(whole, value);
    }

    private static bool IsBlittable<V>()
        => typeof(V) != typeof(bool) && typeof(V) != typeof(decimal) && typeof(V) != typeof(DateTime) && typeof(V) != typeof(DateTimeOffset)
        && typeof(V) != typeof(DateOnly) && typeof(V) != typeof(TimeOnly) && typeof(V) != typeof(System.Text.Rune);
}
