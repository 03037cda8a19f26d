using BlitQueue.Log;
using BlitQueue.Memory;
using BlitQueue.Platform;
using BlitQueue.Sharing;

namespace BlitQueue.Calls;

/// <summary>One handle to the file where clients and servers of one name meet.</summary>
internal sealed class RpcChannel : IDisposable
{
    private readonly SharedFile _file;
    private readonly SharedWord<long>[] _calling;

    private RpcChannel(SharedFile file)
    {
        _file = file;
        _calling =
        [
            .. Enumerable.Range(0, RpcFormat.CallingWords)
                .Select(word => file.Region.SharedWord(SharedFormat.DataOffset + RpcFormat.CallingOffset + (word * sizeof(long)))),
        ];
    }

    public string Path => _file.Path;

    /// <summary>This handle's owner word.</summary>
    public long Self => _file.Self.OwnerWord;

    public int Index => _file.Self.Index;

    /// <summary>What servers sleep on.</summary>
    public EventCount Wake => _file.Control.Data;

    /// <summary>The rights that files beside this one get.</summary>
    public UnixFileMode Rights => CurrentPlatform.Instance.RightsOf(Path) is { } there ? there.Mode : FileRights.OwnerAlone;

    /// <summary>Joins the channel, or makes it, and deletes what dead clients left.</summary>
    /// <param name="path">The file.</param>
    /// <param name="layout">The types of requests and replies.</param>
    /// <param name="rights">Of a new file; null: the user's alone.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="SchemaMismatchException">It has other types, or is another object.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    public static RpcChannel Open(string path, string layout, UnixFileMode? rights, CancellationToken cancellationToken = default)
    {
        var file = SharedFile.Open(
            path, new SharedShape(SharedKind.Channel, layout, 1, RpcFormat.ChannelSize), rights, cancellationToken);
        try
        {
            UnfinishedSharedFile.DeleteDead(path);
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            file.Dispose();
            throw SharedRefusal.Of(path, exception);
        }
        return new RpcChannel(file);
    }

    /// <summary>Whether the participant that wrote this owner word lives.</summary>
    public bool IsAlive(long owner) => _file.Self.IsAlive<MachineMemory>(owner);

    public int? ProcessOf(long owner) => _file.Self.ProcessOf(owner);

    /// <summary>The path of the file of a client's calls.</summary>
    public string CallsOf(long owner) => UnfinishedSharedFile.NameOf(
        Path, $"calls.{ControlFormat.ParticipantIndex(owner)}-{ControlFormat.Incarnation(owner)}");

    /// <summary>The owner word of the client with this index; 0 for none.</summary>
    public ref long Client(int index) => ref Word(RpcFormat.ClientsOffset + (index * sizeof(long)));

    private ref long Server(int index) => ref Word(RpcFormat.ServersOffset + (index * sizeof(long)));

    /// <summary>How many servers have gone: it changes whenever one is found to have.</summary>
    public ref long ServersGone => ref Word(RpcFormat.ServersGoneOffset);

    private ref long Word(long offset) => ref _file.Region.Word(SharedFormat.DataOffset + offset);

    /// <summary>This handle takes calls from now on.</summary>
    public void BeginServing() => MachineMemory.Store(ref Server(Index), Self);

    /// <summary>This handle takes no calls any more.</summary>
    public void EndServing()
    {
        if (MachineMemory.CompareExchange(ref Server(Index), 0, Self) == Self)
        {
            MachineMemory.Increment(ref ServersGone);
        }
    }

    /// <summary>Whether a living handle serves. Notes those that are dead.</summary>
    public bool HasServer()
    {
        long end = Math.Clamp(MachineMemory.Load(ref _file.Control.ParticipantsEnd), 0, ControlFormat.MaximumParticipants);
        for (int index = 0; index < end; index++)
        {
            long server = MachineMemory.Load(ref Server(index));
            if (server == 0)
            {
                continue;
            }
            if (IsAlive(server))
            {
                return true;
            }
            if (MachineMemory.CompareExchange(ref Server(index), 0, server) == server)
            {
                MachineMemory.Increment(ref ServersGone);
            }
        }
        return false;
    }

    /// <summary>The hints of a client whose own word is this one.</summary>
    public RpcHints<MachineMemory> HintsOf(int client, SharedWord<long> pending) =>
        new(_calling[client / 64], 1L << (client % 64), pending);

    /// <summary>By a server: there is no such client.</summary>
    public void ClearCalling(int client) => MachineMemory.ClearBits(ref _calling[client / 64].Value, 1L << (client % 64));

    /// <summary>64 bits, one for each client.</summary>
    public long Calling(int word) => MachineMemory.Load(ref _calling[word].Value);

    /// <summary>Whether any client may have calls.</summary>
    public bool IsAnyCalling => NextCalling(0) >= 0;

    /// <summary>The first client from this one on that may have calls; negative if there is none.</summary>
    public int NextCalling(int client)
    {
        ulong wanted = ulong.MaxValue << (client % 64);
        for (int word = client / 64; word < _calling.Length; word++, wanted = ulong.MaxValue)
        {
            ulong bits = (ulong)Calling(word) & wanted;
            if (bits != 0)
            {
                return (word * 64) + BitOperations.TrailingZeroCount(bits);
            }
        }
        return -1;
    }

    public void Dispose() => _file.Dispose();
}
