using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Model;

namespace BlitQueue.Generator.Tests.Completeness;

public class WireKindTests
{
    [Fact]
    public void Every_kind_has_its_code()
    {
        foreach (WireKind kind in Enum.GetValues<WireKind>())
        {
            Assert.NotNull(KindCodes.For(new WireType { Kind = kind, Name = "X", Word = "X" }));
        }
    }
}
