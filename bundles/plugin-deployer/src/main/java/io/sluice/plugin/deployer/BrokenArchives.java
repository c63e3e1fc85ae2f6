package io.sluice.plugin.deployer;

import java.io.File;
import java.io.IOException;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.apache.felix.fileinstall.ArtifactInstaller;
import org.apache.felix.fileinstall.ArtifactListener;
import org.osgi.service.component.annotations.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the archives in the deploy folder that cannot be read, such as one that is still being copied, which FileInstall would pass over in
 * silence. Nothing is installed; what is wrong is said, once. When the file changes and is whole, FileInstall offers it to the others.
 */
@Component(service = {ArtifactInstaller.class, ArtifactListener.class}, property = "service.ranking:Integer=1000")
public final class BrokenArchives implements ArtifactInstaller {

    private static final Logger LOG = LoggerFactory.getLogger(BrokenArchives.class);

    @Override
    public boolean canHandle(File file) {
        String name = file.getName();
        return file.isFile() && (name.endsWith(".jar") || name.endsWith(".zip") || name.endsWith(".kar")) && problem(file) != null;
    }

    /** Why the archive cannot be read; null if it can. */
    static String problem(File file) {
        try (ZipFile zip = new ZipFile(file)) {
            Enumeration<? extends ZipEntry> entries = zip.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                if (entry.getCompressedSize() > file.length()) {
                    return "its entry " + entry.getName() + " is longer than the whole file";
                }
            }
            return null;
        } catch (IOException | IllegalArgumentException e) {
            return e.getMessage() == null ? e.toString() : e.getMessage();
        }
    }

    @Override
    public void install(File file) {
        LOG.error("{} in the deploy folder cannot be read and is not installed: {}; if it is still being copied, it is taken when it is whole", file.getName(),
            problem(file));
    }

    @Override
    public void update(File file) {
        install(file);
    }

    @Override
    public void uninstall(File file) {
        LOG.info("{} is gone from the deploy folder", file.getName());
    }
}
