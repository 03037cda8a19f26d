using System.Runtime.InteropServices;

namespace BlitQueue.Runner;

/// <summary>
/// Makes good what Wine 8 and .NET do to each other when a thread handles an exception. Each of the two ends the thread or the process
/// at some later exception or floating-point instruction, in whatever test, destructor or part of the JIT that is.
/// <list type="bullet">
/// <item>MXCSR may be zero afterwards, which makes an exception of each number that is rounded. The instruction is done once more, with
/// the value that .NET wants.</item>
/// <item>Wine's list of its own exception frames on the stack may name some of calls that are over. They are taken from the list.</item>
/// </list>
/// </summary>
internal static partial class WineExceptions
{
    private const uint Commit = 0x1000, Reserve = 0x2000, ExecuteReadWrite = 0x40;

    // Machine code, because it is called wherever the thread was: also where no managed code may begin.
    private static readonly byte[] Handler =
    [
        0x4C, 0x8B, 0x41, 0x08, // mov r8, [rcx + 8]: EXCEPTION_POINTERS.ContextRecord
        0x65, 0x48, 0x8B, 0x04, 0x25, 0x00, 0x00, 0x00, 0x00, // mov rax, gs:[0]: the list's first frame
        0x49, 0x3B, 0x80, 0x98, 0x00, 0x00, 0x00, // next: cmp rax, [r8 + 0x98]: Rsp
        0x73, 0x1A, // jae live: frames of calls that go on are above; so is -1, the list's end
        0x65, 0x48, 0x3B, 0x04, 0x25, 0x10, 0x00, 0x00, 0x00, // cmp rax, gs:[0x10]: the stack's limit
        0x72, 0x0B, // jb none
        0x48, 0x8B, 0x10, // mov rdx, [rax]: the frame after it
        0x48, 0x39, 0xC2, // cmp rdx, rax
        0x48, 0x89, 0xD0, // mov rax, rdx
        0x77, 0xE1, // ja next: else something else stands there by now
        0x48, 0x83, 0xC8, 0xFF, // none: or rax, -1
        0x65, 0x48, 0x89, 0x04, 0x25, 0x00, 0x00, 0x00, 0x00, // live: mov gs:[0], rax
        0x48, 0x8B, 0x01, // mov rax, [rcx]: EXCEPTION_POINTERS.ExceptionRecord
        0x8B, 0x00, // mov eax, [rax]: its code
        0x2D, 0x8D, 0x00, 0x00, 0xC0, // sub eax, STATUS_FLOAT_DENORMAL_OPERAND
        0x83, 0xF8, 0x06, // cmp eax, STATUS_FLOAT_UNDERFLOW less that
        0x77, 0x21, // ja other
        0x41, 0xC7, 0x40, 0x34, 0x80, 0x1F, 0x00, 0x00, // mov dword [r8 + 0x34], 0x1F80: MxCsr
        0x41, 0xC7, 0x80, 0x18, 0x01, 0x00, 0x00, 0x80, 0x1F, 0x00, 0x00, // mov dword [r8 + 0x118], 0x1F80: FltSave.MxCsr
        0x66, 0x41, 0xC7, 0x80, 0x00, 0x01, 0x00, 0x00, 0x7F, 0x02, // mov word [r8 + 0x100], 0x27F: FltSave.ControlWord
        0x83, 0xC8, 0xFF, // or eax, EXCEPTION_CONTINUE_EXECUTION
        0xC3, // ret
        0x31, 0xC0, // other: xor eax, eax: EXCEPTION_CONTINUE_SEARCH
        0xC3, // ret
    ];

    /// <summary>From here on, in all threads, if this is Wine.</summary>
    public static void Repair()
    {
        if (!OperatingSystem.IsWindows() || !NativeLibrary.TryGetExport(NativeLibrary.Load("ntdll"), "wine_get_version", out _))
        {
            return;
        }
        nint code = VirtualAlloc(0, (nuint)Handler.Length, Commit | Reserve, ExecuteReadWrite);
        Marshal.Copy(Handler, 0, code, Handler.Length);
        AddVectoredExceptionHandler(1, code);
    }

    [LibraryImport("kernel32")]
    private static partial nint VirtualAlloc(nint address, nuint size, uint type, uint protection);

    [LibraryImport("kernel32")]
    private static partial nint AddVectoredExceptionHandler(uint first, nint handler);
}
