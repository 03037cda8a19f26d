using System.Globalization;
using System.Text;

namespace BlitQueue;

/// <content>What is computed once per type, at run time, because a nested message's members may live in another assembly.</content>
public sealed partial class MessageSchema
{
    private sealed record Facts(string Text, ulong Fingerprint, bool RunsUserCode, bool KeepsIdentity)
    {
        // A generic message that holds ever larger forms of itself has no last one.
        private const int MaxReached = 10_000;

        public static Facts Of(MessageSchema root)
        {
            var reached = Reach(root);
            var text = new StringBuilder();
            foreach (var schema in reached)
                Append(text, schema, reached);

            var canonical = text.ToString();
            return new Facts(
                canonical,
                SchemaText.Fingerprint(canonical),
                reached.Exists(schema => schema._ownCodeRuns || schema.Members.Any(member => member.RunsUserCode)),
                reached.Exists(schema => schema.Form == "circular"));
        }

        // Depth first, each type when first met. A stack of our own: a long chain of types must not exhaust the thread's.
        private static List<MessageSchema> Reach(MessageSchema root)
        {
            List<MessageSchema> reached = [];
            HashSet<MessageSchema> seen = [];
            Stack<MessageSchema> next = new([root]);
            while (next.TryPop(out var schema))
            {
                if (!seen.Add(schema))
                    continue;
                if (reached.Count >= MaxReached)
                    throw new NotSupportedException($"{root.Name} reaches more than {MaxReached} messages: does it have itself as a member, with ever larger type arguments?");

                reached.Add(schema);
                for (var i = schema.Members.Count - 1; i >= 0; i--)
                {
                    var nested = schema.Members[i].Nested;
                    for (var k = nested.Count - 1; k >= 0; k--)
                        next.Push(nested[k]);
                }
            }

            return reached;
        }

        private static void Append(StringBuilder text, MessageSchema schema, List<MessageSchema> reached)
        {
            text.Append(CultureInfo.InvariantCulture, $"#{reached.IndexOf(schema)}{schema.Form}{{");
            var separator = "";
            foreach (var member in schema.Members)
            {
                text.Append(separator).Append(member.Name);
                if (member.Number >= 0)
                    text.Append(CultureInfo.InvariantCulture, $"@{member.Number}");
                text.Append(':');
                var nested = member.Nested;
                text.Append(KindText.Replace(
                    member.Kind, '#', number => string.Create(CultureInfo.InvariantCulture, $"#{reached.IndexOf(nested[number])}")));
                separator = ",";
            }

            text.Append('}');
        }
    }
}
