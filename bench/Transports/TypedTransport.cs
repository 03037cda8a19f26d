namespace BlitQueue.Bench.Transports;

/// <summary>The loops, compiled for each pair of ends.</summary>
internal sealed partial class TypedTransport<TSender, TReceiver>(
    string name, Func<string, TSender> openSender, Func<string, TReceiver> openReceiver) : Transport(name)
    where TSender : struct, ISender
    where TReceiver : struct, IReceiver
{
    private delegate TResult Loop<TEnd, out TResult>(ref TEnd end);

    private delegate TResult LoopOfTwo<TThere, TBack, out TResult>(ref TThere there, ref TBack back);

    public override SendResult Send(string place, TimeSpan duration, Action opened) =>
        Run(openSender(There(place)), opened, (ref TSender sender) => RunSend(ref sender, duration));

    public override ReceiveResult Receive(string place, Action opened) =>
        Run<TReceiver, ReceiveResult>(openReceiver(There(place)), opened, RunReceive);

    public override AskResult Ask(string place, TimeSpan duration, TimeSpan idle, Action opened) => RunTwo(
        openSender(There(place)), () => openReceiver(Back(place)), opened,
        (ref TSender there, ref TReceiver back) => RunAsk(ref there, ref back, duration, idle));

    public override ReceiveResult Answer(string place, Action opened) => RunTwo<TReceiver, TSender, ReceiveResult>(
        openReceiver(There(place)), () => openSender(Back(place)), opened, RunAnswer);

    public override LatencyResult Pace(string place, TimeSpan duration, int perSecond, Action opened) =>
        Run(openSender(There(place)), opened, (ref TSender sender) => RunPace(ref sender, duration, perSecond));

    public override LatencyResult Clock(string place, Action opened) =>
        Run<TReceiver, LatencyResult>(openReceiver(There(place)), opened, RunClock);

    public override TResult WithFirst<TResult>(string place, Func<TResult> ask) =>
        Run(openReceiver(There(place)), static () => { }, (ref TReceiver receiver) =>
        {
            receiver.Receive();
            return ask();
        });

    private static TResult Run<TEnd, TResult>(TEnd end, Action opened, Loop<TEnd, TResult> loop) where TEnd : struct, IDisposable
    {
        try
        {
            opened();
            return loop(ref end);
        }
        finally
        {
            end.Dispose();
        }
    }

    private static TResult RunTwo<TThere, TBack, TResult>(
        TThere there, Func<TBack> openBack, Action opened, LoopOfTwo<TThere, TBack, TResult> loop)
        where TThere : struct, IDisposable
        where TBack : struct, IDisposable
    {
        try
        {
            TBack back = openBack();
            try
            {
                opened();
                return loop(ref there, ref back);
            }
            finally
            {
                back.Dispose();
            }
        }
        finally
        {
            there.Dispose();
        }
    }

    private static string There(string place) => Path.Combine(place, "there");

    private static string Back(string place) => Path.Combine(place, "back");
}
