namespace BlitQueue.Explorer;

/// <summary>
/// 128 bits of a state: two states with the same are taken for one, which among 2^30 states is wrong once in 2^69 explorations.
/// </summary>
internal struct StateHash
{
    private ulong _a, _b;

    public void Add(long value)
    {
        _a = (_a ^ (ulong)value) * 0x9E37_79B9_7F4A_7C15;
        _a ^= _a >> 32;
        _b = (_b + (ulong)value) * 0xC2B2_AE3D_27D4_EB4F;
        _b ^= _b >> 29;
    }

    public readonly UInt128 Value => new(_a * 0x1656_67B1_9E37_79F9, _b * 0xA076_1D64_78BD_642F);
}
