using static BlitQueue.Peer.StandardOutput;

namespace BlitQueue.Peer;

/// <summary>What this process can be told to do to a shared object, whose file is where a queue's directory would be.</summary>
/// <param name="arguments">The command and its options.</param>
/// <param name="inputEnded">Cancelled when the process is told to come to an end.</param>
internal sealed class SharedWorker(Arguments arguments, CancellationTokenSource inputEnded)
{
    public const string Prefix = "shared-";

    private readonly long _count = arguments.Number("count", long.MaxValue);

    public void Run()
    {
        Action work = arguments.Command[Prefix.Length..] switch
        {
            "write" => WriteValues,
            "update" => UpdateValues,
            "await" => AwaitChange,
            "mutex" => HoldMutex,
            "hold-read" => () => HoldLock(SharedLockMode.Read),
            "hold-write" => () => HoldLock(SharedLockMode.Write),
            "count" => CountLocked,
            "open" => OpenArray,
            _ => throw new ArgumentException($"No command is named {arguments.Command}."),
        };
        work();
    }

    // Blocks that fit together, each with the next number.
    private void WriteValues()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(arguments.Directory);
        Say("ready");
        long number = value.Read().Number;
        for (long written = 0; written < _count && !inputEnded.IsCancellationRequested; written++)
        {
            value.Write(SharedBlock.Of(++number));
            if (written == 0)
            {
                Say("wrote");
            }
        }
    }

    private void UpdateValues()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(arguments.Directory);
        Say("ready");
        for (long updated = 0; updated < _count; updated++)
        {
            value.Update(static block => SharedBlock.Of(block.Number + 1));
        }
    }

    private void AwaitChange()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(arguments.Directory);
        long version = value.Version;
        Say("ready");
        Say($"changed to {value.WaitForChange(version, inputEnded.Token)}");
    }

    private void HoldMutex()
    {
        using var mutex = SharedMutex.OpenFile(arguments.Directory);
        Say("ready");
        using SharedLockScope scope = mutex.Acquire(inputEnded.Token);
        Say("holding");
        inputEnded.Token.WaitHandle.WaitOne();
    }

    // A writer has changed one of two elements that fit together.
    private void HoldLock(SharedLockMode mode)
    {
        using var array = SharedArray<long>.OpenFile(arguments.Directory);
        Say("ready");
        CancellationToken token = inputEnded.Token;
        using SharedLockScope scope = mode == SharedLockMode.Read ? array.AcquireRead(token) : array.AcquireWrite(token);
        if (mode == SharedLockMode.Write)
        {
            array[0]++;
        }
        Say("holding");
        inputEnded.Token.WaitHandle.WaitOne();
    }

    // By steps that others could come between.
    private void CountLocked()
    {
        using var array = SharedArray<long>.OpenFile(arguments.Directory);
        Say("ready");
        for (long counted = 0; counted < _count; counted++)
        {
            using SharedLockScope scope = array.AcquireWrite();
            long now = array[0];
            array[1] = now + 1;
            array[0] = now + 1;
        }
    }

    private void OpenArray()
    {
        int length = (int)arguments.Number("length", 1000);
        string path = arguments.Text("path", arguments.Directory);
        using SharedObject opened = arguments.Text("type", "long") switch
        {
            "long" => SharedArray<long>.OpenFile(path, length),
            "double" => SharedArray<double>.OpenFile(path, length),
            _ => SharedBuffer.OpenFile(path, length),
        };
        Say($"opened {opened.Path}");
        if (arguments.Number("stays", 0) != 0)
        {
            inputEnded.Token.WaitHandle.WaitOne();
        }
    }
}
