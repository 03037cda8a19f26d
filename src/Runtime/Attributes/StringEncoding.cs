namespace BlitQueue;

/// <summary>How a string is written. Each string says for itself which form it has, so a reader understands both.</summary>
public enum StringEncoding
{
    /// <summary>UTF-8 with both lengths: the smaller form for most text. A lone surrogate becomes U+FFFD.</summary>
    Utf8,

    /// <summary>UTF-16, two bytes per char: a plain copy for any text. Lone surrogates survive.</summary>
    Utf16,
}
