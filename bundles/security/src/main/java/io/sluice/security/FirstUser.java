package io.sluice.security;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that an installation has a user and no well-known password: when {@code etc/users.properties} names no user, it makes one called
 * {@code admin} with a random password, which it writes to {@code etc/admin.password} for the owner of the files alone. Karaf's file gets the
 * password's digest only.
 */
@Component(service = {}, immediate = true)
public final class FirstUser {

    private static final Logger LOG = LoggerFactory.getLogger(FirstUser.class);
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final String USER = "admin";
    private static final String GROUP = "admingroup";
    private static final String ROLES = "group,admin,operator,manager,viewer,systembundles,ssh";

    @Activate
    public FirstUser(BundleContext context) throws IOException {
        ensure(Path.of(context.getProperty("karaf.etc")));
    }

    /** @return true if a user was made */
    static boolean ensure(Path etc) throws IOException {
        Path users = etc.resolve("users.properties");
        List<String> lines = Files.exists(users) ? Files.readAllLines(users) : List.of();
        if (lines.stream().map(String::trim).anyMatch(line -> !line.isEmpty() && !line.startsWith("#"))) {
            return false;
        }
        String password = randomPassword();
        Path passwordFile = etc.resolve("admin.password");
        write(passwordFile, password + "\n");
        String comments = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
        write(users, comments + USER + " = {CRYPT}" + digest(password) + "{CRYPT},_g_:" + GROUP + "\n_g_\\:" + GROUP + " = " + ROLES + "\n");
        LOG.info("made the user '{}'; its password is in {}", USER, passwordFile);
        return true;
    }

    private static String randomPassword() {
        byte[] random = new byte[18];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** In the form that {@code org.apache.karaf.jaas.cfg} states: SHA-256, hexadecimal. A random password of this length needs no salt. */
    private static String digest(String password) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(password.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Writes a file that nobody but the owner can read at any moment, in one step. */
    private static void write(Path file, String content) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)} : new FileAttribute<?>[0];
        Path temporary = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".tmp", attributes);
        Files.writeString(temporary, content);
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
