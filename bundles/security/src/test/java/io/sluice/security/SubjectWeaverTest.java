package io.sluice.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.Subject;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class SubjectWeaverTest {

    /** Compiled as Karaf's classes are. */
    @SuppressWarnings("removal")
    private static final class Asks {
        static Subject who() {
            return Subject.getSubject(java.security.AccessController.getContext());
        }
    }

    /** Knows the word, and means something else by it. */
    private static final class Bystander {
        static String getSubject() {
            return "getSubject";
        }
    }

    @Test
    void asksInTheNewWay() throws Exception {
        byte[] replaced = SubjectWeaver.replace(bytes(Asks.class));
        assertThat(calls(replaced)).contains("javax/security/auth/Subject.current()Ljavax/security/auth/Subject;").noneMatch(call -> call.contains("getSubject"));
    }

    @Test
    void leavesOtherClassesAlone() throws Exception {
        for (Class<?> type : List.of(Bystander.class, String.class, SubjectWeaverTest.class)) {
            byte[] bytes = bytes(type);
            assertThat(SubjectWeaver.replace(bytes)).isSameAs(bytes);
        }
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            return in.readAllBytes();
        }
    }

    private static List<String> calls(byte[] bytes) {
        List<String> calls = new ArrayList<>();
        new ClassReader(bytes).accept(new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                return new MethodVisitor(Opcodes.ASM9) {
                    @Override
                    public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                        calls.add(owner + "." + called + type);
                    }
                };
            }
        }, 0);
        return calls;
    }
}
