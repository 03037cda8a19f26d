namespace BlitQueue.Bench.Transports;

/// <summary>The loops, compiled for each pair of ends.</summary>
internal sealed partial class TypedTransport<TSender, TReceiver>(
    string name, Func<string, TSender> openSender, Func<string, TReceiver> openReceiver) : Transport(name)
    where TSender : struct, ISender
    where TReceiver : struct, IReceiver
{
    private delegate TResult Loop<TEnd, out TResult>(ref TEnd end);

    private delegate TResult LoopOfTwo<TThere, TBack, out TResult>(ref TThere there, ref TBack back);

    public override SendResult Send(string root, TimeSpan duration, Action opened) =>
        Run(openSender(There(root)), opened, (ref TSender sender) => RunSend(ref sender, duration));

    public override ReceiveResult Receive(string root, Action opened) =>
        Run<TReceiver, ReceiveResult>(openReceiver(There(root)), opened, RunReceive);

    public override AskResult Ask(string root, TimeSpan duration, TimeSpan idle, Action opened) => RunTwo(
        openSender(There(root)), () => openReceiver(Back(root)), opened,
        (ref TSender there, ref TReceiver back) => RunAsk(ref there, ref back, duration, idle));

    public override ReceiveResult Answer(string root, Action opened) => RunTwo<TReceiver, TSender, ReceiveResult>(
        openReceiver(There(root)), () => openSender(Back(root)), opened, RunAnswer);

    public override LatencyResult Pace(string root, TimeSpan duration, int perSecond, Action opened) =>
        Run(openSender(There(root)), opened, (ref TSender sender) => RunPace(ref sender, duration, perSecond));

    public override LatencyResult Clock(string root, Action opened) =>
        Run<TReceiver, LatencyResult>(openReceiver(There(root)), opened, RunClock);

    public override TResult WithFirst<TResult>(string root, Func<TResult> ask) =>
        Run(openReceiver(There(root)), static () => { }, (ref TReceiver receiver) =>
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

    private static string Back(string root) => Path.Combine(root, "back");
}
