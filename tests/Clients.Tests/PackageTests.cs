namespace BlitQueue.Clients;

/// <summary>The Python package's own tests.</summary>
public sealed class PackageTests
{
    [PythonFact]
    public void The_tests_of_the_Python_package_succeed()
    {
        string package = Path.Combine(PythonReader.Root(), "clients", "python");
        Assert.Equal(["OK"], PythonReader.Run("-c", $"""
            import unittest
            suite = unittest.defaultTestLoader.discover({Quoted(Path.Combine(package, "tests"))}, top_level_dir={Quoted(package)})
            result = unittest.TextTestRunner().run(suite)
            print("OK" if result.wasSuccessful() and result.testsRun > 30 else result)
            """));
    }

    private static string Quoted(string path) => System.Text.Json.JsonSerializer.Serialize(path);
}
