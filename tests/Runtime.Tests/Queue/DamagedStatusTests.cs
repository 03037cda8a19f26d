using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A status of a queue whose segments are damaged: of a handle that had it open before, of one that opens it then, and without a message
/// type. It is a status with a number of messages that the log can have, or a <see cref="QueueException"/> that names the queue.
/// </summary>
public sealed class DamagedStatusTests
{
    private const int Messages = 2300, Consumed = 100, Seeds = 4;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData("bytes of records", false)]
    [InlineData("a page of zeros", false)]
    [InlineData("a page of anything", false)]
    [InlineData("the rest is gone", false)]
    [InlineData("bytes of the header", true)]
    [InlineData("no header", true)]
    [InlineData("another segment's bytes", true)]
    [InlineData("no file", true)]
    public async Task A_status_of_a_damaged_segment_is_one_or_tells_of_the_damage(string damage, bool mayThrow)
    {
        for (int seed = 0; seed < Seeds; seed++)
        {
            // The oldest, one in the middle, and the one that is written to.
            for (int which = 0; which < 3; which++)
            {
                using var files = new LogFiles();
                files.Fill(Messages, Consumed);
                using MappedQueue<RawMessage> open = files.Open();
                Damage(files, damage, which * 2, new Random((seed * 100) + which));
                await Look(files, () => open.GetStatus(), mayThrow);
                await Look(files, () => open.GetStatus(), mayThrow);
                await Look(files, () => MappedQueue.GetStatus(files.Path), mayThrow);
                await Look(files, () => Opened(files), mayThrow);
                open.Dispose();
                await Look(files, () => Opened(files), mayThrow: true);
                await Look(files, () => MappedQueue.GetStatus(files.Path), mayThrow: true);
            }
        }
    }

    private static QueueStatus Opened(LogFiles files)
    {
        using MappedQueue<RawMessage> another = files.Open();
        return another.GetStatus();
    }

    private static async Task Look(LogFiles files, Func<QueueStatus> look, bool mayThrow)
    {
        try
        {
            QueueStatus status = await Task.Run(look).WaitAsync(Patience);
            long most = status.Next.Value / RecordFormat.HeaderSize;
            Assert.InRange(status.MessageCount, 0, most);
            Assert.InRange(Assert.Single(status.Subscriptions).Lag, 0, most);
        }
        catch (QueueException exception) when (mayThrow)
        {
            Assert.Contains(files.Path, exception.Message, StringComparison.Ordinal);
        }
    }

    private static void Damage(LogFiles files, string damage, long index, Random random)
    {
        string name = Path.GetFileName(files.SegmentAt(index));
        const int page = SegmentFormat.PageSize;
        switch (damage)
        {
            case "bytes of records":
                for (int i = 0; i < 20; i++)
                {
                    files.Site.Overwrite(name, random.Next(page, LogFiles.SegmentSize), Bytes(random, random.Next(1, 9)));
                }
                break;
            case "a page of zeros":
                files.Site.Overwrite(name, page * random.Next(1, LogFiles.SegmentSize / page), new byte[page]);
                break;
            case "a page of anything":
                files.Site.Overwrite(name, page * random.Next(1, LogFiles.SegmentSize / page), Bytes(random, page));
                break;
            case "the rest is gone":
                int from = page * random.Next(1, LogFiles.SegmentSize / page);
                files.Site.Overwrite(name, from, new byte[LogFiles.SegmentSize - from]);
                break;
            case "bytes of the header":
                for (int i = 0; i < 20; i++)
                {
                    files.Site.Overwrite(name, random.Next(page), Bytes(random, random.Next(1, 9)));
                }
                break;
            case "no header":
                files.Site.Overwrite(name, 0, new byte[page]);
                break;
            case "another segment's bytes":
                files.Site.Overwrite(name, 0, Processes.Site.Read(files.SegmentAt(index == 0 ? 1 : index - 1)));
                break;
            default:
                File.Delete(files.SegmentAt(index));
                break;
        }
    }

    private static byte[] Bytes(Random random, int count)
    {
        byte[] bytes = new byte[count];
        random.NextBytes(bytes);
        return bytes;
    }
}
