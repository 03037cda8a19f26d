using BlitQueue.Generated;

namespace BlitQueue;

/// <summary>The members of a message. Two types are the same message if their members' names, kinds and order are the same.</summary>
/// <remarks>The type's own name does not count: it may change, and so may its namespace.</remarks>
/// <example>
/// <code>
/// Console.WriteLine(Order.Schema.Text);       // #0{Id:i64,Customer:string,Items:list&lt;#1&gt;}#1{Sku:string,Count:i32}
/// </code>
/// </example>
public sealed partial class MessageSchema
{
    private readonly bool _ownCodeRuns;

    // Any thread may write it; all write the same, so no lock is needed.
    private Facts? _facts;

    /// <summary>Describes a message.</summary>
    /// <param name="name">The type's name, for error messages only.</param>
    /// <param name="members">The members in packed order, those of base classes first.</param>
    /// <param name="form"> How the members are packed, if not one after another: a word such as <c>tolerant</c>, <c>circular</c> or
    /// <c>union</c>.
    /// </param>
    /// <param name="runsUserCode">
    /// Whether packing this very type runs code that is not generated: a getter with a body, a callback, a custom packer.
    /// </param>
    public MessageSchema(string name, IReadOnlyList<MemberSchema> members, string form = "", bool runsUserCode = false)
    {
        Name = name;
        Members = members;
        Form = form;
        _ownCodeRuns = runsUserCode;
    }

    /// <summary>The type's name.</summary>
    public string Name { get; }

    /// <summary>The members in packed order, those of base classes first.</summary>
    public IReadOnlyList<MemberSchema> Members { get; }

    /// <summary>How the members are packed; empty for one after another.</summary>
    public string Form { get; }

    /// <summary>
    /// The canonical text: every message type that this one reaches, numbered in depth-first order, with its members. A queue stores this
    /// text, and <see cref="Fingerprint"/> is its hash.
    /// </summary>
    public string Text => (_facts ??= Facts.Of(this)).Text;

    /// <summary>The first 8 bytes, little-endian, of the SHA-256 of <see cref="Text"/> in UTF-8.</summary>
    public ulong Fingerprint => (_facts ??= Facts.Of(this)).Fingerprint;

    /// <summary>Whether packing runs code that is not generated, in this type or any that it reaches.</summary>
    public bool RunsUserCode => (_facts ??= Facts.Of(this)).RunsUserCode;

    /// <summary>Whether an object may occur more than once in the message.</summary>
    internal bool PreservesIdentity => (_facts ??= Facts.Of(this)).PreservesIdentity;

    /// <summary>The name and the canonical text.</summary>
    /// <returns>For people to read.</returns>
    public override string ToString() => $"{Name} {Text}";

    /// <summary>Says how this message differs from another one that is known by its canonical text only.</summary>
    /// <param name="theirsText">The other one's <see cref="Text"/>, perhaps damaged.</param>
    /// <returns>One line per difference, such as <c>Customer: string here, i64 there</c>; none when both are the same message.</returns>
    public IReadOnlyList<string> Difference(string theirsText)
    {
        if (theirsText == Text)
        {
            return [];
        }

        if (SchemaText.Parse(theirsText) is not { } theirs)
        {
            return ["the other schema cannot be read"];
        }

        var lines = new List<string>();
        Compare("", SchemaText.Parse(Text)!, 0, theirs, 0, [], lines);
        return lines.Count > 0
            ? lines
            : ["the same members, but nested messages that are one type here are several there, or the other way round"];
    }

    /// <summary>
    /// Says why a program that knows this version of a message and one that knows another version cannot share a queue, by the rules that
    /// opening a queue has.
    /// </summary>
    /// <param name="theirsText">The other version's <see cref="Text"/>, perhaps damaged.</param>
    /// <returns>One line for each thing that stands in the way; none if each version reads what the other one wrote.</returns>
    public IReadOnlyList<string> Obstacles(string theirsText) => SchemaEvolution.Obstacles(Text, theirsText, out _);

    private static void Compare(
        string path, SchemaText ours, int our, SchemaText theirs, int their, HashSet<(int Our, int Their)> seen, List<string> lines)
    {
        if (!seen.Add((our, their)))
        {
            return;
        }

        (string? ourForm, List<SchemaText.Member>? ourMembers) = ours.Types[our];
        (string? theirForm, List<SchemaText.Member>? theirMembers) = theirs.Types[their];
        if (ourForm != theirForm)
        {
            lines.Add($"{(path.Length == 0 ? "the message" : path.TrimEnd('.'))}: {Word(ourForm)} here, {Word(theirForm)} there");
        }

        foreach ((string? name, string? kind) in ourMembers)
        {
            int index = theirMembers.FindIndex(member => member.Name == name);
            if (index < 0)
            {
                lines.Add($"{path}{name}: only here ({SchemaText.Shape(kind)})");
                continue;
            }

            string theirKind = theirMembers[index].Kind;
            if (SchemaText.Shape(kind) != SchemaText.Shape(theirKind))
            {
                lines.Add($"{path}{name}: {SchemaText.Shape(kind)} here, {SchemaText.Shape(theirKind)} there");
            }
            else
            {
                foreach ((int ourNext, int theirNext) in SchemaText.References(kind).Zip(SchemaText.References(theirKind)))
                {
                    Compare($"{path}{name}.", ours, ourNext, theirs, theirNext, seen, lines);
                }
            }
        }

        foreach ((string? name, string? kind) in theirMembers)
        {
            if (!ourMembers.Exists(member => member.Name == name))
            {
                lines.Add($"{path}{name}: only there ({SchemaText.Shape(kind)})");
            }
        }

        CompareOrder(path, ourMembers, theirMembers, lines);
    }

    private static void CompareOrder(string path, List<SchemaText.Member> ours, List<SchemaText.Member> theirs, List<string> lines)
    {
        var ourOrder = ours.Select(member => member.Name).Where(name => theirs.Exists(member => member.Name == name)).ToList();
        var theirOrder = theirs.Select(member => member.Name).Where(name => ours.Exists(member => member.Name == name)).ToList();
        if (!ourOrder.SequenceEqual(theirOrder))
        {
            lines.Add($"{path}order: {string.Join(", ", ourOrder)} here, {string.Join(", ", theirOrder)} there");
        }
    }

    private static string Word(string form) => form.Length == 0 ? "sequential" : form;

    private sealed record Facts(string Text, ulong Fingerprint, bool RunsUserCode, bool PreservesIdentity)
    {
        // A generic message that contains ever larger forms of itself has no last one.
        private const int MaxReached = 10_000;

        public static Facts Of(MessageSchema root)
        {
            List<MessageSchema> reached = Reach(root);
            var text = new StringBuilder();
            foreach (MessageSchema schema in reached)
            {
                Append(text, schema, reached);
            }

            string canonical = text.ToString();
            return new Facts(
                canonical,
                SchemaText.Fingerprint(canonical),
                reached.Exists(schema => schema._ownCodeRuns || schema.Members.Any(member => member.RunsUserCode)),
                reached.Exists(schema => schema.Form == "circular"));
        }

        // Depth first, each type when first met. It uses a stack of its own, because a long chain of types must not exhaust the thread's.
        private static List<MessageSchema> Reach(MessageSchema root)
        {
            List<MessageSchema> reached = [];
            HashSet<MessageSchema> seen = [];
            Stack<MessageSchema> next = new([root]);
            while (next.TryPop(out MessageSchema? schema))
            {
                if (!seen.Add(schema))
                {
                    continue;
                }

                if (reached.Count >= MaxReached)
                {
                    throw new NotSupportedException(
                        $"{root.Name} reaches more than {MaxReached} messages: does it have itself as a member, with ever larger type "
                            + "arguments?");
                }

                reached.Add(schema);
                for (int i = schema.Members.Count - 1; i >= 0; i--)
                {
                    IReadOnlyList<MessageSchema> nested = schema.Members[i].Nested;
                    for (int k = nested.Count - 1; k >= 0; k--)
                    {
                        next.Push(nested[k]);
                    }
                }
            }

            return reached;
        }

        private static void Append(StringBuilder text, MessageSchema schema, List<MessageSchema> reached)
        {
            text.Append(CultureInfo.InvariantCulture, $"#{reached.IndexOf(schema)}{schema.Form}{{");
            string separator = "";
            foreach (MemberSchema member in schema.Members)
            {
                text.Append(separator).Append(member.Name);
                if (member.Number >= 0)
                {
                    text.Append(CultureInfo.InvariantCulture, $"@{member.Number}");
                }

                text.Append(':');
                IReadOnlyList<MessageSchema> nested = member.Nested;
                text.Append(KindSchema.Replace(
                    member.Kind, '#', number => string.Create(CultureInfo.InvariantCulture, $"#{reached.IndexOf(nested[number])}")));
                separator = ",";
            }

            text.Append('}');
        }
    }
}
