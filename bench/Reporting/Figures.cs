using System.Globalization;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench.Reporting;

/// <summary>Numbers as the tables write them: three digits or so.</summary>
internal static class Figures
{
    public static string Number(double value) =>
        value.ToString(
            Math.Abs(value) >= 1000 ? "#,0" : Math.Abs(value) >= 100 ? "0" : Math.Abs(value) >= 10 ? "0.0" : "0.00",
            CultureInfo.InvariantCulture);

    public static string Of(double value, Unit unit) => unit switch
    {
        Unit.Bytes => Bytes(value),
        Unit.Share => value.ToString("0 %", CultureInfo.InvariantCulture),
        Unit.Count => value.ToString("#,0", CultureInfo.InvariantCulture),
        _ => Time(value),
    };

    /// <param name="nanoseconds">A duration.</param>
    public static string Time(double nanoseconds) => nanoseconds switch
    {
        < 1e3 => $"{Number(nanoseconds)} ns",
        < 1e6 => $"{Number(nanoseconds / 1e3)} us",
        < 1e9 => $"{Number(nanoseconds / 1e6)} ms",
        _ => $"{Number(nanoseconds / 1e9)} s",
    };

    /// <summary>A power of ten: no digits behind the point.</summary>
    public static string Tick(double nanoseconds) =>
        Time(nanoseconds).Replace(".00", "", StringComparison.Ordinal).Replace(".0", "", StringComparison.Ordinal);

    public static string PerSecond(double count) => count switch
    {
        < 10e3 => $"{count.ToString("#,0", CultureInfo.InvariantCulture)}/s",
        < 1e6 => $"{Number(count / 1e3)} k/s",
        _ => $"{Number(count / 1e6)} M/s",
    };

    public static string Bytes(double bytes)
        => bytes < 1e4 ? $"{Number(bytes)} B" : bytes < 1e6 ? $"{Number(bytes / 1e3)} KB" : $"{Number(bytes / 1e6)} MB";
}
