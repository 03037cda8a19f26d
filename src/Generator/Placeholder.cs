namespace BlitQueue.Generator;
