namespace BlitQueue.Cli.Codecs;

/// <summary>Translates values of one kind between packed bytes and JSON, one value after the other, without objects in between.</summary>
internal abstract class Codec
{
    /// <summary>The bytes of each value; 0 if it is a variable, which has its length in front.</summary>
    public virtual int FixedSize => 0;

    /// <summary>Reads a value and writes it as JSON.</summary>
    /// <exception cref="PackedFaultException">The bytes are no such value.</exception>
    public abstract void Decode(ref PackedInput input, JsonOutput json);

    /// <summary>Packs a value that is here as JSON.</summary>
    /// <exception cref="JsonFaultException">It is no such value.</exception>
    public abstract void Encode(ref JsonInput json, PackedOutput output);
}
