using System.Numerics;

namespace BlitQueue.Cli.Codecs;

/// <summary>A whole number of any size.</summary>
internal sealed class BigIntegerCodec(bool isNullable) : Codec
{
    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        int length = input.Length();
        if (length < 0)
        {
            if (!isNullable)
            {
                throw input.Fault("null cannot be a BigInteger");
            }
            json.Null();
            return;
        }
        string digits = new BigInteger(input.Take(length)).ToString(CultureInfo.InvariantCulture);
        json.Raw(Encoding.ASCII.GetBytes(digits));
    }

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.IsNull && isNullable)
        {
            output.WriteNull();
            return;
        }
        if (!BigInteger.TryParse(json.Raw(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out BigInteger value))
        {
            throw json.Fault("a whole number is expected");
        }
        output.Variable(value.ToByteArray());
    }
}
