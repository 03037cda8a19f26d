using BlitQueue;

// The versions of a message on docs/evolution.md, as they stand there.
namespace V1 { [QueueMessage] public partial class Order { public long Id { get; set; } public string? Customer { get; set; } } }

namespace V2
{
    [QueueMessage]
    public partial class Order
    {
        public long Id { get; set; }
        public string? Customer { get; set; }
        public decimal Total { get; set; } = -1;
    }
}

namespace V3 { [QueueMessage] public partial class Order { public string? Id { get; set; } } }
