using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A test that mounts a file system served by the test itself; skipped where this user may not.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class MountFactAttribute : FactAttribute
{
    public MountFactAttribute()
    {
        if (!OperatingSystem.IsLinux() || !Environment.IsPrivilegedProcess || !File.Exists("/dev/fuse"))
        {
            Skip = "A file system can be mounted by root only, and only where there is a /dev/fuse.";
        }
    }
}
