namespace BlitQueue.Cli.Codecs;

/// <summary>A time zone: its id if the system has it, else an object with its rules.</summary>
internal sealed class ZoneCodec : Codec
{
    private const int MostBytes = 65_536, HeadSize = 7, RuleSize = 50;

    private static readonly string[] Names = ["id", "display_name", "standard_name", "daylight_name"];

    public override void Decode(ref PackedInput input, JsonOutput json)
    {
        PackedInput ahead = input;
        int length = ahead.Length();
        if (length < sizeof(uint) || BinaryPrimitives.ReadUInt32LittleEndian(ahead.Data[ahead.At..]) != 0)
        {
            DecodeId(ref input, json);
            return;
        }
        int outer = input.Begin();
        ReadOnlySpan<byte> head = length is >= HeadSize and <= MostBytes ? input.Take(HeadSize) : throw NoZone(input);
        if (head[6] > 1)
        {
            throw NoZone(input);
        }
        json.BeginObject();
        json.Name("offset_minutes");
        json.Number(BinaryPrimitives.ReadInt16LittleEndian(head[4..]));
        json.Name("without_daylight");
        json.Bool(head[6] == 1);
        foreach (string name in Names)
        {
            json.Name(name);
            json.Text(StringCodec.Read(ref input) ?? throw NoZone(input));
        }
        DecodeRules(ref input, json);
        json.EndObject();
        input.Finish(outer);
    }

    private static void DecodeId(ref PackedInput input, JsonOutput json)
    {
        string? id = StringCodec.Read(ref input);
        if (id is null)
        {
            json.Null();
        }
        else
        {
            json.Text(id.Length <= MostBytes ? id : throw NoZone(input));
        }
    }

    private static void DecodeRules(ref PackedInput input, JsonOutput json)
    {
        if (input.Left % RuleSize != 0)
        {
            throw NoZone(input);
        }
        json.Name("rules");
        json.BeginArray();
        while (input.Left > 0)
        {
            json.BeginArray();
            Times.DateTime.Decode(ref input, json);
            Times.DateTime.Decode(ref input, json);
            Times.TimeSpan.Decode(ref input, json);
            Times.TimeSpan.Decode(ref input, json);
            DecodeTransition(ref input, json);
            DecodeTransition(ref input, json);
            json.EndArray();
        }
        json.EndArray();
    }

    private static void DecodeTransition(ref PackedInput input, JsonOutput json)
    {
        json.BeginArray();
        Numbers.Bool.Decode(ref input, json);
        json.Number(BinaryPrimitives.ReadInt32LittleEndian(input.Take(sizeof(int))));
        foreach (byte part in input.Take(4))
        {
            json.Number(part);
        }
        json.EndArray();
    }

    private static PackedFaultException NoZone(in PackedInput input) => input.Fault("the bytes are no time zone");

    public override void Encode(ref JsonInput json, PackedOutput output)
    {
        if (json.Token != JsonTokenType.StartObject)
        {
            StringCodec.Write(json.IsNull ? null : json.Text(), output);
            return;
        }
        int begun = output.Begin();
        output.U32(0);
        Enter(ref json, "offset_minutes");
        BinaryPrimitives.WriteInt16LittleEndian(output.Add(sizeof(short)), json.Integer<short>());
        Enter(ref json, "without_daylight");
        output.Add(1)[0] = (byte)(json.Bool() ? 1 : 0);
        foreach (string name in Names)
        {
            Enter(ref json, name);
            StringCodec.Write(json.Text(), output);
        }
        Enter(ref json, "rules");
        json.Require(JsonTokenType.StartArray, "an array of rules");
        for (json.Next(); json.Token != JsonTokenType.EndArray; json.Next())
        {
            EncodeRule(ref json, output);
        }
        json.Next();
        json.Require(JsonTokenType.EndObject, "the end of the time zone");
        output.End(begun);
    }

    private static void EncodeRule(ref JsonInput json, PackedOutput output)
    {
        json.Require(JsonTokenType.StartArray, "a rule");
        foreach (Codec part in (ReadOnlySpan<Codec>)[Times.DateTime, Times.DateTime, Times.TimeSpan, Times.TimeSpan])
        {
            json.Next();
            part.Encode(ref json, output);
        }
        for (int transition = 0; transition < 2; transition++)
        {
            json.Next();
            json.Require(JsonTokenType.StartArray, "a transition");
            json.Next();
            output.Add(1)[0] = (byte)(json.Bool() ? 1 : 0);
            json.Next();
            BinaryPrimitives.WriteInt32LittleEndian(output.Add(sizeof(int)), json.Integer<int>());
            for (int part = 0; part < 4; part++)
            {
                json.Next();
                output.Add(1)[0] = json.Integer<byte>();
            }
            json.Next();
            json.Require(JsonTokenType.EndArray, "the end of a transition");
        }
        json.Next();
        json.Require(JsonTokenType.EndArray, "the end of a rule");
    }

    private static void Enter(ref JsonInput json, string name)
    {
        json.Next();
        if (json.Token != JsonTokenType.PropertyName || json.Text() != name)
        {
            throw json.Fault($"'{name}' is expected");
        }
        json.Next();
    }
}
