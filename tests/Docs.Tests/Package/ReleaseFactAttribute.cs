namespace BlitQueue.Docs.Package;

/// <summary>A test of builds that do not depend on where they are made: those of CI and of Release (src/Directory.Build.props).</summary>
public sealed class ReleaseFactAttribute : FactAttribute
{
    public ReleaseFactAttribute()
    {
        if (Repository.Configuration != "Release" && Environment.GetEnvironmentVariable("CI") != "true")
        {
            Skip = "Built in Debug and not in CI, where the paths of the sources are those of this machine.";
        }
    }
}
