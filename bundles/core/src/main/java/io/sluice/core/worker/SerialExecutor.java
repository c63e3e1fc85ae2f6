package io.sluice.core.worker;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs actions one after the other in the order given, on threads of a shared pool; holds no thread while there is nothing to do. */
final class SerialExecutor implements Executor {

    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor pool;
    private final Queue<Runnable> actions = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Executor pool) {
        this.pool = pool;
    }

    @Override
    public synchronized void execute(Runnable action) {
        actions.add(action);
        if (!running) {
            running = true;
            pool.execute(this::drain);
        }
    }

    /** As {@link #execute}. @return completed when the action has run, exceptionally if it threw */
    CompletableFuture<Void> submit(Runnable action) {
        return CompletableFuture.runAsync(action, this);
    }

    private void drain() {
        while (true) {
            Runnable next;
            synchronized (this) {
                next = actions.poll();
                if (next == null) {
                    running = false;
                    return;
                }
            }
            try {
                next.run();
            } catch (RuntimeException | Error e) {
                LOG.error("an action ended with an error", e);
            }
        }
    }
}
