using System.Reflection;
using BlitQueue.Log;
using BlitQueue.Platform;
using BlitQueue.Tests.Processes;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Tests.Memory;

/// <content>What the library asks of a platform beside that, so that each method of it runs on each system.</content>
public sealed partial class PlatformTests
{
    private const BindingFlags Everything =
        BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;

    private static bool IsStrict => Platform is StrictPlatform;

    [Fact]
    public void A_locked_byte_is_waited_for()
    {
        using SafeFileHandle one = Make("locks", 64), other = Open("locks");
        Assert.True(Platform.TryLockByte(one, 5));
        Thread waiting = Begin(() => Platform.LockByte(other, 5));
        Assert.False(waiting.Join(50));
        Assert.True(Platform.UnlockByte(one, 5));
        Assert.True(waiting.Join(Processes.Peer.Patience));
        Assert.True(Platform.IsByteLocked(one, 5));
        Assert.True(Platform.UnlockByte(other, 5));
        Assert.False(Platform.IsByteLocked(one, 5));
    }

    [Fact]
    public void One_of_several_bytes_is_locked_here_or_by_another_system()
    {
        using SafeFileHandle one = Make("locks", 64), other = Open("locks");
        long elsewhere = OperatingSystem.IsWindows() || IsStrict ? -WindowsPlatform.FirstLock : WindowsPlatform.FirstLock;
        Assert.True(Platform.TryLockByte(one, 5));
        Assert.True(Platform.IsAnyByteLocked(other, 3, 3));
        Assert.False(Platform.IsAnyByteLocked(other, 6, 3));
        Assert.False(Platform.IsAnyByteLockedElsewhere(other, 0, 9));
        Assert.True(Platform.TryLockByte(one, elsewhere + 7));
        Assert.True(Platform.IsAnyByteLockedElsewhere(other, 0, 9));
        Assert.False(Platform.IsAnyByteLockedElsewhere(other, 0, 7));
    }

    // As many as a queue has participants: Windows is asked about some of them at a time.
    [Theory]
    [InlineData(1), InlineData(63), InlineData(64), InlineData(700), InlineData(1022)]
    public void One_of_a_thousand_bytes_is_locked(int locked)
    {
        const int count = 1024;
        using SafeFileHandle one = Make("locks", 64), other = Open("locks"), third = Open("locks");
        Assert.True(Platform.TryLockByte(one, 64 + locked));
        Assert.True(Platform.IsAnyByteLocked(other, 64, count));
        Assert.False(Platform.IsAnyByteLocked(other, 64, locked));
        Assert.False(Platform.IsAnyByteLocked(other, 64 + locked + 1, count - locked - 1));
        // Who asked has left no lock.
        Assert.True(Platform.UnlockByte(one, 64 + locked));
        Assert.False(Platform.IsAnyByteLocked(other, 64, count));
        Assert.All(Enumerable.Range(64, count), index => Assert.True(Platform.TryLockByte(third, index)));
    }

    [Fact]
    public void A_file_has_one_identity_while_it_is_there()
    {
        using SafeFileHandle file = Make("file", 3), other = Make("other", 3);
        Assert.Equal(Platform.IdentityOf(_site.File("file")), Platform.IdentityOf(file));
        Assert.Null(Platform.IdentityOf(_site.File("nothing")));
        Assert.True(Platform.TryName(_site.File("file"), _site.File("renamed")));
        Assert.Equal(Platform.IdentityOf(_site.File("renamed")), Platform.IdentityOf(file));
        // Where the file system tells.
        if (Platform.IdentityOf(file) is { } identity)
        {
            Assert.Equal(32, identity.Length);
            Assert.NotEqual(identity, Platform.IdentityOf(other));
        }
    }

    [Fact]
    public void A_system_says_what_it_can_do()
    {
        bool isAsOnWindows = OperatingSystem.IsWindows() || IsStrict;
        Assert.Equal(!isAsOnWindows, Platform.ReplacesMapped);
        Assert.Equal(!isAsOnWindows, Platform.RenamesDirectoriesInUse);
        Assert.Equal(OperatingSystem.IsWindows(), Platform.IgnoresCase);
        Assert.Equal(OperatingSystem.IsWindows() ? 64 : 128, Platform.MostWords);
        Assert.Equal(OperatingSystem.IsWindows() ? 50 : 1000, Platform.LooksInFiveMilliseconds);
        Assert.Equal(Platform.JoinHeavyFence(), Platform.TryHeavyFence());
    }

    [Fact]
    public void A_process_that_asks_may_run_and_so_may_one_of_which_the_system_does_not_tell()
    {
        Assert.True(Platform.MayRun(Environment.ProcessId));
        Assert.True(Platform.MayRun(int.MaxValue));
    }

    [Fact]
    public void A_view_is_mapped_and_synced()
    {
        using SafeFileHandle file = Make("mapped", 65536);
        using (FileView view = Platform.Map(file, 65536, isWritten: true))
        {
            System.Runtime.InteropServices.Marshal.WriteInt32(view.Address, 42);
            Platform.TryPopulate(view.Address, 65536, inMemory: false);
            Platform.ReadAhead(view.Address, 65536);
            Platform.SyncRange(view, view.Address, 65536);
        }
        using FileView read = Platform.Map(file, 65536, isWritten: false);
        Assert.Equal(42, System.Runtime.InteropServices.Marshal.ReadInt32(read.Address));
    }

    [Fact]
    public void Reserving_changes_no_byte()
    {
        using SafeFileHandle file = Make("file", 0);
        Platform.Preallocate(file, 1 << 16);
        RandomAccess.Write(file, [1, 2, 3], 0);
        Platform.TryReserve(file, 1 << 16, 0, 1 << 16);
        Platform.TryMakePrivate(file, 0, 1 << 16);
        Assert.False(Platform.IsShared(file, 0, 1 << 16));
        Assert.False(Platform.IsWrittenInPlace(file));
        Assert.InRange(Platform.EndOfData(file, 1 << 16), 3, 1 << 16);
        byte[] read = new byte[4];
        RandomAccess.Read(file, read, 0);
        Assert.Equal([1, 2, 3, 0], read);
        using SafeFileHandle inMemory = Make("in memory", 0);
        Platform.PreallocateInMemory(inMemory, 1 << 16);
        Assert.Equal(1 << 16, RandomAccess.GetLength(inMemory));
    }

    [Fact]
    public void Memory_grows_where_the_system_has_such_memory()
    {
        const int most = 16 << 20;
        using GrowingMemory? memory = Platform.TryReserve(most);
        Assert.Equal(!OperatingSystem.IsMacOS(), memory is not null);
        for (int length = 1 << 16; memory is not null && length <= most; length *= 2)
        {
            Assert.True(memory.TryGrow(length));
            System.Runtime.InteropServices.Marshal.WriteByte(memory.Address, length - 1, 7);
            Assert.Equal(length == 1 << 16 ? 0 : 7, System.Runtime.InteropServices.Marshal.ReadByte(memory.Address, (length / 2) - 1));
        }
        Assert.False(memory?.TryGrow(most + 1) ?? false);
    }

    [Fact]
    public void The_rights_of_a_file_are_those_that_it_was_made_with()
    {
        using SafeFileHandle file = Make("file", 3);
        (UnixFileMode Mode, uint? Group)? rights = Platform.RightsOf(_site.File("file"));
        Assert.Equal(OperatingSystem.IsWindows() ? null : (UnixFileMode?)Rights, rights?.Mode);
        Assert.Null(Platform.RightsOf(_site.File("nothing")));
        // Its own group.
        Platform.TrySetGroup(file, rights?.Group ?? 0);
        Assert.Equal(rights, Platform.RightsOf(_site.File("file")));
    }

    [Fact]
    public void The_time_of_a_file_can_be_set()
    {
        Make("file", 3).Dispose();
        Assert.True(Platform.TrySetModified(_site.File("file"), 1_000_000_000));
        Assert.Equal(DateTime.UnixEpoch.AddSeconds(1_000_000_000), File.GetLastWriteTimeUtc(_site.File("file")));
        Assert.False(Platform.TrySetModified(_site.File("nothing"), 1_000_000_000));
    }

    [Fact]
    public void A_path_leads_to_a_file_or_a_directory_or_to_nothing()
    {
        Make("file", 3).Dispose();
        Assert.True(Platform.IsThere(_site.File("file")) && !Platform.IsThere(_site.File("nothing")));
        Assert.Equal(PathKind.Nothing, Platform.KindOf(_site.File("nothing")));
        Assert.True(Platform.IsFile(_site.File("file")) && !Platform.IsDirectory(_site.File("file")));
        Assert.True(Platform.IsDirectory(_site.Queue) && !Platform.IsFile(_site.Queue));
        Assert.True(Platform.IsWithin(_site.Queue, _site.Root));
        Assert.False(Platform.IsWithin(_site.Root, _site.Queue));
        string other = Directory.CreateDirectory(_site.Queue + "-other").FullName;
        Assert.True(Platform.IsWithin(_site.Queue, _site.Queue) && !Platform.IsWithin(other, _site.Queue));
        Assert.False(Platform.IsWithin(_site.Queue, _site.File("nothing")) || Platform.IsWithin(_site.File("nothing"), _site.Queue));
    }

    [Fact]
    public void A_directory_is_locked_once_where_the_system_locks_directories()
    {
        Assert.True(Platform.TryLockDirectory(_site.Queue, out SafeFileHandle? held));
        using (held)
        {
            bool isFree = Platform.TryLockDirectory(_site.Queue, out SafeFileHandle? second);
            second?.Dispose();
            Assert.Equal(held is null, isFree);
        }
    }

    [Fact]
    public void A_file_whose_name_is_preserved_is_neither_deleted_nor_renamed_where_the_system_can_prevent_it()
    {
        string path = _site.File("file"), other = _site.File("other");
        Make("file", 3).Dispose();
        Assert.Null(Platform.PreserveName(_site.File("nothing")));
        using (SafeFileHandle? preserved = Platform.PreserveName(path))
        {
            Assert.Equal(OperatingSystem.IsWindows(), preserved is not null);
            if (preserved is not null)
            {
                Assert.Throws<IOException>(() => Platform.Delete(path, other));
                Assert.Throws<IOException>(() => Platform.Replace(path, other));
                using SafeFileHandle opened = Open("file");
                Assert.True(Platform.TryLockByte(opened, 0));
                Assert.True(Platform.LeadsTo(path, opened) ?? true);
            }
        }
        Assert.True(Platform.Delete(path, other));
        Assert.False(Platform.IsThere(path));
    }

    // .ci/windows runs these tests, so that no method of the platform is one that never ran.
    [Fact]
    public void Each_method_of_a_platform_is_called_by_a_test_of_this_class()
    {
        HashSet<MethodBase> called = [.. TypesOf(typeof(PlatformTests)).SelectMany(static type => type.GetMembers(Everything))
            .OfType<MethodBase>().SelectMany(CalledBy)];
        Assert.All(
            typeof(WindowsPlatform).GetInterfaceMap(typeof(IPlatform)).InterfaceMethods,
            method => Assert.True(called.Contains(method), $"No test of {nameof(PlatformTests)} calls {method}."));
    }

    private static IEnumerable<Type> TypesOf(Type type) => type.GetNestedTypes(Everything).SelectMany(TypesOf).Append(type);

    private static IEnumerable<MethodBase> CalledBy(MethodBase method)
    {
        const byte call = 0x28, callVirtual = 0x6F;
        byte[] code = method.GetMethodBody()?.GetILAsByteArray() ?? [];
        for (int i = 0; i + sizeof(int) < code.Length; i++)
        {
            if (code[i] is call or callVirtual && Resolved(method.Module, BitConverter.ToInt32(code, i + 1)) is { } found)
            {
                yield return found;
            }
        }
    }

    // null: these bytes are no such instruction, or one that calls a generic method.
    private static MethodBase? Resolved(Module module, int token)
    {
        try
        {
            return module.ResolveMethod(token);
        }
        catch (Exception exception) when (exception is ArgumentException or BadImageFormatException or TypeLoadException or IOException)
        {
            return null;
        }
    }
}
