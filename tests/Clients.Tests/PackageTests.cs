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

    // As pip does it, but without the network: what is installed is what pyproject.toml names, and no more.
    [PythonFact]
    public void The_package_that_is_built_has_the_client_its_words_and_its_types()
    {
        using var folder = new Folder();
        string package = Path.Combine(PythonReader.Root(), "clients", "python");
        List<string> said = [.. PythonReader.Run("-c", $"""
            import contextlib, importlib.util, os, shutil, subprocess, sys, tarfile
            if importlib.util.find_spec("setuptools") is None:
                print("no setuptools")
                sys.exit()
            os.chdir({Quoted(folder.Path)})
            shutil.copytree({Quoted(package)}, "source")
            os.chdir("source")
            from setuptools import build_meta
            with contextlib.redirect_stdout(sys.stderr), contextlib.redirect_stderr(open(os.devnull, "w")):
                name = build_meta.build_sdist("..")
            os.chdir("..")
            tarfile.open(name).extractall("built")
            os.chdir(os.path.join("built", name.removesuffix(".tar.gz")))
            print(*sorted(one for one in os.listdir("blitq") if not one.endswith(".py")))
            ours = set(os.listdir(os.path.join({Quoted(package)}, "blitq"))) - set(["__pycache__"])
            print(ours == set(os.listdir("blitq")))
            os.environ["PYTHONPATH"] = os.getcwd()
            print(subprocess.run([sys.executable, "-m", "blitq", "--help"], stdout=subprocess.DEVNULL).returncode)
            """)];
        Assert.True(said is ["no setuptools"] or ["brotli_words.zlib py.typed", "True", "0"], string.Join('\n', said));
    }

    private static string Quoted(string path) => System.Text.Json.JsonSerializer.Serialize(path);
}
