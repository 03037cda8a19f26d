namespace BlitQueue.Generator.Caching;

/// <summary>A declaration that a parse looked at, and its text at that time.</summary>
/// <param name="File">The file's number in the project.</param>
/// <param name="Outermost">The declaration's number in the file.</param>
/// <param name="Text">The declaration as <see cref="DeclarationText"/> gives it.</param>
internal readonly record struct Dependency(int File, int Outermost, string Text);
