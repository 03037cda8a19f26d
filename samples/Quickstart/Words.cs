namespace Quickstart;

/// <summary>Finds words.</summary>
internal static class Words
{
    /// <summary>Replaces a list's content by the places where words of a text start.</summary>
    public static void Find(ReadOnlySpan<char> text, List<int> starts)
    {
        starts.Clear();
        bool inside = false;
        for (int i = 0; i < text.Length; i++)
        {
            bool isPart = char.IsLetterOrDigit(text[i]);
            if (isPart && !inside)
            {
                starts.Add(i);
            }
            inside = isPart;
        }
    }
}
