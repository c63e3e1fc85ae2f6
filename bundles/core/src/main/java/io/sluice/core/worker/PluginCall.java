package io.sluice.core.worker;

import java.util.concurrent.Callable;

/** Runs code of a plugin with the plugin's class loader as the thread's context class loader, as libraries inside it expect. */
final class PluginCall {

    private PluginCall() {
    }

    /** A call that may throw anything. */
    interface Action {
        void run() throws Exception;
    }

    static <T> T call(ClassLoader loader, Callable<T> call) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return call.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    static void run(ClassLoader loader, Action action) throws Exception {
        call(loader, () -> {
            action.run();
            return null;
        });
    }
}
