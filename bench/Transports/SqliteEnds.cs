using BlitQueue.Bench.Messages;
using Microsoft.Data.Sqlite;

namespace BlitQueue.Bench.Transports;

/// <summary>A queue as many make it: a table, one statement to append and one to take the oldest row. Write-ahead log.</summary>
internal sealed class SqliteStore : IDisposable
{
    private const string Fast = "OFF", Safe = "FULL";

    private readonly SqliteConnection _connection;
    private readonly SqliteCommand _append;
    private readonly SqliteCommand _take;
    private readonly byte[] _message;

    // The driver's own start looks for a native library by reflection.
    static SqliteStore() => SQLitePCL.Batteries_V2.Init();

    /// <param name="path">A directory, or a path that becomes one.</param>
    /// <param name="size">Bytes of a message.</param>
    /// <param name="durable">Whether a statement returns when its row is on the disk.</param>
    public SqliteStore(string path, int size, bool durable)
    {
        Directory.CreateDirectory(path);
        _message = new byte[size];
        Pattern.Fill(_message);
        _connection = new SqliteConnection($"Data Source={Path.Combine(path, "queue.db")};Pooling=False");
        _connection.Open();
        Run("PRAGMA busy_timeout=10000");
        Run("PRAGMA journal_mode=WAL");
        Run($"PRAGMA synchronous={(durable ? Safe : Fast)}");
        Run("CREATE TABLE IF NOT EXISTS messages (id INTEGER PRIMARY KEY, body BLOB)");
        _append = Command("INSERT INTO messages (body) VALUES ($body)");
        _append.Parameters.Add("$body", SqliteType.Blob).Value = _message;
        _take = Command("DELETE FROM messages WHERE id = (SELECT min(id) FROM messages) RETURNING body");
    }

    public void Append(long number)
    {
        Pattern.Stamp(_message, number);
        _append.ExecuteNonQuery();
    }

    /// <summary>The oldest message's number.</summary>
    /// <returns>null where there is none.</returns>
    public long? Take() => _take.ExecuteScalar() is byte[] body ? Pattern.Check(body) : null;

    public void Dispose()
    {
        _append.Dispose();
        _take.Dispose();
        _connection.Dispose();
    }

    private void Run(string text)
    {
        using SqliteCommand command = Command(text);
        command.ExecuteScalar();
    }

    private SqliteCommand Command(string text) => new(text, _connection);
}

/// <summary>Appends rows.</summary>
internal readonly struct SqliteSender(string path, int size) : ISender
{
    private readonly SqliteStore _store = new(path, size, durable: false);

    public void Send(long number) => _store.Append(number);

    public void Dispose() => _store.Dispose();
}

/// <summary>Takes rows, looking for the next one without pause: SQLite wakes nobody.</summary>
internal readonly struct SqliteReceiver(string path, int size) : IReceiver
{
    private readonly SqliteStore _store = new(path, size, durable: false);

    public long Receive()
    {
        long? number;
        while ((number = _store.Take()) is null)
        {
            Thread.Yield();
        }
        return number.Value;
    }

    public void Dispose() => _store.Dispose();
}
