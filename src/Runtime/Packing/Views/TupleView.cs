namespace BlitQueue.Views;

/// <summary>A packed tuple of one part, viewed in place.</summary>
/// <typeparam name="T1">The view of its first part.</typeparam>
public readonly ref struct TupleView<T1> : IPackView<TupleView<T1>>
    where T1 : IPackView<T1>, allows ref struct
{
    private readonly VariableView _parts;

    private TupleView(VariableView variable) => _parts = variable;

    /// <summary>There is no tuple: all its parts are null or their types' defaults.</summary>
    public bool IsNull => _parts.IsNull;

    /// <summary>The view of the first part.</summary>
    /// <exception cref="PackException">The bytes cannot be such a part.</exception>
    public T1 Item1 => _parts.Walk().View<T1>();

    static TupleView<T1> IPackView<TupleView<T1>>.Of(VariableView variable) => new(variable);
}

/// <summary>A packed tuple of two parts, each viewed in place.</summary>
/// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}" path="/typeparam"/>
public readonly ref struct TupleView<T1, T2> : IPackView<TupleView<T1, T2>>
    where T1 : IPackView<T1>, allows ref struct
    where T2 : IPackView<T2>, allows ref struct
{
    private readonly VariableView _parts;

    private TupleView(VariableView variable) => _parts = variable;

    /// <summary>There is no tuple: all its parts are null or their types' defaults.</summary>
    public bool IsNull => _parts.IsNull;

    /// <inheritdoc cref="TupleView{T1}.Item1"/>
    public T1 Item1 => _parts.Walk().View<T1>();

    /// <summary>The view of the second part.</summary>
    /// <exception cref="PackException">A part up to this one is not wholly here, or the bytes cannot be such a part.</exception>
    public T2 Item2 => _parts.Walk().Past<T1>().View<T2>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}.Deconstruct"/>
    public void Deconstruct(out T1 item1, out T2 item2)
    {
        VariableIterator walk = _parts.Walk();
        item1 = walk.View<T1>();
        item2 = walk.View<T2>();
    }

    static TupleView<T1, T2> IPackView<TupleView<T1, T2>>.Of(VariableView variable) => new(variable);
}

/// <summary>A packed tuple of three parts, each viewed in place.</summary>
/// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}" path="/typeparam"/>
public readonly ref struct TupleView<T1, T2, T3> : IPackView<TupleView<T1, T2, T3>>
    where T1 : IPackView<T1>, allows ref struct
    where T2 : IPackView<T2>, allows ref struct
    where T3 : IPackView<T3>, allows ref struct
{
    private readonly VariableView _parts;

    private TupleView(VariableView variable) => _parts = variable;

    /// <summary>There is no tuple: all its parts are null or their types' defaults.</summary>
    public bool IsNull => _parts.IsNull;

    /// <inheritdoc cref="TupleView{T1}.Item1"/>
    public T1 Item1 => _parts.Walk().View<T1>();

    /// <inheritdoc cref="TupleView{T1, T2}.Item2"/>
    public T2 Item2 => _parts.Walk().Past<T1>().View<T2>();

    /// <summary>The view of the third part.</summary>
    /// <exception cref="PackException">A part up to this one is not wholly here, or the bytes cannot be such a part.</exception>
    public T3 Item3 => _parts.Walk().Past<T1>().Past<T2>().View<T3>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}.Deconstruct"/>
    public void Deconstruct(out T1 item1, out T2 item2, out T3 item3)
    {
        VariableIterator walk = _parts.Walk();
        item1 = walk.View<T1>();
        item2 = walk.View<T2>();
        item3 = walk.View<T3>();
    }

    static TupleView<T1, T2, T3> IPackView<TupleView<T1, T2, T3>>.Of(VariableView variable) => new(variable);
}

/// <summary>A packed tuple of four parts, each viewed in place.</summary>
/// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}" path="/typeparam"/>
public readonly ref struct TupleView<T1, T2, T3, T4> : IPackView<TupleView<T1, T2, T3, T4>>
    where T1 : IPackView<T1>, allows ref struct
    where T2 : IPackView<T2>, allows ref struct
    where T3 : IPackView<T3>, allows ref struct
    where T4 : IPackView<T4>, allows ref struct
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

    /// <summary>The view of the fourth part.</summary>
    /// <exception cref="PackException">A part up to this one is not wholly here, or the bytes cannot be such a part.</exception>
    public T4 Item4 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().View<T4>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}.Deconstruct"/>
    public void Deconstruct(out T1 item1, out T2 item2, out T3 item3, out T4 item4)
    {
        VariableIterator walk = _parts.Walk();
        item1 = walk.View<T1>();
        item2 = walk.View<T2>();
        item3 = walk.View<T3>();
        item4 = walk.View<T4>();
    }

    static TupleView<T1, T2, T3, T4> IPackView<TupleView<T1, T2, T3, T4>>.Of(VariableView variable) => new(variable);
}

/// <summary>A packed tuple of five parts, each viewed in place.</summary>
/// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}" path="/typeparam"/>
public readonly ref struct TupleView<T1, T2, T3, T4, T5> : IPackView<TupleView<T1, T2, T3, T4, T5>>
    where T1 : IPackView<T1>, allows ref struct
    where T2 : IPackView<T2>, allows ref struct
    where T3 : IPackView<T3>, allows ref struct
    where T4 : IPackView<T4>, allows ref struct
    where T5 : IPackView<T5>, allows ref struct
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

    /// <summary>The view of the fifth part.</summary>
    /// <exception cref="PackException">A part up to this one is not wholly here, or the bytes cannot be such a part.</exception>
    public T5 Item5 => _parts.Walk().Past<T1>().Past<T2>().Past<T3>().Past<T4>().View<T5>();

    /// <inheritdoc cref="TupleView{T1, T2, T3, T4, T5, T6, T7}.Deconstruct"/>
    public void Deconstruct(out T1 item1, out T2 item2, out T3 item3, out T4 item4, out T5 item5)
    {
        VariableIterator walk = _parts.Walk();
        item1 = walk.View<T1>();
        item2 = walk.View<T2>();
        item3 = walk.View<T3>();
        item4 = walk.View<T4>();
        item5 = walk.View<T5>();
    }

    static TupleView<T1, T2, T3, T4, T5> IPackView<TupleView<T1, T2, T3, T4, T5>>.Of(VariableView variable) => new(variable);
}
