using System.Buffers.Binary;
using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// A mounted file system of any name: an empty directory, served by this process. The kernel takes it for what it is called, as it does an
/// sshfs whose machine is far away.
/// </summary>
internal sealed class FuseMount : IDisposable
{
    private const int HeaderSize = 16;
    private const int GetAttributes = 3, StatFileSystem = 17, Init = 26, Forget = 2, ForgetMany = 42;
    private const int NoSuchCall = -38, NoSuchEntry = -2, Lookup = 1;

    private readonly string _mountPoint;
    private readonly SafeFileHandle _device;
    private readonly Thread _server;

    public FuseMount(string mountPoint, string type)
    {
        _mountPoint = mountPoint;
        _device = File.OpenHandle("/dev/fuse", FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        string options = $"fd={_device.DangerousGetHandle()},rootmode=40000,user_id=0,group_id=0";
        if (Mount("far-away:/", mountPoint, type, 0, options) != 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }
        _server = new Thread(Serve) { IsBackground = true };
        _server.Start();
    }

    private void Serve()
    {
        byte[] request = new byte[1 << 20];
        using var stream = new FileStream(_device, FileAccess.ReadWrite, bufferSize: 0);
        try
        {
            while (true)
            {
                int length = stream.Read(request);
                int call = BinaryPrimitives.ReadInt32LittleEndian(request.AsSpan(4));
                if (length <= 0 || call is Forget or ForgetMany)
                {
                    continue;
                }
                byte[] reply = Answer(call, out int error);
                BinaryPrimitives.WriteInt32LittleEndian(reply, reply.Length);
                BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(4), error);
                request.AsSpan(8, 8).CopyTo(reply.AsSpan(8));
                stream.Write(reply);
            }
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // Unmounted.
        }
    }

    private static byte[] Answer(int call, out int error)
    {
        error = 0;
        byte[] reply;
        switch (call)
        {
            case Init:
                reply = new byte[HeaderSize + 64];
                BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(HeaderSize), 7);
                BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(HeaderSize + 4), 31);
                BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(HeaderSize + 20), 4096);
                return reply;
            case GetAttributes:
                reply = new byte[HeaderSize + 104];
                BinaryPrimitives.WriteInt64LittleEndian(reply.AsSpan(HeaderSize + 16), 1);
                // A directory that everybody may use.
                BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(HeaderSize + 16 + 60), 0x4000 | 0x1FF);
                BinaryPrimitives.WriteInt32LittleEndian(reply.AsSpan(HeaderSize + 16 + 64), 2);
                return reply;
            case StatFileSystem:
                return new byte[HeaderSize + 80];
            default:
                error = call == Lookup ? NoSuchEntry : NoSuchCall;
                return new byte[HeaderSize];
        }
    }

    public void Dispose()
    {
        const int detach = 2;
        _ = Unmount(_mountPoint, detach);
        _server.Join(TimeSpan.FromSeconds(5));
        _device.Dispose();
    }

    [DllImport("libc", EntryPoint = "mount", SetLastError = true, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int Mount(string source, string target, string type, nuint flags, string data);

    [DllImport("libc", EntryPoint = "umount2", SetLastError = true, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int Unmount(string target, int flags);
}
