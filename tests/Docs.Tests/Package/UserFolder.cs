namespace BlitQueue.Docs.Package;

/// <summary>
/// A folder outside of the repository, of a user who gets packages from the folder feed and from nowhere else. What the SDK itself
/// needs for some commands was restored before, by packing.
/// </summary>
internal sealed class UserFolder : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("blitqueue-user-");

    public UserFolder(PackedPackage package)
    {
        string known = Environment.GetEnvironmentVariable("NUGET_PACKAGES")
            ?? System.IO.Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), ".nuget", "packages");
        File.WriteAllText(
            Of("nuget.config"),
            $"""
            <configuration>
              <packageSources>
                <clear />
                <add key="feed" value="{package.Feed}" />
              </packageSources>
              <fallbackPackageFolders>
                <clear />
                <add key="sdk" value="{known}" />
              </fallbackPackageFolders>
            </configuration>
            """);
        Settings["NUGET_PACKAGES"] = Of("packages");
        Settings["PATH"] = System.IO.Path.GetDirectoryName(Command.Dotnet) + ":" + Environment.GetEnvironmentVariable("PATH");
    }

    /// <summary>What its commands find in their environment.</summary>
    public Dictionary<string, string> Settings { get; } = [];

    public string Path => _folder.FullName;

    public string Of(params ReadOnlySpan<string> parts) => System.IO.Path.Combine([Path, .. parts]);

    /// <summary>Runs the SDK in a folder below.</summary>
    public string Dotnet(string folder, params string[] arguments) => Command.Run(Of(folder), Command.Dotnet, arguments, Settings);

    /// <summary>Makes the project <c>app</c>, which refers to one package, as <c>dotnet add package</c> leaves it.</summary>
    public void NewProject(string package, string code)
    {
        Dotnet(".", "new", "console", "-o", "app", "--no-restore");
        string project = Of("app", "app.csproj");
        File.WriteAllText(project, File.ReadAllText(project).Replace(
            "</Project>",
            $"<ItemGroup><PackageReference Include=\"{package}\" Version=\"{PackedPackage.Version}\" /></ItemGroup></Project>",
            StringComparison.Ordinal));
        File.WriteAllText(Of("app", "Program.cs"), code);
    }

    public void Dispose() => _folder.Delete(recursive: true);
}
