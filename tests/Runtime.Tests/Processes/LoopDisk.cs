using System.Diagnostics;
using System.Globalization;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// A disk that refuses: a file system of its own on a loop device, whose file lies in a memory too small for it. What is preallocated on it
/// is promised by the file system; the device under it has no room when it comes to be written.
/// </summary>
internal sealed class LoopDisk : IDisposable
{
    // Milliseconds.
    private const int Patience = 30_000;

    private readonly string _memory;
    private readonly string _image;
    private string? _device;

    /// <param name="root">Where it makes its own directories.</param>
    /// <param name="megabytes">The memory under it.</param>
    /// <param name="block">Bytes of a block of its file system.</param>
    public LoopDisk(string root, int megabytes, int block = 4096)
    {
        _memory = Directory.CreateDirectory(Path.Combine(root, "memory")).FullName;
        _image = Path.Combine(_memory, "image");
        MountPoint = Directory.CreateDirectory(Path.Combine(root, "disk")).FullName;
        Run("mount", "-t", "tmpfs", "-o", Size(megabytes), "tmpfs", _memory);
        Run("truncate", "-s", "64m", _image);
        Run("mkfs.ext4", "-q", "-b", block.ToString(CultureInfo.InvariantCulture), "-J", "size=4", _image);
        Mount();
    }

    /// <summary>Where it is mounted.</summary>
    public string MountPoint { get; }

    /// <summary>Makes the disk a good one, and mounts it anew: what the system had kept of it in memory is gone.</summary>
    public void Mend(int megabytes)
    {
        Unmount();
        Run("mount", "-o", $"remount,{Size(megabytes)}", _memory);
        Mount();
    }

    /// <summary>Has the disk be as it was at some moment, after a power cut: what only the system's memory knew is lost.</summary>
    /// <param name="meanwhile">Ends what works on it. Its files must not be open afterwards.</param>
    public void CutPower(Action meanwhile)
    {
        string left = Path.Combine(_memory, "left");
        Run("cp", "--sparse=always", _image, left);
        meanwhile();
        Unmount();
        File.Move(left, _image, overwrite: true);
        Mount();
    }

    private void Mount()
    {
        _device = Run("losetup", "-f", "--show", _image).Trim();
        // A request of several pages of which only the first find room would be reported as written: the driver takes a short write for a
        // whole one. With one block to a request there are none.
        File.WriteAllText($"/sys/block/{Path.GetFileName(_device)}/queue/max_sectors_kb", "4");
        Run("mount", _device, MountPoint);
    }

    private void Unmount()
    {
        Run("umount", MountPoint);
        Run("losetup", "-d", _device!);
        _device = null;
    }

    private static string Size(int megabytes) => string.Create(CultureInfo.InvariantCulture, $"size={megabytes}m");

    public static string Run(string program, params string[] arguments)
    {
        using Process process = Process.Start(
            new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true })!;
        string output = process.StandardOutput.ReadToEnd(), error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0 ? output : throw new InvalidOperationException($"{program}: {error.Trim()}");
    }

    public void Dispose()
    {
        if (_device is not null)
        {
            Unmount();
        }
        // The system gives the loop device back when the last who looks at it has gone, which may be another program.
        for (long began = Environment.TickCount64; ; Thread.Sleep(20))
        {
            try
            {
                Run("umount", _memory);
                return;
            }
            catch (InvalidOperationException) when (Environment.TickCount64 - began < Patience)
            {
            }
        }
    }
}
