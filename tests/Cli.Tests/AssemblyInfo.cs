using System.Runtime.Versioning;

// They need signals, users and rights as Linux has them.
[assembly: SupportedOSPlatform("linux")]
