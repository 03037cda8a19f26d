namespace BlitQueue.Shapes;

/// <summary>An interface that knows nothing of its cases.</summary>
public interface IHusk;
