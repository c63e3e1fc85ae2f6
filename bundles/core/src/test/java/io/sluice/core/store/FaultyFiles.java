package io.sluice.core.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A disk that gets full and fails when a test wants it to. */
final class FaultyFiles implements LogFile.Opener {

    /** How many bytes can still be written. */
    final AtomicLong space = new AtomicLong(Long.MAX_VALUE);
    /** How many forces are still to fail. */
    final AtomicInteger failingForces = new AtomicInteger();
    /** How many forces of a folder are still to fail. */
    final AtomicInteger failingFolderForces = new AtomicInteger();
    /** How many truncations are still to fail. */
    final AtomicInteger failingTruncations = new AtomicInteger();
    /** True to leave out forces, for tests in which only the content of files matters. */
    volatile boolean careless;
    /** How many forces there were. */
    final AtomicInteger forces = new AtomicInteger();

    static FaultyFiles careless() {
        FaultyFiles files = new FaultyFiles();
        files.careless = true;
        return files;
    }

    @Override
    public FileChannel open(Path path, OpenOption... options) throws IOException {
        return new Channel(FileChannel.open(path, options), Files.isDirectory(path) ? failingFolderForces : failingForces);
    }

    private final class Channel extends FileChannel {

        private final FileChannel real;
        private final AtomicInteger failing;

        private Channel(FileChannel real, AtomicInteger failing) {
            this.real = real;
            this.failing = failing;
        }

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            int fits = (int) Math.min(bytes.remaining(), space.get());
            if (fits == 0 && bytes.hasRemaining()) {
                throw new IOException("No space left on device");
            }
            space.addAndGet(-fits);
            int written = real.write(bytes.slice(bytes.position(), fits), position);
            bytes.position(bytes.position() + written);
            return written;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            forces.incrementAndGet();
            if (failing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("Input/output error");
            }
            if (!careless) {
                real.force(metaData);
            }
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            if (failingTruncations.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IOException("Input/output error");
            }
            real.truncate(size);
            return this;
        }

        @Override
        public int read(ByteBuffer bytes, long position) throws IOException {
            return real.read(bytes, position);
        }

        @Override
        public long size() throws IOException {
            return real.size();
        }

        @Override
        protected void implCloseChannel() throws IOException {
            real.close();
        }

        @Override
        public int read(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long read(ByteBuffer[] bytes, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int write(ByteBuffer bytes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long write(ByteBuffer[] bytes, int offset, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long position() {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileChannel position(long position) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferTo(long position, long count, WritableByteChannel target) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long transferFrom(ReadableByteChannel source, long position, long count) {
            throw new UnsupportedOperationException();
        }

        @Override
        public MappedByteBuffer map(MapMode mode, long position, long size) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock lock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
