using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Schemas;
using BlitQueue.Cli.Sources;
using BlitQueue.Cli.Wire;
using BlitQueue.Mutations;
using BlitQueue.Shapes;

namespace BlitQueue.Tool;

/// <summary>What <c>schema gen</c> prints is compiled, and reads and writes random messages of every shape.</summary>
public sealed class SourceTests : IDisposable
{
    private const int OfEach = 25, DamagedOfEach = 25;

    private readonly Folder _folder = new();
    private readonly int _seed = Random.Shared.Next();

    private static IEnumerable<Type> Types => AnyShape.Types.Append(typeof(Fixture));

    [PythonFact]
    public void Python_reads_and_writes_messages_of_every_shape()
    {
        List<Type> types = Write(static schema => new PythonSource(schema, "Message").ToString(), "py");
        File.WriteAllText(_folder.Of("run.py"), """
            import importlib, sys
            for name in sys.argv[1:]:
                module = importlib.import_module(name)
                message = module.Message
                with open(name + ".in") as lines, open(name + ".out", "w") as out:
                    for line in lines:
                        try:
                            value = message.unpack(bytes.fromhex(line))
                        except module.PackError:
                            print("refused", file=out)
                            continue
                        if value is None:
                            packed = b"\xff\xff\xff\xff"
                        else:
                            packed = message.pack_case(value) if hasattr(message, "pack_case") else value.pack()
                        print(packed.hex(), file=out)
            """);
        Blitq.RunIn(_folder.Path, "", ["python3", "run.py", .. types.Select(ModuleOf)]).Expect(0);
        AssertSame(types);
    }

    [NodeFact]
    public void TypeScript_reads_and_writes_messages_of_every_shape()
    {
        List<Type> types = Write(static schema => new TypeScriptSource(schema, "Message").ToString(), "ts");
        File.WriteAllText(_folder.Of("package.json"), """{ "type": "module", "private": true }""");
        File.WriteAllText(_folder.Of("run.mjs"), """
            import fs from "node:fs";
            for (const name of process.argv.slice(2)) {
              const module = await import(`./${name}.js`);
              const out = fs.readFileSync(`${name}.in`, "utf8").trimEnd().split("\n").map(line => {
                const bytes = Uint8Array.from(Buffer.from(line, "hex"));
                let value;
                try {
                  value = module.Message.unpack(bytes);
                } catch (error) {
                  if (error instanceof module.PackError) return "refused";
                  throw error;
                }
                if (value === null) return "ffffffff";
                return Buffer.from(module.Message.pack ? module.Message.pack(value) : value.pack()).toString("hex");
              });
              fs.writeFileSync(`${name}.out`, out.join("\n") + "\n");
            }
            """);
        Blitq.RunIn(_folder.Path, "", "npm", "install", "--silent", "--no-audit", "--no-fund", "typescript@5.9").Expect(0);
        string[] options = ["--target", "es2022", "--module", "nodenext", "--strict", "--noUncheckedIndexedAccess", "--noImplicitOverride"];
        string[] files = [.. types.Select(static type => ModuleOf(type) + ".ts")];
        Blitq.RunIn(_folder.Path, "", ["node", "node_modules/typescript/bin/tsc", .. options, .. files]).Expect(0);
        Blitq.RunIn(_folder.Path, "", ["node", "run.mjs", .. types.Select(ModuleOf)]).Expect(0);
        AssertSame(types);
        AssertTypeScriptValues();
    }

    [GccFact]
    public void C_reads_and_writes_messages_of_every_fixed_length()
    {
        List<Type> types = Write(static schema => new CSource(schema, "message").ToString(), "h");
        Assert.True(types.Count >= 4, $"{types.Count} shapes have a fixed length");
        foreach (Type type in types)
        {
            File.WriteAllText(_folder.Of("run.c"), $$"""
                #include <stdio.h>
                #include "{{ModuleOf(type)}}.h"

                int main(void) {
                    static char line[1 << 20];
                    static unsigned char bytes[1 << 19];
                    while (fgets(line, sizeof line, stdin)) {
                        size_t length = 0;
                        unsigned value;
                        message read;
                        for (; sscanf(line + 2 * length, "%2x", &value) == 1; length++) bytes[length] = (unsigned char)value;
                        if (message_read(&read, bytes, length) != 0) {
                            puts("refused");
                            continue;
                        }
                        if (message_write(&read, bytes) != 0) return 1;
                        for (length = 0; length < message_size; length++) printf("%02x", bytes[length]);
                        puts("");
                    }
                    return 0;
                }
                """);
            string[] options = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsanitize=address,undefined"];
            Blitq.RunIn(_folder.Path, "", ["gcc", .. options, "-fno-sanitize-recover", "run.c", "-o", "run"]).Expect(0);
            Outcome outcome = Blitq.RunIn(_folder.Path, File.ReadAllText(_folder.Of(ModuleOf(type) + ".in")), _folder.Of("run")).Expect(0);
            File.WriteAllLines(_folder.Of(ModuleOf(type) + ".out"), outcome.Lines);
        }

        AssertSame(types);
    }

    // A round trip does not see a value that is read and written wrongly in the same way.
    [PythonFact]
    public void Python_has_the_values_that_NET_packed()
    {
        File.WriteAllText(_folder.Of("m.py"), new PythonSource(StoredSchema.Parse(Fixture.Schema.Text), "Fixture").ToString());
        Outcome outcome = Blitq.RunIn(_folder.Path, Convert.ToHexString(Packer.Pack(Fixture.Make())), "python3", "-c",
            "import m; print(m.Fixture.unpack(bytes.fromhex(input())))").Expect(0);
        Assert.Equal(
            "Fixture(Flag=True, Tiny=-2, Small=200, Unit='€', Short=-300, UShort=60000, Half=1.5, Int=-70000, UInt=4000000000, "
                + "Single=0.25, Long=-5000000000, ULong=18000000000000000000, Double=-0.1, "
                + "Wide=-170141183460469231731687303715884105728, UWide=340282366920938463463374607431768211455, "
                + "Decimal=Decimal('-12.50'), Guid=UUID('00112233-4455-6677-8899-aabbccddeeff'), Complex=(1-2j), Rune='🚀', "
                + "DateTime=DateTime(ticks=639054936000000001, kind=1), "
                + "DateTimeOffset=DateTimeOffset(utc_ticks=639054900000000000, offset_minutes=60), TimeSpan=-1, Date=739646, "
                + "Time=863999999999, Enum=6, MaybeFlag=None, MaybeInt=7, MaybeDecimal=Decimal('0.0000'), MaybeDateTimeOffset=None, "
                + "MaybeGuid=None, MaybeWide=-1)",
            outcome.Output.Trim());
    }

    [GccFact]
    public void C_has_the_values_that_NET_packed()
    {
        File.WriteAllText(_folder.Of("m.h"), new CSource(StoredSchema.Parse(Fixture.Schema.Text), "fixture").ToString());
        File.WriteAllBytes(_folder.Of("in"), Packer.Pack(Fixture.Make()));
        File.WriteAllText(_folder.Of("run.c"), """
            #include <stdio.h>
            #include "m.h"

            int main(void) {
                unsigned char bytes[fixture_size];
                fixture one;
                if (fread(bytes, 1, sizeof bytes, stdin) != sizeof bytes || fixture_read(&one, bytes, sizeof bytes) != 0) return 1;
                printf("%d %d %d %x %d %d %x %d %u %g %lld %llu %g\n", one.Flag, one.Tiny, one.Small, one.Unit, one.Short, one.UShort,
                    one.Half, one.Int, one.UInt, one.Single, (long long)one.Long, (unsigned long long)one.ULong, one.Double);
                printf("%llx %lld %llx %llx %x %x %u %x %g %g %x\n", (unsigned long long)one.Wide.low, (long long)one.Wide.high,
                    (unsigned long long)one.UWide.low, (unsigned long long)one.UWide.high, one.Guid[0], one.Guid[15], one.Decimal.low,
                    one.Decimal.flags, one.Complex.real, one.Complex.imaginary, one.Rune);
                printf("%llu %lld %d %lld %u %lld\n", (unsigned long long)one.DateTime, (long long)one.DateTimeOffset.utc_ticks,
                    one.DateTimeOffset.offset_minutes, (long long)one.TimeSpan, one.Date, (long long)one.Time);
                printf("%d %d %d %d %x %d %lld\n", one.Enum, one.has_MaybeFlag, one.has_MaybeInt, one.MaybeInt, one.MaybeDecimal.flags,
                    one.has_MaybeDateTimeOffset, (long long)one.MaybeWide.high);
                return 0;
            }
            """);
        Blitq.RunIn(_folder.Path, "", "gcc", "-std=c99", "-Wall", "-Werror", "run.c", "-o", "run").Expect(0);
        Outcome outcome = Blitq.RunIn(_folder.Path, "", "sh", "-c", "./run < in").Expect(0);
        Assert.Equal(
            [
                "1 -2 200 20ac -300 60000 3e00 -70000 4000000000 0.25 -5000000000 18000000000000000000 -0.1",
                "0 -9223372036854775808 ffffffffffffffff ffffffffffffffff 33 ff 1250 80020000 1 -2 1f680",
                $"{(1UL << 62) | 639054936000000001} 639054900000000000 60 -1 739646 863999999999",
                "6 0 1 7 40000 0 -1",
            ],
            outcome.Lines);
    }

    [Fact]
    public void A_name_of_NET_is_a_name_in_each_language()
    {
        var names = new Identifiers(["class"]);
        Assert.Equal(
            ["Id", "class_", "_u00fcber", "_x_4", "Id_", "class__"],
            new[] { "Id", "class", "\u00fcber", "_x[4]", "Id", "class" }.Select(names.Of));
    }

    [Fact]
    public void A_header_for_C_is_refused_where_the_length_is_not_fixed()
    {
        JsonFaultException refused = Assert.Throws<JsonFaultException>(
            () => new CSource(StoredSchema.Parse("#0{Id:i64,Name:string}"), "message"));
        Assert.Equal(
            "a C header is for messages of fixed length: Name is string. Use --lang python, or unpack in .NET.", refused.Message);
    }

    // A round trip does not see a value that is read and written wrongly in the same way.
    private void AssertTypeScriptValues()
    {
        Outcome outcome = Blitq.RunIn(_folder.Path, "", "node", "--input-type=module", "-e", $$"""
            const { Message } = await import("./{{ModuleOf(typeof(Fixture))}}.js");
            const value = Message.unpack(Buffer.from("{{Convert.ToHexString(Packer.Pack(Fixture.Make()))}}", "hex"));
            console.log(JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}n` : one));
            """).Expect(0);
        const string Expected = "{'Flag':true,'Tiny':-2,'Small':200,'Unit':'\u20ac','Short':-300,'UShort':60000,'Half':1.5,'Int':-70000,"
            + "'UInt':4000000000,'Single':0.25,'Long':'-5000000000n','ULong':'18000000000000000000n','Double':-0.1,"
            + "'Wide':'-170141183460469231731687303715884105728n','UWide':'340282366920938463463374607431768211455n',"
            + "'Decimal':{'units':'1250n','scale':2,'isNegative':true},'Guid':'00112233-4455-6677-8899-aabbccddeeff',"
            + "'Complex':{'real':1,'imaginary':-2},'Rune':'\U0001F680','DateTime':{'ticks':'639054936000000001n','kind':1},"
            + "'DateTimeOffset':{'utcTicks':'639054900000000000n','offsetMinutes':60},'TimeSpan':'-1n','Date':739646,"
            + "'Time':'863999999999n','Enum':6,'MaybeFlag':null,'MaybeInt':7,"
            + "'MaybeDecimal':{'units':'0n','scale':4,'isNegative':false},'MaybeDateTimeOffset':null,'MaybeGuid':null,'MaybeWide':'-1n'}";
        Assert.Equal(Expected.Replace('\'', '"'), outcome.Output.Trim());
    }

    // Writes each shape's source and its messages, whole ones in front of damaged ones. Returns the shapes that the language has.
    private List<Type> Write(Func<StoredSchema, string> make, string extension)
    {
        var values = new RandomValues(_seed);
        var random = new Random(_seed);
        List<Type> types = [];
        foreach (Type type in Types)
        {
            try
            {
                File.WriteAllText(_folder.Of($"{ModuleOf(type)}.{extension}"), make(StoredSchema.Parse(AnyShape.SchemaOf(type).Text)));
            }
            catch (JsonFaultException)
            {
                continue;
            }

            types.Add(type);
            List<byte[]> messages = [.. Enumerable.Range(0, OfEach).Select(_ => AnyShape.Pack(type, values.MakeRoot(type)))];
            for (int i = 0; i < DamagedOfEach; i++)
            {
                byte[] damaged = [.. messages[i]];
                damaged[random.Next(damaged.Length)] = (byte)random.Next(256);
                messages.Add(damaged);
            }

            File.WriteAllLines(_folder.Of(ModuleOf(type) + ".in"), messages.Select(Convert.ToHexStringLower));
        }

        return types;
    }

    private void AssertSame(List<Type> types)
    {
        foreach (Type type in types)
        {
            string[] before = File.ReadAllLines(_folder.Of(ModuleOf(type) + ".in"));
            string[] after = File.ReadAllLines(_folder.Of(ModuleOf(type) + ".out"));
            Assert.Equal(before.Length, after.Length);
            var lines = new MessageLines(StoredSchema.Parse(AnyShape.SchemaOf(type).Text), isExact: false);
            for (int i = 0; i < before.Length; i++)
            {
                if (i < OfEach || (after[i] != "refused" && IsMessage(lines, before[i])))
                {
                    string expected = JsonOf(lines, before[i]), actual = JsonOf(lines, after[i]);
                    Assert.True(expected == actual, $"seed {_seed}, {type.Name}, line {i}\n{expected}\n{actual}\n{before[i]}\n{after[i]}");
                }
            }
        }
    }

    private static bool IsMessage(MessageLines lines, string hex)
    {
        var json = new JsonOutput();
        json.BeginObject();
        return lines.WriteMessage(Convert.FromHexString(hex), json) is null;
    }

    private static string JsonOf(MessageLines lines, string hex)
    {
        if (hex == "refused")
        {
            return hex;
        }

        var json = new JsonOutput();
        json.BeginObject();
        return $"{lines.WriteMessage(Convert.FromHexString(hex), json)} {json}";
    }

    private static string ModuleOf(Type type) => "m_" + new Identifiers([]).Of(type.FullName!).ToLowerInvariant();

    /// <inheritdoc/>
    public void Dispose() => _folder.Dispose();
}
