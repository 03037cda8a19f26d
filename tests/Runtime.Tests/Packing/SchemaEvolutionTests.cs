namespace BlitQueue.Tests.Packing;

/// <summary>Which schemas can live in one queue, by their texts.</summary>
public sealed class SchemaEvolutionTests
{
    [Theory]
    [InlineData("#0{A:i32}", "#0{A:i32,B:i64}", "#0{A:i32,B:i64}")]
    [InlineData("#0{A:i32,B:i64}", "#0{A:i32}", "#0{A:i32,B:i64}")]
    [InlineData("#0{S:string}", "#0{A:i32,S:string}", "#0{A:i32,S:string}")]
    [InlineData("#0{A:i32,T:string}", "#0{A:i32,B:bool}", "#0{A:i32,B:bool,T:string}")]
    [InlineData("#0{A:list<#1>}#1{X:i32}", "#0{A:list<#1>}#1{X:i32,Y:#0}", "#0{A:list<#1>}#1{X:i32,Y:#0}")]
    [InlineData("#0{N:#0}", "#0{N:#0,M:#1}#1{Z:i8}", "#0{N:#0,M:#1}#1{Z:i8}")]
    [InlineData("#0circular{N:#0}", "#0circular{N:#0,A:i32}", "#0circular{N:#0,A:i32}")]
    [InlineData("#0tolerant{B@4:i32}", "#0tolerant{A@1:string}", "#0tolerant{A@1:string,B@4:i32}")]
    [InlineData("#0union{0:#1,3:#2}#1{X:i32}#2{Y:i32}", "#0union{3:#1}#1{Y:i32}", "#0union{0:#1,3:#2}#1{X:i32}#2{Y:i32}")]
    [InlineData(
        "#0{M:map<#1,#2>}#1{X:i32}#2{Y:i32}", "#0{M:map<#1,#2>}#1{X:i32}#2{Y:i32,Z:i32}", "#0{M:map<#1,#2>}#1{X:i32}#2{Y:i32,Z:i32}")]
    public void These_can(string ours, string theirs, string merged)
    {
        Assert.Empty(SchemaEvolution.Obstacles(ours, theirs, out string both));
        Assert.Equal(merged, both);
        Assert.Empty(SchemaEvolution.Obstacles(ours, both, out string again));
        Assert.Equal(both, again);
    }

    [Theory]
    [InlineData("#0{A:i32}", "#0{B:i32}", "A stands where B stands there: members can only be appended")]
    [InlineData("#0{A:i32}", "#0{A:i64}", "A is i32 here, i64 there")]
    [InlineData("#0{A:i32,B:i8}", "#0{A:i32,C:i8}", "B stands where C stands there: members can only be appended")]
    [InlineData("#0{L:list<#1>}#1{X:i32}", "#0{L:list<#1>}#1{X:string}", "L.X is i32 here, string there")]
    [InlineData("#0{A:i32}", "#0tolerant{A@0:i32}", "the message is packed in another way")]
    [InlineData("#0tolerant{A@0:i32}", "#0tolerant{B@0:i32}", "A has the number 0 that B has there: a number is one member for ever")]
    [InlineData("#0tolerant{A@0:i32}", "#0tolerant{A@1:i32}", "A has the number 0 here, 1 there")]
    [InlineData("#0union{0:#1}#1{X:i32}", "#0union{0:#1,1:#2}#1{X:i32}#2{}", "1 is a case there that cannot be read here")]
    [InlineData("#0{A:i32}", "#0{A", "the other schema cannot be read")]
    public void These_cannot(string ours, string theirs, string obstacle)
        => Assert.Equal([obstacle], SchemaEvolution.Obstacles(ours, theirs, out _));

    [Fact]
    public void A_long_chain_of_types_is_no_danger()
    {
        string Chain(string last) => string.Concat(Enumerable.Range(0, 20_000).Select(i => $"#{i}{{N:#{i + 1}}}")) + $"#20000{{{last}}}";
        Assert.Empty(SchemaEvolution.Obstacles(Chain("A:i32,B:i32"), Chain("A:i32"), out string merged));
        Assert.Equal(Chain("A:i32,B:i32"), merged);
    }
}
