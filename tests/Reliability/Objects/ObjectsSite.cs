using System.Globalization;
using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Reliability.Disk;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Objects;

/// <summary>The process that opens shared objects in every way, and starts others that do.</summary>
/// <param name="turns">How many processes open all of them one after the other.</param>
internal sealed class ObjectsSite(int turns)
{
    private const int PageSize = 4096, MostPages = 40;

    private static readonly ProtocolStep[] MakersSteps =
        [ProtocolStep.SharedFileMade, ProtocolStep.SharedFileWritten, ProtocolStep.SharedFileNamed];

    /// <param name="arguments">How many processes come one after the other.</param>
    public static int Run(string[] arguments)
    {
        Console.SetOut(new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true });
        var site = new ObjectsSite(int.Parse(arguments[0], CultureInfo.InvariantCulture));
        Try("another type or size", OpenAsOther);
        Try("another user", OpenAsAnotherUser);
        Try("no memory", OpenWithoutMemory);
        Try("makers killed", KillMakers);
        Try("processes in turn", site.OpenInTurn);
        return 0;
    }

    private static void Try(string what, Action<Site> act)
    {
        try
        {
            using var site = new Site(inMemory: true);
            act(site);
        }
        catch (Exception exception)
        {
            Console.WriteLine($"violation {what}: {exception.ToString().ReplaceLineEndings(" | ")}");
        }
    }

    private static void Count(string counter) => Console.WriteLine($"{counter}\t1");

    private static void Require(bool condition, string what)
    {
        if (!condition)
        {
            throw new InvalidOperationException(what);
        }
    }

    private static string PathOf(Site site, ObjectKind kind) => $"{site.Queue}.{kind}";

    private static string[] NamesIn(string directory) =>
        [.. Directory.EnumerateFileSystemEntries(directory).Select(Path.GetFileName).Order(StringComparer.Ordinal)!];

    // What is there is not changed by what is refused.
    private static void OpenAsOther(Site site)
    {
        foreach (ObjectKind kind in ObjectUse.Kinds)
        {
            string path = PathOf(site, kind);
            ObjectUse.Open(kind, path).Dispose();
            Refuse(site, path, static refusal => refusal is SchemaMismatchException, () => ObjectUse.OpenAsOther(kind, path));
            if (kind is ObjectKind.Array or ObjectKind.Buffer)
            {
                Refuse(
                    site, path, static refusal => refusal is ArgumentException, () => ObjectUse.Open(kind, path, ObjectUse.Length + 1));
            }
            ObjectUse.Open(kind, path).Dispose();
        }
    }

    private static void Refuse(Site site, string path, Func<Exception, bool> isMeant, Func<IDisposable> open)
    {
        string[] names = NamesIn(site.Root);
        byte[] before = File.ReadAllBytes(path);
        try
        {
            open().Dispose();
            throw new InvalidOperationException($"{path} was opened as something else");
        }
        catch (Exception refusal) when (isMeant(refusal))
        {
            Require(refusal.Message.Contains(path, StringComparison.Ordinal), $"it is not said where: {refusal.Message}");
        }
        Require(File.ReadAllBytes(path).AsSpan().SequenceEqual(before), $"{path} was changed by an opening that was refused");
        Require(NamesIn(site.Root).SequenceEqual(names), $"{path}: something was left behind: {string.Join(' ', NamesIn(site.Root))}");
        Count("refused: another type or size");
    }

    // Of a user whose rights end at the file: he may make files of his own beside it.
    private static void OpenAsAnotherUser(Site site)
    {
        if (OperatingSystem.IsWindows())
        {
            throw new PlatformNotSupportedException("Rights of files are those of Unix here.");
        }
        File.SetUnixFileMode(site.Root, (UnixFileMode)Convert.ToInt32("1777", 8));
        foreach (ObjectKind kind in ObjectUse.Kinds)
        {
            string path = PathOf(site, kind);
            using IDisposable opened = ObjectUse.Open(kind, path);
            string[] names = NamesIn(site.Root);
            byte[] before = File.ReadAllBytes(path);
            string said = PeerProcess.RunAsNobody(site, "object-use", $"kind={kind}");
            Require(
                said.StartsWith("QueueException", StringComparison.Ordinal) && said.Contains(path, StringComparison.Ordinal)
                    && said.Contains("no right", StringComparison.Ordinal),
                $"another user is told of {kind}: {said}");
            Require(File.ReadAllBytes(path).AsSpan().SequenceEqual(before), $"{path} was changed by another user");
            Require(NamesIn(site.Root).SequenceEqual(names), $"{kind}: another user leaves {string.Join(' ', NamesIn(site.Root))}");
            ObjectUse.Use(opened);
            Count("refused: another user");
        }
    }

    // With every number of free pages, from none to more than enough.
    private static void OpenWithoutMemory(Site site)
    {
        using var disk = SmallDisk.OfMemory(site.Root, "size=4m");
        foreach (ObjectKind kind in ObjectUse.Kinds)
        {
            string path = Path.Combine(disk.MountPoint, kind.ToString());
            bool hasSucceeded = false;
            for (int pages = 0; pages <= MostPages; pages++)
            {
                disk.LeaveRoom(pages * PageSize);
                string[] names = NamesIn(disk.MountPoint);
                try
                {
                    using (IDisposable opened = ObjectUse.Open(kind, path))
                    {
                        // Nothing that comes later needs memory.
                        ObjectUse.Use(opened);
                    }
                    hasSucceeded = true;
                    Count("opened with little memory");
                }
                catch (QueueFullException full)
                {
                    Require(!hasSucceeded, $"{kind} was refused where there was more memory than before");
                    Require(full.Path == path, $"it is not said what is full: {full.Message}");
                    Count("refused: no memory");
                }
                // A client that finds no memory for its own file may have made the channel.
                Require(SharedObject.DeleteFile(path) || !hasSucceeded, $"{kind} cannot be deleted");
                Require(
                    NamesIn(disk.MountPoint).SequenceEqual(names),
                    $"{kind} with {pages} pages leaves {string.Join(' ', NamesIn(disk.MountPoint))}");
                disk.GiveRoomBack();
            }
            Require(hasSucceeded, $"{kind} needs more than {MostPages} pages");
        }
    }

    private static void KillMakers(Site site)
    {
        foreach (ObjectKind kind in ObjectUse.Kinds)
        {
            Array.ForEach(MakersSteps, step => KillMaker(site, kind, step));
        }
        KillMaker(site, ObjectKind.Client, ProtocolStep.CallFileMade);
    }

    private static void KillMaker(Site site, ObjectKind kind, ProtocolStep step)
    {
        using (var dead = PeerProcess.StartToDie(site, step, 1, "object-use", $"kind={kind}"))
        {
            dead.WaitForDeath();
        }
        string path = PathOf(site, kind);
        using (IDisposable opened = ObjectUse.Open(kind, path))
        {
            ObjectUse.Use(opened);
        }
        Require(
            NamesIn(site.Root).SequenceEqual([Path.GetFileName(path)]),
            $"{kind}, {step}: the next one leaves {string.Join(' ', NamesIn(site.Root))}");
        Require(SharedObject.DeleteFile(path) && NamesIn(site.Root).Length == 0, $"{kind}, {step}: a deletion leaves something");
        Count("makers killed");
    }

    // Each counts its use.
    private void OpenInTurn(Site site)
    {
        using var end = new CancellationTokenSource();
        using var server = RpcServer<Parcel, Parcel>.OpenFile(PathOf(site, ObjectKind.Client));
        Task serving = server.ServeAsync(static (request, _) => new ValueTask<Parcel>(request), end.Token);
        for (int turn = 0; turn < turns; turn++)
        {
            using var peer = PeerProcess.Start(site, "object-use", "calls=1");
            Require(peer.WaitForExit() == 0, $"process {turn} says {peer.Said}");
            Count("processes in turn");
        }
        using (var array = SharedArray<long>.OpenFile(PathOf(site, ObjectKind.Array)))
        using (var value = SharedValue<SharedBlock>.OpenFile(PathOf(site, ObjectKind.Value)))
        using (var buffer = SharedBuffer.OpenFile(PathOf(site, ObjectKind.Buffer)))
        {
            Require(
                (array[0], value.Read().Number, buffer.Read<long>(0)) == (turns, turns, turns),
                $"uses counted: {array[0]}, {value.Read().Number}, {buffer.Read<long>(0)}");
        }
        Require(server.GetStatistics().Calls == turns, $"calls answered: {server.GetStatistics().Calls}");
        end.Cancel();
        Require(Task.WaitAny([serving], PeerProcess.Patience) == 0, "the server does not end");
        server.Dispose();
        string[] objects = [.. ObjectUse.Kinds.Select(kind => Path.GetFileName(PathOf(site, kind))).Order(StringComparer.Ordinal)];
        Require(NamesIn(site.Root).SequenceEqual(objects), $"left behind: {string.Join(' ', NamesIn(site.Root))}");
        Require(ObjectUse.Kinds.All(kind => SharedObject.DeleteFile(PathOf(site, kind))), "one cannot be deleted");
        Require(NamesIn(site.Root).Length == 0, $"left behind: {string.Join(' ', NamesIn(site.Root))}");
    }
}
