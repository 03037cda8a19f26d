using System.Runtime.Versioning;
using System.Security.AccessControl;
using System.Security.Principal;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>Who may use a directory, by its owner and its access list, and the identity of this process's user.</summary>
[SupportedOSPlatform("windows")]
internal static class WindowsRights
{
    private const uint OwnerAndList = 1 | Kernel32.AccessList;

    private static SecurityIdentifier? Found;

    // What the system and its administrators may do no list can prevent. The other two stand for the owner.
    private static readonly HashSet<SecurityIdentifier> Harmless =
    [
        User,
        new(WellKnownSidType.LocalSystemSid, null),
        new(WellKnownSidType.BuiltinAdministratorsSid, null),
        new(WellKnownSidType.CreatorOwnerSid, null),
        new("S-1-3-4"),
    ];

    /// <summary>The user of this process.</summary>
    public static SecurityIdentifier User => Found ??= FindUser();

    private static SecurityIdentifier FindUser()
    {
        using var identity = WindowsIdentity.GetCurrent();
        return identity.User ?? throw new IOException("This process's token names no user.");
    }

    /// <summary>
    /// Makes a directory, unless it is there, and its parents. The user, the system and its administrators alone have rights to it and to
    /// what is made in it, whatever the parent's list says.
    /// </summary>
    public static void MakePrivate(string path)
    {
        if (Path.GetDirectoryName(Path.TrimEndingDirectorySeparator(path)) is { Length: > 0 } parent)
        {
            Directory.CreateDirectory(parent);
        }
        OfUserAlone().CreateDirectory(path);
    }

    /// <summary>Gives a directory those rights.</summary>
    public static void SetPrivate(string path) => new DirectoryInfo(path).SetAccessControl(OfUserAlone());

    private static DirectorySecurity OfUserAlone()
    {
        var rights = new DirectorySecurity();
        rights.SetOwner(User);
        rights.SetAccessRuleProtection(isProtected: true, preserveInheritance: false);
        foreach (WellKnownSidType? group in (WellKnownSidType?[])
            [null, WellKnownSidType.LocalSystemSid, WellKnownSidType.BuiltinAdministratorsSid])
        {
            rights.AddAccessRule(new FileSystemAccessRule(
                group is { } known ? new SecurityIdentifier(known, null) : User, FileSystemRights.FullControl,
                InheritanceFlags.ContainerInherit | InheritanceFlags.ObjectInherit, PropagationFlags.None, AccessControlType.Allow));
        }
        return rights;
    }

    /// <summary>Whether a directory belongs to this user, or to the administrators, and no other user has a right to it.</summary>
    public static bool IsPrivate(SafeFileHandle directory)
    {
        byte[] bytes = new byte[1];
        Kernel32.GetSecurity(directory, OwnerAndList, ref bytes[0], 0, out uint size);
        bytes = new byte[Math.Max(1, (int)size)];
        if (!Kernel32.GetSecurity(directory, OwnerAndList, ref bytes[0], size, out _))
        {
            return false;
        }
        var rights = new RawSecurityDescriptor(bytes, 0);
        // Without a list every user has every right.
        return rights.Owner is { } owner && Harmless.Contains(owner) && rights.DiscretionaryAcl is { } list
            && list.Cast<GenericAce>().All(IsHarmless);
    }

    private static bool IsHarmless(GenericAce entry) => entry is QualifiedAce
    {
        AceQualifier: AceQualifier.AccessDenied or AceQualifier.SystemAudit or AceQualifier.SystemAlarm,
    }
        || (entry is KnownAce known && Harmless.Contains(known.SecurityIdentifier));
}
