using System.Reflection;
using BlitQueue.Views;

namespace BlitQueue.Mutations;

/// <summary>Generated views of messages, and what stands for those without one.</summary>
internal static partial class Views
{
    // What a view has beside the message's members.
    private static readonly string[] OfAny = ["IsNull"];
    private static readonly string[] OfCircular = [.. OfAny, "IsReference", "ReferenceNumber"];

    private static Delegate MakeMessage(Type view)
    {
        Type message = view.GetMethod("ToObject")!.ReturnType;
        bool isCircular = message.GetCustomAttribute<QueueMessageAttribute>()?.Layout == PackLayout.CircularReference;
        Delegate[] wholes = [MakeWhole(nameof(Whole), view, message, "ToObject"), MakeWhole(nameof(Copy), view, message, "CopyTo")];
        if (message.IsDefined(typeof(PackUnionAttribute), inherit: false))
        {
            return MakeFor(nameof(Message), view, wholes, MakeCases(view, message));
        }

        var properties = view.GetProperties(BindingFlags.Instance | BindingFlags.Public)
            .Where(property => !(isCircular ? OfCircular : OfAny).Contains(property.Name)).ToList();
        Delegate[] members = MakeMembers(nameof(Member), view, properties);
        return isCircular
            ? MakeFor(
                nameof(Circular), view, wholes, MakeFor(nameof(Message), view, wholes, members),
                MakeMembers(nameof(Refused), view, properties))
            : MakeFor(nameof(Message), view, wholes, members);
    }

    private static Delegate MakeFor(string method, Type view, params object[] arguments)
        => (Delegate)Method(method, view).Invoke(null, arguments)!;

    private static Delegate MakeWhole(string method, Type view, Type message, string name)
        => (Delegate)Method(method, view, message).Invoke(null, [view.GetMethod(name)])!;

    private static Delegate[] MakeMembers(string method, Type view, IEnumerable<PropertyInfo> properties)
        => [.. properties.Select(property => (Delegate)Method(method, view, property.PropertyType).Invoke(null, [property])!)];

    private static Delegate[] MakeCases(Type view, Type union)
    {
        var cases = union.GetCustomAttributes<PackUnionAttribute>(inherit: false).ToList();
        var methods = view.GetMethods().Where(method => method.Name.StartsWith("TryGet", StringComparison.Ordinal)).ToList();
        if (methods.Count != cases.Count)
        {
            throw new NotSupportedException($"{view} has {methods.Count} cases of {cases.Count}.");
        }

        var tags = cases.ToDictionary(option => option.Type, option => (int)option.Tag);
        IEnumerable<Delegate> looks = methods.Select(
            method => (Delegate)Method(nameof(Case), view, CaseOf(method)).Invoke(null, [method])!);
        return [(Delegate)Method(nameof(Tag), view).Invoke(null, [view.GetProperty("Tag")!, tags])!, .. looks];
    }

    private static Type CaseOf(MethodInfo method) => method.GetParameters()[0].ParameterType.GetElementType()!;

    private static ViewGetter<TView, TMember> Getter<TView, TMember>(string property)
        where TView : allows ref struct
        where TMember : allows ref struct => typeof(TView).GetProperty(property)!.GetMethod!.CreateDelegate<ViewGetter<TView, TMember>>();

    private static Look<TView> Message<TView>(Delegate[] wholes, Delegate[] members)
        where TView : allows ref struct
    {
        ViewGetter<TView, bool> isNull = Getter<TView, bool>("IsNull");
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            bool isNullNow = isNull(ref view);
            watch.Same(isNullNow, value is null);

            // Inside others it is read by them.
            if (watch.Depth < 2)
            {
                LookAtAll(wholes, ref view, value, watch);
            }

            if (isNullNow && watch.Depth > 0)
            {
                return;
            }

            watch.Depth++;
            LookAtAll(members, ref view, value, watch);
            watch.Depth--;
        };
    }

    // Where an object stands again, it can be had as a whole, whatever it is inside of; no member of it can be read.
    private static Look<TView> Circular<TView>(Delegate[] wholes, Look<TView> message, Delegate[] refused)
        where TView : allows ref struct
    {
        ViewGetter<TView, bool> isReference = Getter<TView, bool>("IsReference");
        ViewGetter<TView, int> number = Getter<TView, int>("ReferenceNumber");
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            watch.SameReference(number(ref view), value);
            if (isReference(ref view))
            {
                LookAtAll([.. wholes, .. refused], ref view, value, watch);
            }
            else
            {
                message(ref view, value, watch);
            }
        };
    }

    private static void LookAtAll<TView>(Delegate[] looks, ref TView view, object? value, ViewWatch watch)
        where TView : allows ref struct
    {
        foreach (Delegate look in looks)
        {
            try
            {
                ((Look<TView>)look)(ref view, value, watch);
            }
            catch (PackException) when (watch.ExpectsFaults)
            {
                watch.Faults++;
            }
        }
    }

    private static Look<TView> Member<TView, TMember>(PropertyInfo property)
        where TView : allows ref struct
        where TMember : allows ref struct
    {
        ViewGetter<TView, TMember> get = Getter<TView, TMember>(property.Name);
        string name = property.Name;
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            TMember? member = get(ref view);
            Views<TMember>.Look(ref member, value is null ? null : watch.MemberOf(value, name), watch);
        };
    }

    private static Look<TView> Refused<TView, TMember>(PropertyInfo property)
        where TView : allows ref struct
        where TMember : allows ref struct
    {
        ViewGetter<TView, TMember> get = Getter<TView, TMember>(property.Name);
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            try
            {
                get(ref view);
            }
            catch (PackException)
            {
                return;
            }

            throw new InvalidOperationException($"{property.Name} can be read where only a number stands.");
        };
    }

    private static Look<TView> Tag<TView>(PropertyInfo property, Dictionary<Type, int> tags)
        where TView : allows ref struct
    {
        ViewGetter<TView, int> get = Getter<TView, int>(property.Name);
        return (ref TView view, object? value, ViewWatch watch) => watch.Same(get(ref view), value is null ? -1 : tags[value.GetType()]);
    }

    private static Look<TView> Case<TView, TCase>(MethodInfo method)
        where TView : allows ref struct
        where TCase : allows ref struct
    {
        ViewCase<TView, TCase> tryGet = method.CreateDelegate<ViewCase<TView, TCase>>();
        Type message = typeof(TCase).GetMethod("ToObject")!.ReturnType;
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            bool isCase = value is not null && value.GetType() == message;
            watch.Same(tryGet(ref view, out TCase? found), isCase);
            Views<TCase>.Look(ref found, isCase ? value : null, watch);
        };
    }

    private static Look<TView> Whole<TView, T>(MethodInfo toObject)
        where TView : allows ref struct
    {
        ViewGetter<TView, T?> get = toObject.CreateDelegate<ViewGetter<TView, T?>>();
        return (ref TView view, object? value, ViewWatch watch) => SameWhole(watch.Make(ref view, get), value, watch);
    }

    // Into nothing, and over what came out.
    private static Look<TView> Copy<TView, T>(MethodInfo copyTo)
        where TView : allows ref struct
    {
        ViewCopier<TView, T> copy = copyTo.CreateDelegate<ViewCopier<TView, T>>();
        return (ref TView view, object? value, ViewWatch watch) =>
        {
            T? target = default;
            for (int round = 0; round < 2; round++)
            {
                target = watch.Make(ref view, (ref TView from) =>
                {
                    copy(ref from, ref target);
                    return target;
                });
                SameWhole(target, value, watch);
            }
        };
    }

    private static void LookAtPacked<T>(ref PackedView<T> view, object? value, ViewWatch watch)
        where T : IPackable<T>
    {
        _ = view.Bytes.Length;
        watch.Same(view.IsNull, value is null);
        SameWhole(watch.Make(ref view, static (ref PackedView<T> from) => from.ToObject()), value, watch);
    }

    // Of null, a struct's view makes the default.
    private static void SameWhole<T>(T? whole, object? value, ViewWatch watch)
    {
        if (value is not null || !typeof(T).IsValueType)
        {
            watch.Same(whole, value);
        }
    }
}
