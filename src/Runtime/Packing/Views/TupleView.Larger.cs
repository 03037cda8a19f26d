namespace BlitQueue.Views;

/// <summary>A packed tuple of six parts, each viewed in place.</summary>
/// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}" path="/typeparam"/>
public readonly ref struct TupleView<T1, T2, T3, T4, T5, T6> : IPackView<TupleView<T1, T2, T3, T4, T5, T6>>
    where T1 : IPackView<T1>, allows ref struct
    where T2 : IPackView<T2>, allows ref struct
    where T3 : IPackView<T3>, allows ref struct
    where T4 : IPackView<T4>, allows ref struct
    where T5 : IPackView<T5>, allows ref struct
    where T6 : IPackView<T6>, allows ref struct
{
    private readonly VariableView _parts;

    private TupleView(VariableView variable) => _parts = variable;

    /// <summary>There is no tuple: all its parts are null or their types' defaults.</summary>
    public bool IsNull => _parts.IsNull;

    /// <inheritdoc cref="TupleView{T1}.Item1"/>
    public T1 Item1 => _parts.Walk().View<T1>();

    /// <inheritdoc cref="TupleView{T1, T2}.Item2"/>
    public T2 Item2 => _parts.Walk().Past<T1>().View<T2>();

    /// <inheritdoc cref="TupleView{T1, T2, T3}.Item3"/>
    public T3 Item3 => _parts.Walk().Past<T1>().Past<T2>().View<T3>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4}.Item4"/>
    public T4 Item4 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().View<T4>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5}.Item5"/>
    public T5 Item5 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().Past<T4>().View<T5>();

    /// <summary>The view of the sixth part.</summary>
    /// <exception cref="PackException">A part up to this one is not wholly here, or the bytes cannot be such a part.</exception>
    public T6 Item6 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().Past<T4>().Past<T5>().View<T6>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}.Deconstruct"/>
    public void Deconstruct(out T1 item1, out T2 item2, out T3 item3, out T4 item4, out T5 item5, out T6 item6)
    {
        VariableIterator walk = _parts.Walk();
        item1 = walk.View<T1>();
        item2 = walk.View<T2>();
        item3 = walk.View<T3>();
        item4 = walk.View<T4>();
        item5 = walk.View<T5>();
        item6 = walk.View<T6>();
    }

    static TupleView<T1, T2, T3, T4, T5, T6> IPackView<TupleView<T1, T2, T3, T4, T5, T6>>.Of(VariableView variable) => new(variable);
}

/// <summary>A packed tuple of seven parts, each viewed in place.</summary>
/// <typeparam name="T1">The view of its first part.</typeparam>
/// <typeparam name="T2">The view of its second part.</typeparam>
/// <typeparam name="T3">The view of its third part.</typeparam>
/// <typeparam name="T4">The view of its fourth part.</typeparam>
/// <typeparam name="T5">The view of its fifth part.</typeparam>
/// <typeparam name="T6">The view of its sixth part.</typeparam>
/// <typeparam name="T7">The view of its seventh part.</typeparam>
public readonly ref struct TupleView<T1, T2, T3, T4, T5, T6, T7> : IPackView<TupleView<T1, T2, T3, T4, T5, T6, T7>>
    where T1 : IPackView<T1>, allows ref struct
    where T2 : IPackView<T2>, allows ref struct
    where T3 : IPackView<T3>, allows ref struct
    where T4 : IPackView<T4>, allows ref struct
    where T5 : IPackView<T5>, allows ref struct
    where T6 : IPackView<T6>, allows ref struct
    where T7 : IPackView<T7>, allows ref struct
{
    private readonly VariableView _parts;

    private TupleView(VariableView variable) => _parts = variable;

    /// <summary>There is no tuple: all its parts are null or their types' defaults.</summary>
    public bool IsNull => _parts.IsNull;

    /// <inheritdoc cref="TupleView{T1}.Item1"/>
    public T1 Item1 => _parts.Walk().View<T1>();

    /// <inheritdoc cref="TupleView{T1, T2}.Item2"/>
    public T2 Item2 => _parts.Walk().Past<T1>().View<T2>();

    /// <inheritdoc cref="TupleView{T1, T2, T3}.Item3"/>
    public T3 Item3 => _parts.Walk().Past<T1>().Past<T2>().View<T3>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4}.Item4"/>
    public T4 Item4 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().View<T4>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5}.Item5"/>
    public T5 Item5 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().Past<T4>().View<T5>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6}.Item6"/>
    public T6 Item6 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().Past<T4>().Past<T5>().View<T6>();

    /// <summary>The view of the seventh part.</summary>
    /// <exception cref="PackException">A part up to this one is not wholly here, or the bytes cannot be such a part.</exception>
    public T7 Item7 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().Past<T4>().Past<T5>().Past<T6>().View<T7>();

    /// <summary>Takes the tuple apart.</summary>
    /// <param name="item1">The view of the first part.</param>
    /// <param name="item2">The view of the second part.</param>
    /// <param name="item3">The view of the third part.</param>
    /// <param name="item4">The view of the fourth part.</param>
    /// <param name="item5">The view of the fifth part.</param>
    /// <param name="item6">The view of the sixth part.</param>
    /// <param name="item7">The view of the seventh part.</param>
    /// <exception cref="PackException">A part is not wholly here, or the bytes cannot be such a part.</exception>
    public void Deconstruct(out T1 item1, out T2 item2, out T3 item3, out T4 item4, out T5 item5, out T6 item6, out T7 item7)
    {
        VariableIterator walk = _parts.Walk();
        item1 = walk.View<T1>();
        item2 = walk.View<T2>();
        item3 = walk.View<T3>();
        item4 = walk.View<T4>();
        item5 = walk.View<T5>();
        item6 = walk.View<T6>();
        item7 = walk.View<T7>();
    }

    static TupleView<T1, T2, T3, T4, T5, T6, T7> IPackView<TupleView<T1, T2, T3, T4, T5, T6, T7>>.Of(VariableView variable)
        => new(variable);
}
