using System.IO.Pipelines;

namespace BlitQueue;

/// <content>Reading messages back.</content>
public static partial class PackStream
{
    /// <summary>Reads one message, and leaves the stream right behind it.</summary>
    /// <param name="source">Where from: the next byte is the first of a message's length.</param>
    /// <param name="into">An instance to fill, or null for a new one.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait. Then the stream may be inside of a message, so read no more of it.</param>
    /// <returns>The message, which is <paramref name="into"/> if that could be filled; null if null was written.</returns>
    /// <exception cref="PackException">
    /// The stream ends before or inside of the message, a sequence ends here, the message is longer than
    /// the options allow, or its bytes are no valid message. Only in the last case the stream is behind the message, so that the next one
    /// can be read.
    /// </exception>
    public static ValueTask<T?> ReadAsync<T>(
        Stream source, T? into = default, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return ReadOneAsync(new StreamFrames(source, options ?? PackStreamOptions.Default), into, cancellationToken);
    }

    /// <summary>Reads one message, and leaves the pipe right behind it.</summary>
    /// <param name="source">Where from: the next byte is the first of a message's length.</param>
    /// <param name="into">An instance to fill, or null for a new one.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the pipe is where it was before the call.</param>
    /// <returns>The message, which is <paramref name="into"/> if that could be filled; null if null was written.</returns>
    /// <exception cref="PackException">
    /// The pipe ends before or inside of the message, a sequence ends here, the message is longer than the
    /// options allow, or its bytes are no valid message. Only in the last case the pipe is behind the message, so that the next one can be
    /// read.
    /// </exception>
    public static ValueTask<T?> ReadAsync<T>(
        PipeReader source, T? into = default, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return ReadOneAsync(new PipeFrames(source, options ?? PackStreamOptions.Default), into, cancellationToken);
    }

    /// <summary>Reads the messages of a sequence as they come, and leaves the stream right behind its end mark.</summary>
    /// <remarks>
    /// Nothing is read ahead, so each message takes two reads of the stream. If reads are calls to the system and messages are short, use a
    /// <see cref="BufferedStream"/>, or a pipe.
    /// </remarks>
    /// <param name="source">Where from: the next byte is the first of a message's length, or of the end mark.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait. Then the stream may be inside of a message, so read no more of it.</param>
    /// <returns>
    /// The messages, each a new instance, and null where null was written. If you leave the loop, the stream is right behind the
    /// last message that was returned.
    /// </returns>
    /// <exception cref="PackException">
    /// The stream ends inside of a message or without the end mark, a message is longer than the options
    /// allow, or its bytes are no valid message. Only in the last case the stream is behind the message: another call goes on with the next
    /// one.
    /// </exception>
    public static IAsyncEnumerable<T?> ReadAllAsync<T>(
        Stream source, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return ReadSequenceAsync<T>(given => new StreamFrames(source, given), options ?? PackStreamOptions.Default, cancellationToken);
    }

    /// <summary>Reads the messages of a sequence as they come, and leaves the pipe right behind its end mark.</summary>
    /// <param name="source">Where from: the next byte is the first of a message's length, or of the end mark. It is not completed.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait; the pipe is behind the last message that was returned.</param>
    /// <returns>
    /// The messages, each a new instance, and null where null was written. If you leave the loop, the pipe is right behind the
    /// last message that was returned.
    /// </returns>
    /// <exception cref="PackException">
    /// The pipe ends inside of a message or without the end mark, a message is longer than the options
    /// allow, or its bytes are no valid message. Only in the last case the pipe is behind the message: another call goes on with the next
    /// one.
    /// </exception>
    public static IAsyncEnumerable<T?> ReadAllAsync<T>(
        PipeReader source, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return ReadSequenceAsync<T>(given => new PipeFrames(source, given), options ?? PackStreamOptions.Default, cancellationToken);
    }

    private static async ValueTask<T?> ReadOneAsync<T>(FrameSource source, T? into, CancellationToken cancellationToken)
        where T : IPackable<T>
    {
        using (source)
        {
            FrameKind found = await source.NextAsync(cancellationToken).ConfigureAwait(false);
            return found == FrameKind.Message ? Unpack(source, into) : throw FrameFaults.NoMessage(source.Offset, found);
        }
    }

    // Each enumeration has a source of its own.
    private static async IAsyncEnumerable<T?> ReadSequenceAsync<T>(
        Func<PackStreamOptions, FrameSource> open, PackStreamOptions options, [EnumeratorCancellation] CancellationToken cancellationToken)
        where T : IPackable<T>
    {
        using FrameSource source = open(options);
        FrameKind found;
        while ((found = await source.NextAsync(cancellationToken).ConfigureAwait(false)) == FrameKind.Message)
        {
            yield return Unpack<T>(source, default);
        }
        if (found == FrameKind.EndOfStream && !options.MayEndWithoutMark)
        {
            throw FrameFaults.NoEndMark(source.Offset, source.Messages);
        }
    }

    // The source is behind the message before the caller sees the message, or the fault in it.
    private static T? Unpack<T>(FrameSource source, T? into)
        where T : IPackable<T>
    {
        long offset = source.Offset, number = source.Messages;
        try
        {
            long read = Packer.Unpack(source.Message, ref into), left = source.Message.Length - read;
            if (left > 0)
            {
                PackException.ThrowLeftOver((int)read, left);
            }
            return into;
        }
        catch (PackException e)
        {
            e.SetFrame(number, offset);
            throw;
        }
        finally
        {
            source.Skip();
        }
    }
}
