using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Certificates by which clients tell the broker who they are.</summary>
internal static class ClientCertificate
{
    public const string Password = "opens the file";

    /// <summary>Writes the certificate of a user with its key, as PKCS 12 with the password.</summary>
    /// <param name="path">Where to.</param>
    /// <param name="user">The common name.</param>
    /// <param name="authority">Signs it.</param>
    public static void Write(string path, string user, X509Certificate2 authority)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={user}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], false));
        using X509Certificate2 signed = request.Create(
            authority, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(20), RandomNumberGenerator.GetBytes(8));
        using X509Certificate2 whole = signed.CopyWithPrivateKey(key);
        File.WriteAllBytes(path, whole.Export(X509ContentType.Pkcs12, Password));
    }
}
