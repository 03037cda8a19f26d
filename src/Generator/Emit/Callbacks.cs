namespace BlitQueue.Generator.Emit;

/// <summary>Writes the calls of the user's callbacks.</summary>
internal static class Callbacks
{
    public static void Write(MessageModel model, CallbackPhase phase, string instance, SourceWriter writer)
    {
        foreach (CallbackModel? callback in model.Callbacks.Where(callback => callback.Phase == phase))
        {
            writer.Line($"{(callback.Owner.Length > 0 ? callback.Owner : instance)}.{callback.Method}();");
        }
    }

    public static bool Any(MessageModel model, CallbackPhase phase) => model.Callbacks.Any(callback => callback.Phase == phase);
}
