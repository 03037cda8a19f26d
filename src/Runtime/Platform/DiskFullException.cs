namespace BlitQueue.Platform;

/// <summary>The file system had no room for a file that was to be reserved. Floors above turn it into what users see.</summary>
internal sealed class DiskFullException(string message) : IOException(message);
