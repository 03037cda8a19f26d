using System.Security.Cryptography;
using System.Text;
using System.Text.Unicode;
using BlitQueue;
using Microsoft.Win32.SafeHandles;

namespace Quickstart;

/// <summary>The process that reads files and enqueues their lines.</summary>
internal sealed class Producer(MappedQueue<TextLine> lines, MappedQueue<SourceFile> sentFiles, KillPoint killPoint)
{
    private readonly IncrementalHash _hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private readonly byte[] _buffer = new byte[1 << 20];
    private readonly TextLine _line = new();   // one for all lines: Enqueue keeps nothing of it
    private long _messages, _bytes;

    public static void Run(Workspace workspace, KillPoint killPoint)
    {
        using MappedQueue<SourceFile> filesToSend = workspace.OpenFilesToSend();
        using MappedQueue<TextLine> lines = workspace.OpenLines();
        using MappedQueue<SourceFile> sentFiles = workspace.OpenSentFiles();
        using Subscription<SourceFile> files = filesToSend.Subscribe("default");
        var producer = new Producer(lines, sentFiles, killPoint);
        SourceFile? file = null;
        do
        {
            using Lease<SourceFile> lease = files.Receive();
            lease.ReadInto(ref file);
            producer.Send(file!);
            lease.Commit();   // killed before this line, the file goes to the next producer, which sends it from its start again
        }
        while (file!.Name is not null);
        Console.WriteLine($"  the producer sent {producer._messages:N0} messages");
    }

    private void Send(SourceFile file)
    {
        _line.File = file.Name;
        if (file.Name is null)
        {
            Enqueue(0, null, null);
            return;
        }
        try
        {
            // What is empty is not opened: a named pipe looks empty, too, and opening it would wait for its other end.
            using SafeFileHandle? content = file.Length == 0 ? null : File.OpenHandle(file.Path!, share: FileShare.ReadWrite);
            long length = content is null ? 0 : SendLines(content);
            Enqueue(length, null, null);
            file.Hash = Convert.ToHexString(_hash.GetHashAndReset());
        }
        catch (Exception exception) when (exception is UnauthorizedAccessException or FileNotFoundException or DirectoryNotFoundException)
        {
            Console.Error.WriteLine($"  left out {file.Name}: {exception.Message}");
        }
        sentFiles.Enqueue(in file);
    }

    private long SendLines(SafeFileHandle file)
    {
        long position = 0;
        for (int read; (read = RandomAccess.Read(file, _buffer, position)) > 0;)
        {
            // The begun line at the buffer's end is read again with what follows; one that is longer than the buffer goes in pieces.
            int whole = _buffer.AsSpan(0, read).LastIndexOf((byte)'\n') + 1;
            for (ReadOnlySpan<byte> rest = _buffer.AsSpan(0, whole > 0 ? whole : read); !rest.IsEmpty;)
            {
                int length = rest.IndexOf((byte)'\n') + 1;
                ReadOnlySpan<byte> line = length > 0 ? rest[..length] : rest;
                bool isText = Utf8.IsValid(line);
                Enqueue(position, isText ? Encoding.UTF8.GetString(line) : null, isText ? null : line.ToArray());
                _hash.AppendData(line);
                _bytes += line.Length;
                position += line.Length;
                rest = rest[line.Length..];
            }
        }
        return position;
    }

    private void Enqueue(long start, string? text, byte[]? raw)
    {
        killPoint.Pass(_bytes);
        _line.Start = start;
        _line.Text = text;
        _line.Raw = raw;
        lines.Enqueue(in _line);
        _messages++;
    }
}
