// Outbox: an order and the message about it are stored in one transaction of the database; a relay brings the message to the queue.
// The receiver notes positions beside what they caused, so that a message that comes twice is billed once.
//
//   dotnet run --project samples/Outbox order Ada
//   dotnet run --project samples/Outbox relay
//   dotnet run --project samples/Outbox bill
using BlitQueue;
using Microsoft.Data.Sqlite;

string folder = Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), "blitqueue-outbox")).FullName;
SQLitePCL.Batteries_V2.Init();
using var database = new SqliteConnection($"Data Source={Path.Combine(folder, "shop.db")}");
database.Open();
Execute("CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, customer TEXT)");
Execute("CREATE TABLE IF NOT EXISTS outbox (id INTEGER PRIMARY KEY, customer TEXT)");
Execute("CREATE TABLE IF NOT EXISTS bills (message TEXT PRIMARY KEY, customer TEXT)");

// On the disk when Enqueue returns: the row of the outbox may go then.
using var orders = MappedQueue<Order>.Open(Path.Combine(folder, "orders"), new QueueOptions { Durability = Durability.Commit });

switch (args)
{
    case ["order", var customer]:
        Execute("BEGIN");
        Execute("INSERT INTO orders (customer) VALUES ($1)", customer);
        Execute("INSERT INTO outbox (id, customer) VALUES (last_insert_rowid(), $1)", customer);
        Execute("COMMIT");
        break;

    case ["relay"]:
        // Killed between the two lines, the relay sends the message once more: it has the same id then.
        while (Query("SELECT id, customer FROM outbox ORDER BY id LIMIT 1") is { } row)
        {
            orders.Enqueue(new Order { Customer = row.Customer }, new MessageProperties { MessageId = row.Id });
            Execute("DELETE FROM outbox WHERE id = $1", row.Id);
        }
        break;

    case ["bill"]:
        using (Subscription<Order> mine = orders.Subscribe("default"))
        {
            while (mine.TryReceive(out Lease<Order> lease))
            {
                string customer = lease.Read().Customer, id = lease.ReadProperties()?.MessageId ?? lease.Position.ToString();
                bool isNew = Execute("INSERT OR IGNORE INTO bills VALUES ($1, $2)", id, customer) == 1;
                Console.WriteLine(isNew ? $"billed {customer}" : $"{customer} was billed already");
                lease.Commit();
            }
        }
        break;
}

int Execute(string text, params string[] values) => Command(text, values).ExecuteNonQuery();

(string Id, string Customer)? Query(string text)
{
    using SqliteDataReader reader = Command(text, []).ExecuteReader();
    return reader.Read() ? (reader.GetInt64(0).ToString(), reader.GetString(1)) : null;
}

SqliteCommand Command(string text, string[] values)
{
    var command = new SqliteCommand(text, database);
    for (int index = 0; index < values.Length; index++)
    {
        command.Parameters.AddWithValue($"${index + 1}", values[index]);
    }
    return command;
}

/// <summary>The message about an order.</summary>
[QueueMessage]
public partial class Order { public string Customer { get; set; } = ""; }
