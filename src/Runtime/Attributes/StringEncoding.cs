namespace BlitQueue;

/// <summary>How a string is written. Each packed string says which form it has, so a reader understands both.</summary>
public enum StringEncoding
{
    /// <summary>UTF-8, with the lengths in bytes and in chars: the smaller form for most text. A lone surrogate becomes U+FFFD.</summary>
    Utf8,

    /// <summary>UTF-16, two bytes per char: any text is copied without conversion. Lone surrogates survive.</summary>
    Utf16,
}
