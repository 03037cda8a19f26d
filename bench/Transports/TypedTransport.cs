namespace BlitQueue.Bench.Transports;

/// <summary>The loops, compiled for each pair of ends.</summary>
internal sealed partial class TypedTransport<TSender, TReceiver>(
    string name, Func<string, TSender> openSender, Func<string, TReceiver> openReceiver) : Transport(name)
    where TSender : struct, ISender
    where TReceiver : struct, IReceiver
{
    private delegate TResult SenderLoop<out TResult>(ref TSender sender);

    private delegate TResult ReceiverLoop<out TResult>(ref TReceiver receiver);

    public override SendResult Send(string place, TimeSpan duration, Action opened) =>
        Run(openSender(There(place)), opened, (ref TSender sender) => RunSend(ref sender, duration));

    public override ReceiveResult Receive(string place, Action opened) => Run(openReceiver(There(place)), opened, RunReceive);

    public override AskResult Ask(string place, TimeSpan duration, TimeSpan idle, Action opened) =>
        Run(openSender(There(place)), static () => { }, (ref TSender there) => AskOver(ref there, place, duration, idle, opened));

    public override ReceiveResult Answer(string place, Action opened) =>
        Run(openReceiver(There(place)), static () => { }, (ref TReceiver there) => AnswerOver(ref there, place, opened));

    public override LatencyResult Pace(string place, TimeSpan duration, int perSecond, Action opened) =>
        Run(openSender(There(place)), opened, (ref TSender sender) => RunPace(ref sender, duration, perSecond));

    public override LatencyResult Clock(string place, Action opened) => Run(openReceiver(There(place)), opened, RunClock);

    public override TResult WithFirst<TResult>(string place, Func<TResult> ask) =>
        Run(openReceiver(There(place)), static () => { }, (ref TReceiver receiver) =>
        {
            receiver.Receive();
            return ask();
        });

    private AskResult AskOver(ref TSender there, string place, TimeSpan duration, TimeSpan idle, Action opened)
    {
        TReceiver back = openReceiver(Back(place));
        try
        {
            opened();
            return RunAsk(ref there, ref back, duration, idle);
        }
        finally
        {
            back.Dispose();
        }
    }

    private ReceiveResult AnswerOver(ref TReceiver there, string place, Action opened)
    {
        TSender back = openSender(Back(place));
        try
        {
            opened();
            return RunAnswer(ref there, ref back);
        }
        finally
        {
            back.Dispose();
        }
    }

    private static TResult Run<TResult>(TSender sender, Action opened, SenderLoop<TResult> loop)
    {
        try
        {
            opened();
            return loop(ref sender);
        }
        finally
        {
            sender.Dispose();
        }
    }

    private static TResult Run<TResult>(TReceiver receiver, Action opened, ReceiverLoop<TResult> loop)
    {
        try
        {
            opened();
            return loop(ref receiver);
        }
        finally
        {
            receiver.Dispose();
        }
    }

    private static string There(string place) => Path.Combine(place, "there");

    private static string Back(string place) => Path.Combine(place, "back");
}
