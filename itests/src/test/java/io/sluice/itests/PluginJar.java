package io.sluice.itests;

import aQute.bnd.osgi.Builder;
import aQute.bnd.osgi.Jar;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles a source text against the SPI and builds the bundle that bnd makes of it, as the build of a plugin's author does. */
final class PluginJar {

    private PluginJar() {
    }

    /**
     * @param folder a folder to work in; emptied of nothing, so give each jar its own
     * @param className the class that the text declares
     * @return the jar
     */
    static Path build(Path folder, String className, String source, String version) throws Exception {
        Path file = folder.resolve("src").resolve(className.replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        compile(file, classes);
        String name = className.substring(0, className.lastIndexOf('.'));
        try (Builder builder = new Builder()) {
            builder.setBundleSymbolicName(name);
            builder.setBundleVersion(version);
            builder.setProperty("-includeresource", classes.toString());
            builder.setProperty("-metatypeannotations", "*");
            builder.setProperty("-noextraheaders", "true");
            for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
                if (Files.exists(Path.of(entry)) && (entry.contains("spi") || entry.contains("openmessaging") || entry.contains("osgi"))) {
                    builder.addClasspath(new java.io.File(entry));
                }
            }
            Jar jar = builder.build();
            if (!builder.getErrors().isEmpty()) {
                throw new IOException("bnd: " + builder.getErrors());
            }
            Path target = folder.resolve(name + "-" + version + ".jar");
            jar.write(target.toFile());
            return target;
        }
    }

    private static void compile(Path source, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(null, files, null, List.of("-d", classes.toString(), "--release", "17", "-parameters"), null,
                files.getJavaFileObjects(source.toFile())).call();
            if (!compiled) {
                throw new IOException("cannot compile " + source);
            }
        }
    }

    /** Puts a jar into a folder in one step, so that nobody sees half of it. */
    static void drop(Path jar, Path target) throws IOException {
        Path temporary = target.resolveSibling("." + target.getFileName() + ".part");
        Files.copy(jar, temporary, StandardCopyOption.REPLACE_EXISTING);
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The one code block of a document that declares {@code file=...}. */
    static String block(Path document, String file) {
        try (Stream<String> lines = Files.lines(document)) {
            StringBuilder block = new StringBuilder();
            boolean inside = false;
            for (String line : lines.toList()) {
                if (inside && line.equals("```")) {
                    return block.toString();
                }
                if (inside) {
                    block.append(line).append('\n');
                }
                inside = inside || line.startsWith("```") && line.endsWith("file=" + file);
            }
            throw new IllegalArgumentException(document + " has no block for " + file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
