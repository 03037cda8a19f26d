using System.Globalization;
using Microsoft.Extensions.Options;

namespace BlitQueue.Hosting;

/// <summary>
/// The keys of an options class, in configuration sections and connection strings alike. Text is read here and not by a binder, so that
/// every error names the key and the value, and nothing is looked up by reflection.
/// </summary>
/// <param name="keys">
/// Each key, without regard to case, and what sets it from its text; that throws a <see cref="FormatException"/>.
/// </param>
internal sealed class OptionKeys<TOptions>(params (string Name, Action<TOptions, string> Set)[] keys)
    where TOptions : class
{
    /// <summary>All keys, in the order of the table.</summary>
    public IEnumerable<string> Names => keys.Select(static key => key.Name);

    /// <summary>Sets one value.</summary>
    /// <param name="options">What gets it.</param>
    /// <param name="optionsName">The options' name.</param>
    /// <param name="key">As it stands in the configuration.</param>
    /// <param name="text">Its value.</param>
    /// <param name="where">What errors call the key.</param>
    /// <exception cref="OptionsValidationException">There is no such key, or it does not take this value.</exception>
    public void Set(TOptions options, string optionsName, string key, string? text, string where)
    {
        Action<TOptions, string>? set = Array.Find(
            keys, known => string.Equals(known.Name, key, StringComparison.OrdinalIgnoreCase)).Set;
        if (set is null)
        {
            throw Invalid(optionsName, $"{where} is not known. The keys are {string.Join(", ", Names)}.");
        }
        try
        {
            set(options, text ?? "");
        }
        catch (Exception exception) when (exception is FormatException or OverflowException)
        {
            throw Invalid(optionsName, $"{where} is '{text}': {exception.Message}");
        }
    }

    /// <summary>What the host's start throws for a configuration that cannot be used.</summary>
    public static OptionsValidationException Invalid(string optionsName, string failure) =>
        new(optionsName, typeof(TOptions), [failure]);

    public static long Number(string text) =>
        long.TryParse(text, NumberStyles.AllowLeadingSign | NumberStyles.AllowThousands, CultureInfo.InvariantCulture, out long number)
            ? number
            : throw new FormatException("write a whole number, 1048576 for instance.");

    public static int Count(string text) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out int number)
            ? number
            : throw new FormatException("write a whole number, 8 for instance.");

    public static bool Flag(string text) =>
        bool.TryParse(text, out bool flag) ? flag : throw new FormatException("write true or false.");

    // A bare number would be days.
    public static TimeSpan Time(string text) =>
        text.Contains(':') && TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan time)
            ? time
            : throw new FormatException("write a time as hours, minutes and seconds, 00:00:05 for five seconds or 00:00:00.050 for 50 ms.");

    public static TEnum Choice<TEnum>(string text)
        where TEnum : struct, Enum =>
        Enum.TryParse(text, ignoreCase: true, out TEnum value) && !char.IsAsciiDigit(text.TrimStart('-', '+', ' ').FirstOrDefault())
            ? value
            : throw new FormatException($"write one of {string.Join(", ", Enum.GetNames<TEnum>())}.");

    public static UnixFileMode Rights(string text)
    {
        if (text.Length is >= 3 and <= 4 && text.All(static digit => digit is >= '0' and <= '7'))
        {
            return (UnixFileMode)Convert.ToInt32(text, 8);
        }
        return Enum.TryParse(text, ignoreCase: true, out UnixFileMode mode) && !text.Any(char.IsAsciiDigit)
            ? mode
            : throw new FormatException("write the rights in octal, 0660 for instance, or by name: UserRead, UserWrite.");
    }
}
