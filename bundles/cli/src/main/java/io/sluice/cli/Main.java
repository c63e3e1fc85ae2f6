package io.sluice.cli;

import java.util.Arrays;
import java.util.List;

/** Carries out one command of {@code bin/sluice}; the exit code is 0 if it succeeded, 1 if it failed, 2 if it was not understood. */
public final class Main {

    private Main() {
    }

    /** @param args the command and its arguments; the environment has {@code KARAF_ETC} */
    public static void main(String[] args) {
        List<String> arguments = Arrays.asList(args).subList(Math.min(1, args.length), args.length);
        try {
            Settings settings = Settings.here();
            switch (args.length == 0 ? "" : args[0]) {
                case "ports" -> Ports.check(settings);
                case "await" -> Await.run(settings, arguments);
                case "shell" -> Shell.run(settings, arguments);
                default -> {
                    System.err.println("sluice: unknown command; see bin/sluice help");
                    System.exit(2);
                }
            }
        } catch (Refusal e) {
            System.err.println("sluice: " + e.getMessage());
            System.exit(1);
        }
    }
}
